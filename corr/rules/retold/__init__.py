"""A game that is over, told once more: score, PGN, replay."""
