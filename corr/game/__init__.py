"""A match in any variant: what both sides know of it, and what a side remembers. Pure."""
