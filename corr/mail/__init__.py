"""Letters: read, composed, handed over."""
