"""The record of a game, one line a turn, and the seals that prove it."""
