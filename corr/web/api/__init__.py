"""What programs of players' own read and do, as JSON, each let in by a token."""
