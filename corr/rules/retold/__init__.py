"""A game that is over, told once more: score, PGN, replay; and a turn that the rules show."""
