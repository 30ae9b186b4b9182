"""What everybody may see: players' pages, leaderboards, and the archive of games that are over."""
