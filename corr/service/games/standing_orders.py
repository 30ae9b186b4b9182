"""Orders for the next turn: they are kept, told to wait for a while, or taken back."""

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
    """Whether anything can be ordered for the next turn in this game."""
    return sitting.state.lesson is None and bool(catalogue.card(sitting.variant).told)


def obstacle(sitting: Sitting, written: Written, order: Order) -> str | None:
    """Why an order about the next turn cannot act in this game, as a note; None for every other order."""
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
    """All that may be tried by them."""
    lists = (*(branch.tries for branch in orders.branches), orders.otherwise)
    return (step for tries in lists if tries for step in tries.steps)


def keep(sitting: Sitting, written: Written, orders: StandingOrders) -> str:
    """Keep orders for the next turn in place of those before, if there will be one; what became of it, as a note."""
    if sitting.state.stage is not Stage.RUNNING:
        return "over"
    sitting.chairs[written.side].standing = Standing(str(orders), written.inbox_id)
    return "kept"


def delay(sitting: Sitting, side: Side, hours: str) -> str:
    """Let the orders that are kept wait so long once the other side has moved; what became of it, as a note."""
    chair = sitting.chairs[side]
    if chair.standing is None:
        return "nothing_to_delay"
    chair.standing = replace(chair.standing, delay=hours)
    if chair.standing.due_at:
        put_off(sitting, side)
    return "delayed"


def put_off(sitting: Sitting, side: Side) -> None:
    """The other side has moved: by lot it is chosen when the orders that are kept are tried; without a delay, now.

    In a game that stands still they wait as its time does, and go on with it.
    """
    chair, time = sitting.chairs[side], sitting.state.time
    assert chair.standing
    lot, since = _LOT.random(), time.stands_at(sitting.now)
    chair.standing = replace(
        chair.standing, due_at=moment(chair.standing.delay or "0h", since, time.deadline, lot)
    )


def go_on(sitting: Sitting) -> None:
    """The time runs again, and what waits for its hour has as long to wait as when it was stopped."""
    stopped = sitting.state.time.paused_at
    assert stopped
    for side in Side:
        chair = sitting.chairs[side]
        if chair.standing and chair.standing.due_at:
            due_at = chair.standing.due_at + (sitting.now - stopped)
            chair.standing = replace(chair.standing, due_at=due_at)


def cancel(sitting: Sitting, side: Side) -> str:
    """Take back what is kept for the next turn; what became of it, as a note."""
    sitting.chairs[side].standing = None
    return "cancelled"
