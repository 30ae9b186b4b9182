"""Finds when players heard of a turn by email or page; gives back time lost in outages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, Select, bindparam, func, or_, select, update

from corr.game.state import State
from corr.game.time_off import Span
from corr.service.games.game_rows import SeatState
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import Moment, OutageRow, OutboxRow, SeatRow
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
    """Return when each side to move heard of its turn; a side that hasn't is left out."""
    waiting = [side for side in state.awaited if state.time.waits[side].letter]
    return {
        side: moment
        for side in waiting
        if (moment := _find_notice_time(connection, state, side, seat_states[side], now))
    }


def find_delivery_time(connection: Connection, state: State, side: Side, seat: SeatState) -> datetime | None:
    """Return when the turn's first email went out, if any; private answers don't count."""
    return _load_time(connection, _FIRST_SHARED_QUERY, turn_email_parameters(state, side, seat))


def turn_email_parameters(state: State, side: Side, seat: SeatState) -> dict[str, int | None]:
    """Return query parameters: a seat's id, and the number of its email about this turn."""
    return {"seat": seat.id, "telling": state.time.waits[side].letter}


def _find_notice_time(
    connection: Connection, state: State, side: Side, seat: SeatState, now: datetime
) -> datetime | None:
    """Return when a side heard of its turn, if so; after a late email, page visits count."""
    # Visits don't count during deployment: both sides share that time, so the opponent would learn of them.
    told = [find_delivery_time(connection, state, side, seat)]
    if state.time.waits[side].delayed_from and state.stage is not Stage.DEPLOYING:
        told += [
            seat.opened_at,
            _load_time(connection, _FIRST_SENT_QUERY, turn_email_parameters(state, side, seat)),
        ]
    known = [moment for moment in told if moment]
    return min(*known, state.time.clock_moment(now)) if known else None


def _load_time(
    connection: Connection, letters: Select[datetime | None], seat: dict[str, int | None]
) -> datetime | None:
    moment: datetime | None = connection.execute(letters, seat).scalar_one()
    return moment


@dataclass(frozen=True, slots=True)
class PageVisit:
    seat: int
    telling: int
    now: datetime


def make_visit(seat: int, telling: int | None, opened: int | None, now: datetime) -> PageVisit | None:
    """Return a page visit that may start the clock; None if no clock waits for it."""
    return None if telling is None or opened == telling else PageVisit(seat, telling, now)


_SENT_QUERY = select(OutboxRow.id).where(
    OutboxRow.seat_id == bindparam("seat"),
    OutboxRow.number >= bindparam("letter"),
    OutboxRow.sent_at.is_not(None),
)
_IS_FIRST_VISIT = SeatRow.opened.is_distinct_from(bindparam("letter"))
_OPENED_UPDATE = update(SeatRow).where(
    SeatRow.id == bindparam("seat"), SeatRow.telling == bindparam("letter"), _IS_FIRST_VISIT
)
_OPENED_UPDATE = _OPENED_UPDATE.values(opened=bindparam("letter"), opened_at=bindparam("now", type_=Moment))


def record_visit(server: Server, page: PageVisit) -> None:
    """Record a player's first page visit in a turn, unless the turn's email had gone out."""
    asked = {"seat": page.seat, "letter": page.telling}
    with server.store.asking() as connection:
        if connection.execute(_SENT_QUERY.limit(1), asked).scalar_one_or_none():
            return
    with server.store.writing() as connection:
        connection.execute(_OPENED_UPDATE, {**asked, "now": page.now})


class _OutageRow(NamedTuple):
    id: int
    began_at: datetime
    ended_at: datetime


_LATER_OUTAGES_QUERY = (
    select(OutageRow.id, OutageRow.began_at, OutageRow.ended_at)
    .where(OutageRow.id > bindparam("credited"))
    .order_by(OutageRow.id)
)


def credit_outages(
    connection: Connection, state: State, seat_states: Pair[SeatState], now: datetime
) -> State:
    """Return the state with the time given back that server outages cost the game."""
    # If a player heard of the turn before an outage ended, the clock had begun already, so start it first.
    heard_at = find_notice_times(connection, state, seat_states, now)
    for kept in rows_of(_OutageRow, connection.execute(_LATER_OUTAGES_QUERY, {"credited": state.credited})):
        outage = Span(kept.began_at, kept.ended_at)
        before = {side: min(at, outage.start) for side, at in heard_at.items() if at <= outage.end}
        state = state.settle(before).credit(kept.id, outage)
    return state
