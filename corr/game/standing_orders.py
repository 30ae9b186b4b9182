"""Decides which orders for the next turn are tried, and when (`corr/limits.py`), by what a player was told. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from corr import limits
from corr.orders import parse_order
from corr.words.codes import Common
from corr.words.orders import Castle, Condition, Drop, Move, StandingOrders, Tries
from corr.words.slips import Fact, Slip
from corr.words.view import ConditionTopic

_CONDITION = re.compile(r"(no )?(capture|check|tries)(?: (\w+)|([=<>])(\d+))?")
_KINDS = {"long": "long-diagonal", "short": "short-diagonal"}

NO_NEXT_TURN = (
    "In this variant you can't send moves in advance, because a move that doesn't succeed ends your turn."
)
NOT_ANNOUNCED = "One of your conditions asks for something that this umpire never tells you about a move."
NOT_IN_OWN_TURN = 'An "if" is for your next turn. Please write it while the other side is to move.'


@dataclass(frozen=True, slots=True)
class StandingOrdersText:
    """Orders a side has given for its next turn, as written, and the email they came in."""

    text: str
    inbox_id: int
    delay: str = ""  # how long they wait once the opponent has moved, "2-8h"
    due_at: datetime | None = None  # when they are tried, once the opponent has moved

    @property
    def orders(self) -> StandingOrders | None:
        """The parsed orders; None if an older grammar wrote them and they no longer parse."""
        return to_standing_orders(parse_order(self.text))

    def due_time(self, deadline: datetime | None) -> datetime | None:
        """Return when they are tried, in time for a deadline that may have changed since that was chosen."""
        if self.due_at is None or deadline is None:
            return self.due_at
        return min(self.due_at, deadline - limits.STANDING_ORDERS_LEAD)


def to_standing_orders(order: object) -> StandingOrders | None:
    """Return next-turn orders as they are, and moves as unconditional ones; None for anything else."""
    # A move without a condition is tried in any case.
    match order:
        case StandingOrders():
            return order
        case Tries():
            return StandingOrders((), order)
        case Move() | Castle() | Drop():
            return StandingOrders((), Tries((order,)))
        case _:
            return None


def choose_branch(orders: StandingOrders, slip: Slip) -> Tries | None:
    """Return the moves of the first branch whose conditions the opponent's move meets; None if none."""
    for branch in orders.branches:
        if all(_is_met(condition, slip) for condition in branch.conditions):
            return branch.tries
    return orders.otherwise


def is_announced(orders: StandingOrders, told: Collection[ConditionTopic]) -> bool:
    """Whether an umpire that announces these topics announces all that the conditions need."""
    return all(
        _topics_of(condition) <= {*told} for branch in orders.branches for condition in branch.conditions
    )


def choose_moment(delay: str, now: datetime, deadline: datetime | None, lot: float) -> datetime:
    """Choose when delayed orders are tried, at random by `lot` (0 to 1) and well before time runs out."""
    hours = delay.removesuffix("h").split("-")
    first, last = sorted(timedelta(hours=int(each)) for each in (hours[0], hours[-1]))
    latest = max(now, deadline - limits.STANDING_ORDERS_LEAD) if deadline else now + last
    begin, end = min(now + first, latest), min(now + last, latest)
    return begin + (end - begin) * lot


def _topics_of(condition: Condition) -> set[ConditionTopic]:
    """Return what an umpire must announce so that a condition can be decided."""
    _, what, closer, _, _ = _parts(condition)
    asked = {ConditionTopic(what)}
    if what == "capture" and closer:
        asked.add(ConditionTopic.CAPTURE_SQUARE)
    elif closer == "knight":
        asked.add(ConditionTopic.KNIGHT_CHECK)
    return asked


def _is_met(condition: Condition, slip: Slip) -> bool:
    """Whether a condition holds, by the slip of the opponent's move."""
    no, what, closer, sign, number = _parts(condition)
    if what == "tries":
        count = next((fact["count"] for fact in slip.facts if fact.code == Common.TRIES), None)
        if not isinstance(count, int):
            return False
        return {">": count > int(number), "<": count < int(number)}.get(sign, count == int(number))
    code = Common.CAPTURE if what == "capture" else Common.CHECK
    is_so = any(fact.code == code and _is_closer(fact, closer) for fact in slip.facts)
    return is_so is not bool(no)


def _is_closer(fact: Fact, closer: str) -> bool:
    """Whether a capture or check is on the square or of the kind asked for, if any."""
    if not closer:
        return True
    if fact.code == Common.CAPTURE:
        return fact["square"] == closer
    kinds = fact["kinds"]
    return isinstance(kinds, tuple) and _KINDS.get(closer, closer) in kinds


def _parts(condition: Condition) -> tuple[str, str, str, str, str]:
    """Split a condition into "no", topic, square or kind, comparison sign, and number."""
    found = _CONDITION.fullmatch(condition.text)
    assert found
    no, what, closer, sign, number = (part or "" for part in found.groups())
    return no, what, closer, sign, number
