"""Incoming email: from its bytes to what it says, who wrote it, and what it answers."""
