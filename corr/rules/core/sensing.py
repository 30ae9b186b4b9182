"""Senses a square and those around it, and words what the player is told."""

from __future__ import annotations

from functools import lru_cache

import chess

from corr.words.board import SQUARES, PieceKind, Side, squares_of
from corr.words.codes import Common, SquareContents
from corr.words.slips import Fact

#: The squares of each window, as a bitboard, and in order: file by file, and up each file.
_SENSED_MASKS = [chess.BB_KING_ATTACKS[square] | 1 << square for square in range(64)]
_ORDER = [sorted(squares_of(window), key=SQUARES.__getitem__) for window in _SENSED_MASKS]


def _piece_names(side: Side) -> dict[str, str]:
    """Return this side's names for pieces by FEN letters, in the order of telling, an empty square last."""
    whose = ((side.other, f"{side.other.called}'s"), (side, "your own"))
    men = ((color, f"{name} {man}", man.letter) for color, name in whose for man in reversed(PieceKind))
    return {letter if color is Side.WHITE else letter.lower(): name for color, name, letter in men} | {
        ".": "nothing"
    }


_PIECE_NAMES = {side: _piece_names(side) for side in Side}


_NOTHING_FACT = Fact(Common.SENSED, "You sensed nothing", (("squares", SquareContents(())),))


def sensed_mask(square: int | None) -> int:
    """Return the squares that a sense shows, as a bitboard; none if there was no sense."""
    return 0 if square is None else _SENSED_MASKS[square]


def sense_fact(board: chess.Board, side: Side, square: int | None) -> Fact:
    """Tell this side what is really around a square."""
    if square is None:
        return _NOTHING_FACT
    around = _SENSED_MASKS[square]
    if not board.occupied & around:
        return _EMPTY[square]
    return _look(
        side,
        square,
        board.occupied_co[True] & around,
        board.pawns & around,
        board.knights & around,
        board.bishops & around,
        board.rooks & around,
        board.queens & around,
        board.kings & around,
    )


@lru_cache(maxsize=4096)
def _look(side: Side, square: int, white: int, *men: int) -> Fact:
    letters = dict.fromkeys(_ORDER[square], ".")
    for letter, kind in zip("PNBRQK", men, strict=True):
        for each in chess.scan_reversed(kind):
            letters[each] = letter if white >> each & 1 else letter.lower()
    contents = tuple([(SQUARES[each], letter) for each, letter in letters.items()])
    said = f"Around {SQUARES[square]} you see {_describe_contents(side, contents)}"
    return Fact(Common.SENSED, said, (("squares", SquareContents(contents)),))


def has_content(board: chess.Board, square: int, what: str, side: Side) -> bool:
    """Whether a square is empty, or has an opposing piece of the kind asked for."""
    if what == "empty" or not board.occupied_co[side is Side.BLACK] >> square & 1:
        return what == "empty" and not board.occupied >> square & 1
    kind = board.piece_type_at(square)
    return what == "enemy" or (kind is not None and what == chess.piece_symbol(kind))


def _describe_contents(side: Side, contents: tuple[tuple[str, str], ...]) -> str:
    squares: dict[str, list[str]] = {}
    for name, letter in contents:
        squares.setdefault(letter, []).append(name)
    called = _PIECE_NAMES[side]
    return "; ".join(
        [_describe_squares(called[letter], squares[letter]) for letter in called if letter in squares]
    )


def _describe_squares(what: str, names: list[str]) -> str:
    *first, last = names
    if not first:
        return f"{what} on {last}"
    return f"{what}{'' if what == 'nothing' else 's'} on {', '.join(first)} and {last}"


_EMPTY = [_look(Side.WHITE, square, 0, *[0] * 6) for square in range(64)]
