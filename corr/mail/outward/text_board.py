"""Draws a board with letters for an email's text, and says in words which squares are marked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from corr.text.messages import sentence
from corr.words.board import SQUARES, Side
from corr.words.slips import GhostPieces, Sight, SquareMarks, draw_signs

_FILES = "abcdefgh"
_SIGN_WIDTH = len("Q~")  # a longer sign is of a recalled piece, which the player does not see now
_EMPTY = {"?": ". ", ".": "- "}


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """A board as one side sees it: ranks from top to bottom, with name and signs, and the files."""

    ranks: tuple[tuple[str, tuple[str, ...]], ...]
    files: str

    @property
    def has_unseen(self) -> bool:
        """Whether any square is unseen, or shows only an imagined or remembered piece."""
        return any(
            sign == "?" or sign[-1] == "'" or len(sign) > _SIGN_WIDTH
            for _, rank in self.ranks
            for sign in rank
        )

    @property
    def turned(self) -> BoardDrawing:
        """The same board from the other side."""
        return BoardDrawing(tuple((name, rank[::-1]) for name, rank in self.ranks[::-1]), self.files[::-1])


def make_board(sight: Sight, ghosts: GhostPieces = ()) -> BoardDrawing:
    """Return the board as its side sees it, with imagined pieces and remembered ones."""
    signs = draw_signs(sight, ghosts)
    upwards = [(str(rank + 1), signs[rank * 8 : rank * 8 + 8]) for rank in range(8)]
    drawn = BoardDrawing(tuple(upwards[::-1]), _FILES)
    return drawn if sight.side is Side.WHITE else drawn.turned


def draw_board(board: BoardDrawing) -> str:
    """Draw the board in letters, two columns a square: `.` is unseen, `-` is seen to be empty."""
    column = _dark_sign if board.has_unseen else _light_sign
    drawn = [f"  {name}  {''.join(map(column, rank))}".rstrip() for name, rank in board.ranks]
    return "\n".join([*drawn, "", f"     {' '.join(board.files)}"])


def _light_sign(sign: str) -> str:
    """Return a square's two columns, on a board without unseen squares."""
    return sign.ljust(2)


@cache
def _dark_sign(sign: str) -> str:
    """Return a square's two columns, on a board with unseen squares."""
    if sign in _EMPTY:
        return _EMPTY[sign]
    return "_ " if sign[0] == "." else sign[:2].ljust(2)


#: Maps the first word of a mark's drawing to the sentence that describes it, in the order of these.
_MARK_WORDS = {
    "last": "last",
    "ring": "captured",
    "king": "checked",
    "line": "line",
    "dot": "knight",
    "try": "tries",
    "left": "framed",
    "right": "framed",
    "top": "framed",
    "bottom": "framed",
}


def describe_marks(marks: SquareMarks, *, is_over: bool) -> str:
    """Say on one line which squares are marked, and for what."""
    found = defaultdict[str, dict[str, None]](dict)
    for square, over in marks:
        for mark in over:
            if said := _MARK_WORDS.get(mark.partition(" ")[0]):
                found[said][SQUARES[square]] = None
    return " ".join(
        _describe_mark(f"{said}_over" if said == "last" and is_over else said, [*found[said]])
        for said in dict.fromkeys(_MARK_WORDS.values())
        if said in found
    )


def _describe_mark(said: str, on: list[str]) -> str:
    return sentence(f"marks.{said}", squares=", ".join(on), first=on[0], last=on[-1])
