"""Finds when each side heard of its turn, by a delivered email or by opening its page."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Select, bindparam, func, or_, select

from corr.game.state import State
from corr.service.games.game_rows import SeatState
from corr.store.tables import OutboxRow
from corr.words.board import Pair, Side
from corr.words.view import Stage

_IS_ABOUT_TURN = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.number >= bindparam("telling"))
#: Kinds of later emails that, unlike an answer, no secret act of their reader causes.
_SHARED_KINDS = ("turn", "delay", "decree", "restored")
IS_SHARED_KIND = OutboxRow.kind.in_(_SHARED_KINDS)
_FIRST_SENT_QUERY = select(func.min(OutboxRow.sent_at)).where(_IS_ABOUT_TURN)
_FIRST_SHARED_QUERY = _FIRST_SENT_QUERY.where(or_(IS_SHARED_KIND, OutboxRow.number == bindparam("telling")))


def find_notice_times(
    connection: Connection, state: State, seat_states: Pair[SeatState], now: datetime
) -> dict[Side, datetime]:
    """Return when each awaited side heard of its turn, if it did."""
    waiting = [side for side in state.awaited if state.time.waits[side].letter]
    return {
        side: moment
        for side in waiting
        if (moment := _find_notice_time(connection, state, side, seat_states[side], now))
    }


def find_delivery_time(connection: Connection, state: State, side: Side, chair: SeatState) -> datetime | None:
    """Return when the turn's first email that the opponent may know of went out."""
    return _load_time(connection, _FIRST_SHARED_QUERY, turn_email_parameters(state, side, chair))


def turn_email_parameters(state: State, side: Side, chair: SeatState) -> dict[str, int | None]:
    """Return a seat and the number of its email about this turn."""
    return {"seat": chair.id, "telling": state.time.waits[side].letter}


def _find_notice_time(
    connection: Connection, state: State, side: Side, chair: SeatState, now: datetime
) -> datetime | None:
    """Return when a side heard; if its email is late, page visits and answers count."""
    # They do not count during deployment: both sides share that time, so it would reveal the visit to the
    # opponent.
    told = [find_delivery_time(connection, state, side, chair)]
    if state.time.waits[side].delayed_from and state.stage is not Stage.DEPLOYING:
        told += [
            chair.opened_at,
            _load_time(connection, _FIRST_SENT_QUERY, turn_email_parameters(state, side, chair)),
        ]
    known = [moment for moment in told if moment]
    return min(*known, state.time.clock_moment(now)) if known else None


def _load_time(
    connection: Connection, letters: Select[datetime | None], seat: dict[str, int | None]
) -> datetime | None:
    moment: datetime | None = connection.execute(letters, seat).scalar_one()
    return moment
