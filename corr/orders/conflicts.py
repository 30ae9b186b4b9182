"""Finds orders of one email that conflict, and joins those that make up one turn, such as "any?" and a move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from typing import TypeAlias

from corr import limits
from corr.orders.board_orders import LIST_HINT
from corr.orders.unclear_lines import ELSE_LAST_HINT, TWO_TURNS_HINT, UnclearLine
from corr.words.orders import (
    Act,
    Ask,
    Command,
    Deploy,
    Order,
    Sense,
    SetupChoices,
    StandingOrders,
    Step,
    Tries,
)

BoardOrder: TypeAlias = Act | SetupChoices | Sense


def join_acts(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Join orders of one email that make up a single turn, such as a sense and a move."""
    return _join_setups(_join_prelude(orders))


def _join_prelude(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Join `any?` or `sense` with the email's move, which is then tried after any answer."""
    for prelude, act in permutations(orders, 2):
        whole = _join_with_act(prelude, act)
        if whole is not None:
            return tuple(whole if order is prelude else order for order in orders if order is not act)
    return orders


def _join_with_act(prelude: Order, act: Order) -> Order | None:
    """Join a question or a sense with a move; None if they do not belong together."""
    if isinstance(prelude, Sense) and isinstance(act, Act):
        return replace(prelude, otherwise=act)
    if prelude == Ask() and isinstance(act, Step | Tries):
        tries = act if isinstance(act, Tries) else Tries((act,))
        return Ask(tries, tries)
    return None


def _join_setups(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Join set-ups on several lines into one order, in which they are tried in turn."""
    deploys = tuple(order for order in orders if isinstance(order, Deploy))
    if len(deploys) < 2:
        return orders
    first = orders.index(deploys[0])
    rest = tuple(order for order in orders if order not in deploys)
    return (*rest[:first], SetupChoices(deploys), *rest[first:])


_TWO_ACTS = f"Your email has two moves; a turn has room for one. {LIST_HINT}"
_PRELUDE = 'You can write "any?" or "sense" only once, and before your move.'
_TOO_MANY_HINT = "You wrote more than five set-ups. Please write at most five, best first."
_WORDS_AT_ODDS = (("accept", "decline"), ("accept", "resign"), ("draw?", "resign"))
_CONFLICT_HINT = "This line can't be combined with the lines above it. Please write only one of them."


@dataclass(frozen=True, slots=True)
class GivenOrder:
    order: Order
    raw: str


def remove_repeats(given: Iterable[GivenOrder]) -> list[GivenOrder]:
    """Keep only the first of orders that say the same."""
    kept: dict[str, GivenOrder] = {}
    for each in given:
        kept.setdefault(str(each.order), each)
    return list(kept.values())


def find_conflict(given: list[GivenOrder]) -> UnclearLine | None:
    """Return the first order that conflicts with an earlier one, and why; else None."""
    acts = [each for each in given if isinstance(each.order, Act | Sense)]
    return _two_acts(acts) or _ifs_at_odds(given) or _words_at_odds(given)


def join_orders(given: list[GivenOrder]) -> tuple[Order, ...]:
    """Return the orders of an email without conflicts, with all for the next turn joined into one."""
    standing = [each.order for each in given if isinstance(each.order, StandingOrders)]
    orders = [each.order for each in given if not isinstance(each.order, StandingOrders)]
    if not standing:
        return tuple(orders)
    branches = tuple(branch for each in standing for branch in each.branches)
    return (*orders, StandingOrders(branches, standing[-1].otherwise))


def _two_acts(acts: list[GivenOrder]) -> UnclearLine | None:
    """Return the first order too many for one turn, or a misplaced question or sense; else None."""
    mains = [number for number, each in enumerate(acts) if not _is_prelude(each.order)]
    set_ups = [number for number in mains if isinstance(acts[number].order, Deploy)]
    if len(set_ups) > limits.SET_UPS:
        return UnclearLine(acts[set_ups[limits.SET_UPS]].raw, _TOO_MANY_HINT)
    if len(mains) > 1 and len(set_ups) < len(mains):
        return UnclearLine(acts[mains[1]].raw, _TWO_ACTS)
    return _find_misplaced_prelude(acts)


def _find_misplaced_prelude(acts: list[GivenOrder]) -> UnclearLine | None:
    """Return the first question or sense that comes after a move or a similar order; else None."""
    for before, each in pairwise(acts):
        if _is_prelude(each.order) or type(each.order) is type(before.order) is not Deploy:
            return UnclearLine(each.raw, _PRELUDE)
    return None


def _is_prelude(order: Order) -> bool:
    """Whether an order is a bare `any?` or `sense`, which a move may follow."""
    return order == Ask() or (isinstance(order, Sense) and not order.branches and order.otherwise is None)


def _ifs_at_odds(given: list[GivenOrder]) -> UnclearLine | None:
    """Return an early `else`, or an `if` for another turn than the rest; else None."""
    standing = [each for each in given if isinstance(each.order, StandingOrders)]
    early = [
        each for each in standing[:-1] if isinstance(each.order, StandingOrders) and each.order.otherwise
    ]
    if early:
        return UnclearLine(early[0].raw, ELSE_LAST_HINT)
    if standing and any(isinstance(each.order, Sense) and each.order.branches for each in given):
        return UnclearLine(standing[0].raw, TWO_TURNS_HINT)
    return None


def _words_at_odds(given: list[GivenOrder]) -> UnclearLine | None:
    """Return a command that contradicts another order, as `decline` does `accept`; else None."""
    said = {each.order.word: each for each in given if isinstance(each.order, Command)}
    if "resign" in said and any(isinstance(each.order, Act | Sense | StandingOrders) for each in given):
        return UnclearLine(said["resign"].raw, _CONFLICT_HINT)
    at_odds = (second for first, second in _WORDS_AT_ODDS if first in said and second in said)
    return next((UnclearLine(said[word].raw, _CONFLICT_HINT) for word in at_odds), None)
