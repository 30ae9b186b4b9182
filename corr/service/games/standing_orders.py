"""Keeps orders for a player's next turn, delays them, or takes them back."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace

from corr import limits
from corr.game.obstacles import OrderBatch
from corr.game.standing_orders import StandingOrdersText, choose_moment, is_announced
from corr.service import catalogue
from corr.service.games.game_session import GameSession
from corr.words.board import Side
from corr.words.orders import Command, Drop, Order, StandingOrders, Step
from corr.words.view import Stage

_RANDOM = secrets.SystemRandom()


def is_supported(session: GameSession) -> bool:
    """Whether this game takes orders for the next turn."""
    return session.state.lesson is None and bool(catalogue.card(session.variant).told)


def obstacle(session: GameSession, written: OrderBatch, order: Order) -> str | None:
    """Return why a next-turn order cannot act, as a note; None for other orders."""
    kept = session.seat_states[written.side].standing
    match order:
        case StandingOrders():
            return _find_refusal(session, written.side, order)
        case Command(word="cancel") if kept is None:
            return "nothing_to_cancel"
        case Command(word="delay") if kept is None and not any(
            isinstance(each, StandingOrders) for each in written.orders
        ):
            return "nothing_to_delay"
        case _:
            return None


def _find_refusal(session: GameSession, side: Side, orders: StandingOrders) -> str | None:
    if not is_supported(session):
        return "no_next_turn" if session.state.lesson is None else "no_next_lesson"
    sight = session.seen(side)
    if sight and sight.reserves is None and any(isinstance(step, Drop) for step in _steps(orders)):
        return "no_drops"
    if not is_announced(orders, catalogue.card(session.variant).told):
        return "not_told"
    return "too_long" if len(str(orders)) > limits.STANDING_CHARACTERS else None


def _steps(orders: StandingOrders) -> Iterator[Step]:
    """Yield every step that these orders may try."""
    lists = (*(branch.tries for branch in orders.branches), orders.otherwise)
    return (step for tries in lists if tries for step in tries.steps)


def keep(session: GameSession, written: OrderBatch, orders: StandingOrders) -> str:
    """Keep orders for the next turn in place of earlier ones; return a note."""
    if session.state.stage is not Stage.RUNNING:
        return "over"
    session.seat_states[written.side].standing = StandingOrdersText(str(orders), written.inbox_id)
    return "kept"


def delay(session: GameSession, side: Side, hours: str) -> str:
    """Let kept orders wait some hours after the opponent's move; return a note."""
    chair = session.seat_states[side]
    if chair.standing is None:
        return "nothing_to_delay"
    chair.standing = replace(chair.standing, delay=hours)
    if chair.standing.due_at:
        schedule(session, side)
    return "delayed"


def schedule(session: GameSession, side: Side) -> None:
    """Draw the random moment when kept orders are tried; without a delay, now."""
    # In a paused game they wait like its clock, and go on with it.
    chair, time = session.seat_states[side], session.state.time
    assert chair.standing
    lot, since = _RANDOM.random(), time.clock_moment(session.now)
    chair.standing = replace(
        chair.standing, due_at=choose_moment(chair.standing.delay or "0h", since, time.deadline, lot)
    )


def go_on(session: GameSession) -> None:
    """Resume delayed orders with the wait that they had left at the pause."""
    stopped = session.state.time.paused_at
    assert stopped
    for side in Side:
        chair = session.seat_states[side]
        if chair.standing and chair.standing.due_at:
            due_at = chair.standing.due_at + (session.now - stopped)
            chair.standing = replace(chair.standing, due_at=due_at)
