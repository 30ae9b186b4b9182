"""A letter of ours: from what it says to its bytes, and on its way."""
