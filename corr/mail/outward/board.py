"""A sight as a board of letters, for the text and the HTML of a letter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from corr.words.board import Side
from corr.words.slips import Imagined, Sight

_FILES = "abcdefgh"
#: The men as signs, each followed by the selector that asks for text: some programs draw a picture else.
GLYPHS = {letter: f"{sign}\ufe0e" for letter, sign in zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True)}
_IN_THE_DARK = {"?": ". ", ".": "- ", ".?": "-?"}
_CELLS = {"?": "·", ".": "\u00a0", **GLYPHS}


@dataclass(frozen=True, slots=True)
class Board:
    """A board as its side sees it: the ranks from top to bottom, each with its name and its signs, and the files."""

    ranks: tuple[tuple[str, tuple[str, ...]], ...]
    files: str

    @property
    def has_unseen(self) -> bool:
        """Whether its side sees less than all."""
        return any(sign[-1] in "?'" for _, rank in self.ranks for sign in rank)


def board(sight: Sight, ghosts: Imagined = ()) -> Board:
    """The board of a sight, with the men that its player imagines."""
    signs = sight.signs_with(ghosts)
    upwards = [(str(rank + 1), signs[rank * 8 : rank * 8 + 8]) for rank in range(8)]
    if sight.side is Side.WHITE:
        return Board(tuple(upwards[::-1]), _FILES)
    return Board(tuple((name, rank[::-1]) for name, rank in upwards), _FILES[::-1])


def text(board: Board) -> str:
    """The board in letters: `.` is a square that is unseen, `-` one that is seen to be empty.

    A sign takes two columns: a man with a mark, `Q~`, `p?` or `q'`, touches the next one.
    """
    signs = _IN_THE_DARK if board.has_unseen else {}
    drawn = [
        f"  {name}  {''.join([signs.get(sign) or sign.ljust(2) for sign in rank])}".rstrip()
        for name, rank in board.ranks
    ]
    return "\n".join([*drawn, "", f"     {' '.join(board.files)}"])


def cells(board: Board) -> list[str]:
    """The lines of the HTML board when it is flattened to text."""
    drawn = [f"{name} {' '.join(map(cell, rank))}" for name, rank in board.ranks]
    return [*drawn, " ".join(board.files)]


@cache
def cell(sign: str) -> str:
    """What the HTML board shows for a sign."""
    return "-?" if sign == ".?" else _CELLS[sign[0]] + sign[1:]
