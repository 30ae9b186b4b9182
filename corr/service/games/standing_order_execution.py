"""Plays turns by standing orders, one side answering the other until one side has none."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import select

from corr.game.standing_orders import StandingOrdersText, choose_branch
from corr.service.games import pending_emails, rulings, standing_orders
from corr.service.games.game_session import GameSession
from corr.service.games.new_slips import load_since
from corr.service.games.seals import OrderTimes
from corr.store.leases import NOW
from corr.store.tables import GameRow, SeatRow
from corr.words.board import Side
from corr.words.orders import Origin, Tries
from corr.words.slips import Slip
from corr.words.view import Stage


def play_on(session: GameSession) -> None:
    """Try the mover's standing orders, or schedule them, turn after turn until there are none."""
    while (side := session.state.turn) and (orders := _find_new_orders(session, side)):
        told = session.hear(side)
        assert told
        _play(session, side, orders, told)


def play_due(session: GameSession) -> bool:
    """Try standing orders that are due, unless their owner's email is unread; return success."""
    side = session.state.turn
    kept = session.seat_states[side].standing if side and not session.state.paused else None
    if side is None or kept is None or kept.due_at is None or kept.due_at > session.now:
        return False
    if pending_emails.has_any_in_time(session):
        return False
    orders = kept.orders
    if orders is None:
        _drop_unreadable(session, side, kept)
        return True
    handed = load_since(session.connection, session.seat_states[side].id, side, session.state.ply)
    tries = choose_branch(orders, next(each.slip for each in handed if each.slip.made))
    assert tries
    _try(session, side, kept, tries, "")
    play_on(session)
    return True


def _find_new_orders(session: GameSession, side: Side) -> StandingOrdersText | None:
    """Return a side's orders for the turn that has just become its own."""
    kept = session.seat_states[side].standing
    is_new = kept and kept.due_at is None and session.state.stage is Stage.RUNNING
    return kept if is_new else None


def _play(session: GameSession, side: Side, kept: StandingOrdersText, told: Slip) -> None:
    orders = kept.orders
    if orders is None:
        _drop_unreadable(session, side, kept)
        return
    tries = choose_branch(orders, told)
    if tries is None:
        session.seat_states[side].standing = None
        session.write(side, "turn", unmet=kept.text)
    elif kept.delay or pending_emails.has_any(session, side):
        standing_orders.schedule(session, side)
    else:
        _try(session, side, kept, tries, told.spoken)


def _drop_unreadable(session: GameSession, side: Side, kept: StandingOrdersText) -> None:
    """Drop orders from an older release that this one cannot read, and tell their owner."""
    session.seat_states[side].standing = None
    session.write(side, "turn", unread=kept.text)


def _try(session: GameSession, side: Side, kept: StandingOrdersText, tries: Tries, heard: str) -> None:
    """Try standing orders and email their owner the result."""
    # If they had waited, their owner knew of the turn already, so the email goes to the owner about the
    # result alone.
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
    .where(_IS_DUE, _MAY_PLAY, ~pending_emails.HAS_TIMELY_EMAIL)
    .order_by(SeatRow.standing_due)
)
