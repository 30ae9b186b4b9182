"""The JSON API for players' own bots, each with a token."""
