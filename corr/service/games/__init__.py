"""One game and its two seats: what each side gets, whose turn it is, and what a player reads of it."""
