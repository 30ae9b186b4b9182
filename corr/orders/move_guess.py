"""Guesses which move a text means, in any notation, from the side's own pieces only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corr.orders.line import parse_line
from corr.orders.normalization import lower
from corr.orders.other_notations import NotatedMove, parse_notation
from corr.orders.own_moves import OwnMoves
from corr.orders.unclear_lines import find_castling
from corr.words.board import PieceKind
from corr.words.orders import Order, Step, Tries

_DROP = re.compile(r"([kqrbnp]?) ?[@*] ?([a-h][1-8])")
_SPOKEN_DROP = re.compile(
    rf"(?:drop|put|place)(?: (?:an?|my|the))? ({'|'.join(PieceKind)}|[qrbnp]) (?:(?:on|at|to|onto) )?([a-h][1-8])\b"
)


def guess_moves(text: str, own: OwnMoves) -> list[str]:
    """Return the moves that one text may mean, in any notation."""
    low, written = lower(text), parse_line(text).orders
    if written:
        return [str(each) for each in written if steps_of(each) == (each,) and own.allows(each)]
    if castles := find_castling(low):
        return [str(each) for each in castles if own.allows(each)]
    if drop := _DROP.match(low):
        return _drops(drop[1], drop[2], own)
    if drops := guess_drops(low, own):
        return drops
    return next(filter(None, ([*_fitting(each, own)] for each in parse_notation(text))), [])


def steps_of(act: Order) -> tuple[Order, ...]:
    return act.steps if isinstance(act, Tries) else (act,) if isinstance(act, Step) else ()


def guess_drops(low: str, own: OwnMoves) -> list[str]:
    """Return the drops that a lower-case line describes in words."""
    found = _SPOKEN_DROP.search(low)
    return _drops(found[1], found[2], own) if found else []


def _drops(man: str, square: str, own: OwnMoves) -> list[str]:
    letter = PieceKind(man).letter if len(man) > 1 else man.upper()
    return [move for move in own.moves if "@" in move and move.endswith(f"{letter}@{square}")]


def _fitting(said: NotatedMove, own: OwnMoves) -> Iterator[str]:
    men = own.men
    return (move for move in own.moves if move[:2] in men and said.is_of(men[move[:2]], move))
