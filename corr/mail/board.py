"""A sight as a board of letters, for the text and the HTML of a letter."""

from __future__ import annotations

from corr.words import Side, Sight

_FILES = "abcdefgh"
_ALL = 2**64 - 1
#: The men as signs, each followed by the selector that asks for text: some programs draw a picture else.
GLYPHS = {letter: f"{sign}\ufe0e" for letter, sign in zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True)}
_CELLS = {"?": "·", ".": "\u00a0", **GLYPHS}


def files(side: Side) -> str:
    """The files from left to right as a side sees them."""
    return _FILES if side is Side.WHITE else _FILES[::-1]


def ranks(sight: Sight) -> list[tuple[str, str]]:
    """The ranks from top to bottom as the side sees them, each with its name and its eight letters."""
    letters = sight.letters()
    upwards = [(str(rank + 1), letters[rank * 8 : rank * 8 + 8]) for rank in range(8)]
    return upwards[::-1] if sight.side is Side.WHITE else [(name, rank[::-1]) for name, rank in upwards]


def text(sight: Sight) -> str:
    """The board in letters: `.` is a square that is unseen, `-` one that is seen to be empty."""
    signs = str.maketrans({"?": ".", ".": "." if sight.seen == _ALL else "-"})
    drawn = [f"  {name}  {' '.join(rank.translate(signs))}" for name, rank in ranks(sight)]
    return "\n".join([*drawn, "", f"     {' '.join(files(sight.side))}"])


def cells(sight: Sight) -> list[str]:
    """The lines of the HTML board when it is flattened to text."""
    drawn = [f"{name} {' '.join(_CELLS[letter] for letter in rank)}" for name, rank in ranks(sight)]
    return [*drawn, " ".join(files(sight.side))]
