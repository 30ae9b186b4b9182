"""Handles reserves: the pieces that a side may drop, as sorted FEN letters, White's in capitals."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from corr.rules.core.umpire import WHITE
from corr.words.board import Pair, PieceKind, Side
from corr.words.codes import Common
from corr.words.slips import Fact

_LETTERS = " PNBRQK"
_ORDER = "QRBNPqrbnp"
_COUNTS = ("", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def has_piece(reserve: str, man: int) -> bool:
    return _LETTERS[man] in reserve.upper()


def add_piece(reserves: Pair[str], side: Side, man: int) -> Pair[str]:
    return reserves.with_value(side, sort_pieces(reserves[side] + _letter(side, man)))


def remove_piece(reserves: Pair[str], side: Side, man: int) -> Pair[str]:
    return reserves.with_value(side, reserves[side].replace(_letter(side, man), "", 1))


def _letter(side: Side, man: int) -> str:
    return _LETTERS[man] if side is WHITE else _LETTERS[man].lower()


@lru_cache(maxsize=8192)
def sort_pieces(letters: str) -> str:
    """Sort pieces, queens first and pawns last."""
    return "".join(sorted(letters, key=_ORDER.index))


@lru_cache(maxsize=8192)
def reserves_fact(reserves: Pair[str]) -> Fact:
    white, black = _describe_reserve(reserves.white), _describe_reserve(reserves.black)
    text = f"White's reserve: {white}. Black's reserve: {black}."
    return Fact(Common.RESERVES, text, (("white", reserves.white), ("black", reserves.black)))


def _describe_reserve(reserve: str) -> str:
    """Return a reserve in words, `two queens, a rook and a pawn`."""
    *most, last = [_describe_count(letter, count) for letter, count in Counter(reserve).items()] or [
        "nothing"
    ]
    return f"{', '.join(most)} and {last}" if most else last


def _describe_count(letter: str, count: int) -> str:
    number = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{number} {PieceKind.from_letter(letter)}{'s' * (count > 1)}"
