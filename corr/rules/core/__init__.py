"""What umpires are made of: the board, the moves, what is announced and who is handed what."""
