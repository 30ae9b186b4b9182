"""Letters in, each read once, and letters out, each composed once."""
