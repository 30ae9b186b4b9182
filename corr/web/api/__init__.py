"""What programs of players' own read, as JSON, each let in by a token."""
