"""What umpires are made of: the board, the moves, the announcements and the slips."""
