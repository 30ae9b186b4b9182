"""Email: reading, composing, sending."""
