"""What everyone may see: players' pages, leaderboards, and the archive of finished games."""
