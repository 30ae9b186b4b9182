"""A match, whatever the variant: what is public about it, and what a side recalls. Pure."""
