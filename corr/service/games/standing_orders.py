"""Keeps orders for a player's next turn, delays them, or takes them back."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace

from corr import limits
from corr.game.standing_orders import Standing, is_told, moment
from corr.game.state import Written
from corr.service import catalogue
from corr.service.games.game_session import Sitting
from corr.words.board import Side
from corr.words.orders import Drop, Order, StandingOrders, Step, Word
from corr.words.view import Stage

_LOT = secrets.SystemRandom()


def has_any(sitting: Sitting) -> bool:
    """Whether this game takes orders for the next turn."""
    return sitting.state.lesson is None and bool(catalogue.card(sitting.variant).told)


def obstacle(sitting: Sitting, written: Written, order: Order) -> str | None:
    """Return why a next-turn order cannot act, as a note; None for other orders."""
    kept = sitting.chairs[written.side].standing
    match order:
        case StandingOrders():
            return _not_for_the_next_turn(sitting, written.side, order)
        case Word(word="cancel") if kept is None:
            return "nothing_to_cancel"
        case Word(word="delay") if kept is None and not any(
            isinstance(each, StandingOrders) for each in written.orders
        ):
            return "nothing_to_delay"
        case _:
            return None


def _not_for_the_next_turn(sitting: Sitting, side: Side, orders: StandingOrders) -> str | None:
    if not has_any(sitting):
        return "no_next_turn" if sitting.state.lesson is None else "no_next_lesson"
    sight = sitting.seen(side)
    if sight and sight.reserves is None and any(isinstance(step, Drop) for step in _steps(orders)):
        return "no_drops"
    if not is_told(orders, catalogue.card(sitting.variant).told):
        return "not_told"
    return "too_long" if len(str(orders)) > limits.STANDING_CHARACTERS else None


def _steps(orders: StandingOrders) -> Iterator[Step]:
    """Yield every step that these orders may try."""
    lists = (*(branch.tries for branch in orders.branches), orders.otherwise)
    return (step for tries in lists if tries for step in tries.steps)


def keep(sitting: Sitting, written: Written, orders: StandingOrders) -> str:
    """Keep orders for the next turn in place of earlier ones; return a note."""
    if sitting.state.stage is not Stage.RUNNING:
        return "over"
    sitting.chairs[written.side].standing = Standing(str(orders), written.inbox_id)
    return "kept"


def delay(sitting: Sitting, side: Side, hours: str) -> str:
    """Let kept orders wait some hours after the opponent's move; return a note."""
    chair = sitting.chairs[side]
    if chair.standing is None:
        return "nothing_to_delay"
    chair.standing = replace(chair.standing, delay=hours)
    if chair.standing.due_at:
        put_off(sitting, side)
    return "delayed"


def put_off(sitting: Sitting, side: Side) -> None:
    """Draw the random moment when kept orders are tried; without a delay, now.

    In a paused game they wait like its clock, and go on with it.
    """
    chair, time = sitting.chairs[side], sitting.state.time
    assert chair.standing
    lot, since = _LOT.random(), time.stands_at(sitting.now)
    chair.standing = replace(
        chair.standing, due_at=moment(chair.standing.delay or "0h", since, time.deadline, lot)
    )


def go_on(sitting: Sitting) -> None:
    """Resume delayed orders with the wait that they had left at the pause."""
    stopped = sitting.state.time.paused_at
    assert stopped
    for side in Side:
        chair = sitting.chairs[side]
        if chair.standing and chair.standing.due_at:
            due_at = chair.standing.due_at + (sitting.now - stopped)
            chair.standing = replace(chair.standing, due_at=due_at)


def cancel(sitting: Sitting, side: Side) -> str:
    """Drop a side's orders for its next turn; return a note."""
    sitting.chairs[side].standing = None
    return "cancelled"
