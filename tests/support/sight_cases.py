"""Sights from board diagrams that a chess player can read and extend."""

from __future__ import annotations

from corr.words.board import Pair, PieceKind, Side
from corr.words.slips import RememberedSquares, Sight

START = """
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    P P P P P P P P
    R N B Q K B N R
"""


def sight(board: str, side: Side = Side.WHITE, *, turn: int = 7, reserves: Pair[str] | None = None) -> Sight:
    """What a side sees, from a picture with White below.

    FEN letters, `Q~` a promoted piece, `.` seen empty, `?` unseen;
    `p!1`, `.!2` and `p?3` are recalled, with their age in turns.
    """
    signs = signs_of(board)
    shown = [sign[0] if sign[1:] in ("", "~") else "?" for sign in signs]
    men = {man: mask(shown, man.letter + man.letter.lower()) for man in PieceKind}
    ages = {square: int(sign[2:]) for square, sign in enumerate(signs) if len(sign) > len("Q~")}
    found = Sight(
        side,
        mask(shown, "PNBRQK" if side is Side.WHITE else "pnbrqk"),
        mask(shown, "PNBRQKpnbrqk."),
        *men.values(),
        promoted=mask([sign[1:] for sign in signs], "~"),
        reserves=reserves,
        recalled=tuple(
            RememberedSquares(
                turn - age, tuple((square, signs[square][0]) for square in ages if ages[square] == age)
            )
            for age in sorted({*ages.values()}, reverse=True)
        ),
        turn=turn if ages else None,
    )
    assert found.signs() == signs
    return found


def signs_of(board: str) -> tuple[str, ...]:
    """A picture's squares from a1, b1 … to h8."""
    return tuple(sign for rank in reversed(ranks(board)) for sign in rank.split())


def ranks(board: str) -> list[str]:
    """A picture's ranks from the top, one blank between signs."""
    return [" ".join(line.split()) for line in board.split("\n") if line.strip()]


def mask(signs: list[str], wanted: str) -> int:
    return sum(1 << square for square, sign in enumerate(signs) if sign and sign in wanted)
