"""How a house player plays: how much it holds possible, how much of that it looks at, how surely it chooses."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: So many times as many positions are held where nearly nothing is announced, and so many times as many looked at.
_HELD, _LOOKED_AT = 4, 3


@dataclass(frozen=True, slots=True)
class Character:
    """One way to play."""

    positions: int  # held possible
    boards: int  # of them looked at for a move
    noise: float  # by which its judgement is blurred, in hundredths of a pawn

    def at(self, variant: str) -> Character:
        """The same, who holds and looks at more in Reconnaissance Blind Chess, where nearly nothing is announced."""
        if variant != "rbc":
            return self
        return replace(self, positions=_HELD * self.positions, boards=_LOOKED_AT * self.boards)


CHARACTERS = {
    "beginner": Character(positions=24, boards=4, noise=150.0),
    "club": Character(positions=120, boards=10, noise=45.0),
    "strongest": Character(positions=240, boards=36, noise=0.0),
}
