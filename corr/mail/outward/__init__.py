"""Outgoing email: from what it says to its bytes, and on its way."""
