"""The pages of games: a player's table, your own games, and finished games."""
