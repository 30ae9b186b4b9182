"""How a house player plays: how much it holds possible, how much of that it looks at, how surely it chooses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Character:
    """One way to play."""

    positions: int  # held possible
    boards: int  # of them looked at for a move
    noise: float  # by which its judgement is blurred, in hundredths of a pawn


CHARACTERS = {
    "beginner": Character(positions=24, boards=4, noise=150.0),
    "club": Character(positions=120, boards=10, noise=45.0),
    "strongest": Character(positions=240, boards=36, noise=0.0),
}
