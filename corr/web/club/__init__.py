"""The pages of players, leaderboards, and the archive of games that are over."""
