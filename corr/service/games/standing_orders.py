"""Keeps orders for a player's next turn, up to the length in `corr/limits.py`, and tries them when the turn comes."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import asdict, replace

from sqlalchemy import select

from corr import limits
from corr.game.order_obstacles import OrderBatch
from corr.game.standing_orders import StandingOrdersText, choose_branch, choose_moment, is_announced
from corr.service import catalogue
from corr.service.games import rulings, unread_emails
from corr.service.games.game_session import GameSession
from corr.service.games.seals import OrderTimes
from corr.service.games.slip_queries import load_since
from corr.store.locks import NOW
from corr.store.tables import GameRow, SeatRow
from corr.words.board import Side
from corr.words.orders import Command, Drop, Order, Origin, StandingOrders, Step, Tries
from corr.words.slips import Slip
from corr.words.view import Stage

_RANDOM = secrets.SystemRandom()


def is_supported(session: GameSession) -> bool:
    """Whether this game takes orders for the next turn."""
    return session.state.lesson is None and bool(catalogue.card(session.variant).told)


def find_obstacle(session: GameSession, batch: OrderBatch, order: Order) -> str | None:
    """Return why an order about the next turn can't act, as a template's key; None if it can."""
    kept = session.seat_states[batch.side].standing
    match order:
        case StandingOrders():
            return _find_refusal(session, batch.side, order)
        case Command(word="cancel") if kept is None:
            return "nothing_to_cancel"
        case Command(word="delay") if kept is None and not any(
            isinstance(each, StandingOrders) for each in batch.orders
        ):
            return "nothing_to_delay"
        case _:
            return None


def _find_refusal(session: GameSession, side: Side, orders: StandingOrders) -> str | None:
    """Return why the game can't keep these next-turn orders, as a template's key; else None."""
    if not is_supported(session):
        return "no_next_turn" if session.state.lesson is None else "no_next_lesson"
    sight = session.find_sight(side)
    if sight and sight.reserves is None and any(isinstance(step, Drop) for step in _steps(orders)):
        return "no_drops"
    if not is_announced(orders, catalogue.card(session.variant).told):
        return "not_told"
    return "too_long" if len(str(orders)) > limits.STANDING_CHARACTERS else None


def _steps(orders: StandingOrders) -> Iterator[Step]:
    """Yield every move that these orders may try."""
    lists = (*(branch.tries for branch in orders.branches), orders.otherwise)
    return (step for tries in lists if tries for step in tries.steps)


def keep(session: GameSession, batch: OrderBatch, orders: StandingOrders) -> str:
    """Store orders for the next turn in place of earlier ones; return "kept" or "over"."""
    if session.state.stage is not Stage.RUNNING:
        return "over"
    session.seat_states[batch.side].standing = StandingOrdersText(str(orders), batch.inbox_id)
    return "kept"


def delay(session: GameSession, side: Side, hours: str) -> str:
    """Let next-turn orders wait some hours after the opponent's move; return a template's key."""
    seat = session.seat_states[side]
    if seat.standing is None:
        return "nothing_to_delay"
    seat.standing = replace(seat.standing, delay=hours)
    if seat.standing.due_at:
        schedule(session, side)
    return "delayed"


def schedule(session: GameSession, side: Side) -> None:
    """Choose at random, within the player's delay, when the orders for this turn are tried."""
    # In a paused game they wait like its clock, and go on with it.
    seat, time = session.seat_states[side], session.state.time
    assert seat.standing
    lot, since = _RANDOM.random(), time.clock_moment(session.now)
    seat.standing = replace(
        seat.standing, due_at=choose_moment(seat.standing.delay or "0h", since, time.deadline, lot)
    )


def resume_delayed(session: GameSession) -> None:
    """After a pause, postpone delayed orders by the pause's length."""
    stopped = session.state.time.paused_at
    assert stopped
    for side in Side:
        seat = session.seat_states[side]
        if seat.standing and seat.standing.due_at:
            due_at = seat.standing.due_at + (session.now - stopped)
            seat.standing = replace(seat.standing, due_at=due_at)


def play_given_orders(session: GameSession) -> None:
    """After a move, try or schedule what the next side ordered in advance, turn after turn."""
    while (side := session.state.turn) and (orders := _find_new_orders(session, side)):
        told = session.take_news(side)
        assert told
        _play_or_schedule(session, side, orders, told)


def play_due(session: GameSession) -> bool:
    """Try delayed orders that are due, unless their owner's email is unread; False if none."""
    side = session.state.turn
    kept = session.seat_states[side].standing if side and not session.state.paused else None
    if side is None or kept is None or kept.due_at is None or kept.due_at > session.now:
        return False
    if unread_emails.has_any_in_time(session):
        return False
    orders = kept.orders
    if orders is None:
        _drop_unreadable(session, side, kept)
        return True
    slips = load_since(session.connection, session.seat_states[side].id, side, session.state.ply)
    tries = choose_branch(orders, next(each.slip for each in slips if each.slip.made))
    assert tries
    _put_and_report(session, side, kept, tries, "")
    play_given_orders(session)
    return True


def _find_new_orders(session: GameSession, side: Side) -> StandingOrdersText | None:
    """Return the orders that a side gave in advance for its turn, unless they are scheduled."""
    kept = session.seat_states[side].standing
    is_new = kept and kept.due_at is None and session.state.stage is Stage.RUNNING
    return kept if is_new else None


def _play_or_schedule(session: GameSession, side: Side, kept: StandingOrdersText, slip: Slip) -> None:
    """Try or schedule orders given in advance, or drop them if none of their conditions holds."""
    orders = kept.orders
    if orders is None:
        _drop_unreadable(session, side, kept)
        return
    tries = choose_branch(orders, slip)
    if tries is None:
        session.seat_states[side].standing = None
        session.write(side, "turn", unmet=kept.text)
    elif kept.delay or unread_emails.has_any(session, side):
        schedule(session, side)
    else:
        _put_and_report(session, side, kept, tries, slip.spoken)


def _drop_unreadable(session: GameSession, side: Side, kept: StandingOrdersText) -> None:
    """Drop orders from an older release that this one cannot read, and tell their owner."""
    session.seat_states[side].standing = None
    session.write(side, "turn", unread=kept.text)


def _put_and_report(
    session: GameSession, side: Side, kept: StandingOrdersText, tries: Tries, heard: str
) -> None:
    """Try orders given in advance, and email their owner the result."""
    # If they had waited, their owner knew of the turn already, so the email tells the result alone.
    session.seat_states[side].standing = None
    came = OrderTimes(kept.due_at or session.now, session.now)
    item = rulings.put_to_umpire(
        session, rulings.OrderSource(side, kept.inbox_id, came, Origin.STANDING), tries
    )
    kind = "tried" if kept.due_at else "turn"
    session.write(side, kind, played=kept.text, heard=heard, items=[asdict(item)])


_IS_DUE = SeatRow.standing_due <= NOW
_MAY_PLAY = (SeatRow.side == GameRow.turn) & GameRow.paused_at.is_(None)
#: Games with standing orders that have waited long enough.
DUE_QUERY = (
    select(SeatRow.game_id)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(_IS_DUE, _MAY_PLAY, ~unread_emails.HAS_TIMELY_EMAIL)
    .order_by(SeatRow.standing_due)
)
