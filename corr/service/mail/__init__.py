"""Email in, each read once, and email out, each composed once."""
