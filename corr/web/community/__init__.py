"""The pages of players, leaderboards, and the archive of finished games."""
