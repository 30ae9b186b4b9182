"""The whole server under a fake clock: players with habits, faults by seed, and an independent check of the log."""
