"""How strong the site's bots play: what Pip, Marlow and Sibyl keep in mind, and how often they err."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: The factors on positions held and searched in variants where nearly nothing is announced.
_POSITIONS_FACTOR, _BOARDS_FACTOR = 4, 3


@dataclass(frozen=True, slots=True)
class Character:
    positions: int  # held possible
    boards: int  # of them looked at for a move
    noise: float  # random error of its judgement, in hundredths of a pawn

    def at(self, variant: str) -> Character:
        """Return the character for a variant; Reconnaissance Blind Chess announces little and needs more positions."""
        if variant != "rbc":
            return self
        return replace(
            self, positions=_POSITIONS_FACTOR * self.positions, boards=_BOARDS_FACTOR * self.boards
        )


CHARACTERS = {
    "beginner": Character(positions=24, boards=4, noise=150.0),  # Pip
    "club": Character(positions=120, boards=10, noise=45.0),  # Marlow
    "strongest": Character(positions=240, boards=36, noise=0.0),  # Sibyl
}
