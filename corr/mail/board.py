"""A sight as a board of letters, for the text and the HTML of a letter."""

from __future__ import annotations

from dataclasses import dataclass

from corr.words import Side, Sight

_FILES = "abcdefgh"
_ALL = 2**64 - 1
#: The men as signs, each followed by the selector that asks for text: some programs draw a picture else.
GLYPHS = {letter: f"{sign}\ufe0e" for letter, sign in zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True)}
_MEN = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


@dataclass(frozen=True, slots=True)
class Square:
    """One square of a drawn board."""

    letter: str
    kind: str
    shade: str
    spoken: str


def files(side: Side) -> str:
    """The files from left to right as a side sees them."""
    return _FILES if side is Side.WHITE else _FILES[::-1]


def rows(sight: Sight) -> list[tuple[str, list[Square]]]:
    """The ranks from top to bottom as the side sees them, each with its name and its squares."""
    ranks = range(7, -1, -1) if sight.side is Side.WHITE else range(8)
    letters = sight.letters()
    return [
        (
            str(rank + 1),
            [_square(sight, letters, rank * 8 + _FILES.index(file)) for file in files(sight.side)],
        )
        for rank in ranks
    ]


def text(sight: Sight) -> str:
    """The board in letters: `.` is a square that is unseen, `-` one that is seen to be empty."""
    empty = "." if sight.seen == _ALL else "-"
    signs = {"?": ".", ".": empty}
    drawn = [
        f"  {rank}  " + " ".join(signs.get(square.letter, square.letter) for square in squares)
        for rank, squares in rows(sight)
    ]
    return "\n".join([*drawn, "", "     " + " ".join(files(sight.side))])


def cells(sight: Sight) -> list[str]:
    """The ranks of the HTML board as they are read when it is flattened to text."""
    glyphs = {"?": "·", ".": ""}
    return [
        f"{rank} " + " ".join(glyphs.get(square.letter, GLYPHS.get(square.letter, "")) for square in squares)
        for rank, squares in rows(sight)
    ]


def _square(sight: Sight, letters: str, number: int) -> Square:
    letter = letters[number]
    shade = "light" if (number + number // 8) % 2 else "dark"
    kind = _kind(sight, letter, number)
    spoken = kind if letter in ".?" else f"{kind} {_MEN[letter.lower()]}"
    return Square(letter, kind, shade, spoken)


def _kind(sight: Sight, letter: str, number: int) -> str:
    if letter == "?":
        return "unseen"
    if letter == ".":
        return "empty"
    return "own" if sight.own >> number & 1 else "enemy"
