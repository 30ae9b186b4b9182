"""Retells a finished game as score, PGN and replay, and shows a turn on the rules page."""
