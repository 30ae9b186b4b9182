"""Checks which orders of an email conflict, and which may stand beside its one act."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from corr import limits
from corr.orders.board import A_COMMA
from corr.orders.unclear_lines import ELSE_LAST, TWO_TURNS, Puzzle
from corr.words.orders import (
    Ask,
    Castle,
    Deploy,
    Drop,
    Move,
    Order,
    Pass,
    PawnTry,
    Sense,
    StandingOrders,
    Tries,
    Word,
)

_ACTS = (Move, Castle, PawnTry, Drop, Pass, Tries, Ask, Deploy, Sense)

_TWO_ACTS = f"Your email has two moves; a turn has room for one. {A_COMMA}"
_PRELUDE = 'You can write "any?" or "sense" before the move: one of them, once, and never after it.'
_TOO_MANY = "You wrote more than five set-ups. Please write at most five, your favourite first."
_WORDS_AT_ODDS = (("accept", "decline"), ("accept", "resign"), ("draw?", "resign"))
_AT_ODDS = "This line doesn't go together with the lines above it. Please write only one of them."


@dataclass(frozen=True, slots=True)
class Given:
    """An order and the line it was given on."""

    order: Order
    raw: str


def once(given: Iterable[Given]) -> list[Given]:
    """Keep each order once, however often it was written."""
    kept: dict[str, Given] = {}
    for each in given:
        kept.setdefault(str(each.order), each)
    return list(kept.values())


def clash(given: list[Given]) -> Puzzle | None:
    """Return the first order that conflicts with an earlier one, and why."""
    acts = [each for each in given if isinstance(each.order, _ACTS)]
    return _two_acts(acts) or _ifs_at_odds(given) or _words_at_odds(given)


def joined(given: list[Given]) -> tuple[Order, ...]:
    """Return the orders of an email without conflicts, with all for the next turn joined into one."""
    standing = [each.order for each in given if isinstance(each.order, StandingOrders)]
    orders = [each.order for each in given if not isinstance(each.order, StandingOrders)]
    if not standing:
        return tuple(orders)
    branches = tuple(branch for each in standing for branch in each.branches)
    return (*orders, StandingOrders(branches, standing[-1].otherwise))


def _two_acts(acts: list[Given]) -> Puzzle | None:
    mains = [number for number, each in enumerate(acts) if not _is_prelude(each.order)]
    set_ups = [number for number in mains if isinstance(acts[number].order, Deploy)]
    if len(set_ups) > limits.SET_UPS:
        return Puzzle(acts[set_ups[limits.SET_UPS]].raw, _TOO_MANY)
    if len(mains) > 1 and len(set_ups) < len(mains):
        return Puzzle(acts[mains[1]].raw, _TWO_ACTS)
    return _misplaced_prelude(acts)


def _misplaced_prelude(acts: list[Given]) -> Puzzle | None:
    for before, each in pairwise(acts):
        if _is_prelude(each.order) or type(each.order) is type(before.order) is not Deploy:
            return Puzzle(each.raw, _PRELUDE)
    return None


def _is_prelude(order: Order) -> bool:
    return order == Ask() or (isinstance(order, Sense) and not order.glimpses and order.otherwise is None)


def _ifs_at_odds(given: list[Given]) -> Puzzle | None:
    standing = [each for each in given if isinstance(each.order, StandingOrders)]
    early = [
        each for each in standing[:-1] if isinstance(each.order, StandingOrders) and each.order.otherwise
    ]
    if early:
        return Puzzle(early[0].raw, ELSE_LAST)
    if standing and any(isinstance(each.order, Sense) and each.order.glimpses for each in given):
        return Puzzle(standing[0].raw, TWO_TURNS)
    return None


def _words_at_odds(given: list[Given]) -> Puzzle | None:
    said = {each.order.word: each for each in given if isinstance(each.order, Word)}
    if "resign" in said and any(isinstance(each.order, (*_ACTS, StandingOrders)) for each in given):
        return Puzzle(said["resign"].raw, _AT_ODDS)
    at_odds = (second for first, second in _WORDS_AT_ODDS if first in said and second in said)
    return next((Puzzle(said[word].raw, _AT_ODDS) for word in at_odds), None)
