"""A letter that came: from its bytes to what was written, by whom, in answer to what."""
