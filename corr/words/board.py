"""Defines the values that all other code uses: the two sides, the kinds of pieces, the squares."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")


class Side(StrEnum):
    """One of the two players of a game."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        return _BLACK if self is _WHITE else _WHITE

    @property
    def called(self) -> str:
        """The name as the umpire says it: White, Black."""
        return "White" if self is _WHITE else "Black"


_WHITE, _BLACK = Side  # the sides under names that are faster to look up than the enumeration's


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """One value for each side."""

    white: T
    black: T

    __iter__ = None  # a loop over a pair fails: Python would otherwise ask for items 0, 1, 2 … for ever

    def __getitem__(self, side: Side) -> T:
        return self.white if side is _WHITE else self.black

    def with_value(self, side: Side, thing: T) -> Pair[T]:
        return Pair(thing, self.black) if side is _WHITE else Pair(self.white, thing)


class PieceKind(StrEnum):
    """A kind of chess piece."""

    PAWN = "pawn"
    KNIGHT = "knight"
    BISHOP = "bishop"
    ROOK = "rook"
    QUEEN = "queen"
    KING = "king"

    @property
    def letter(self) -> str:
        return "N" if self is PieceKind.KNIGHT else self.value[0].upper()

    @classmethod
    def from_letter(cls, letter: str) -> PieceKind:
        return _MAN_OF_LETTER[letter.upper()]


_MAN_OF_LETTER = {man.letter: man for man in PieceKind}

#: Square names by number: a1 is 0, b1 is 1, h8 is 63.
SQUARES: tuple[str, ...] = tuple(file + rank for rank in "12345678" for file in "abcdefgh")

SQUARE_NUMBER = {name: number for number, name in enumerate(SQUARES)}


@lru_cache(maxsize=4096)
def squares_of(mask: int) -> tuple[int, ...]:
    """Return the numbers of the squares set in a bitboard, from a1 (0) to h8 (63)."""
    return tuple(square for square in range(64) if mask >> square & 1)
