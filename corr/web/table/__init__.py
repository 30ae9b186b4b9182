"""The pages of a game: a player's table, one's own games, and games that are over."""
