"""Gives games back the time the server was down."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.game.calendar import Span
from corr.game.state import State
from corr.service.games.game_rows import SeatState
from corr.service.games.notice_times import find_notice_times
from corr.store.rows import rows_of
from corr.store.tables import OutageRow
from corr.words.board import Pair


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
    """Return the state with the time of all uncredited outages given back."""
    # The clock of a player who heard of the turn before an outage ended had begun already, so it is settled
    # first.
    heard_at = find_notice_times(connection, state, seat_states, now)
    for kept in rows_of(_OutageRow, connection.execute(_LATER_OUTAGES_QUERY, {"credited": state.credited})):
        outage = Span(kept.began_at, kept.ended_at)
        before = {side: min(at, outage.start) for side, at in heard_at.items() if at <= outage.end}
        state = state.settle(before).credit(kept.id, outage)
    return state
