"""Gives games back the time the server was down."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.game.calendar import Span
from corr.game.state import State
from corr.service.games.game_rows import Chair
from corr.service.games.notice_times import heard
from corr.store.rows import rows_of
from corr.store.tables import Outage
from corr.words.board import Pair


class _Kept(NamedTuple):
    id: int
    began_at: datetime
    ended_at: datetime


_AFTER = (
    select(Outage.id, Outage.began_at, Outage.ended_at)
    .where(Outage.id > bindparam("credited"))
    .order_by(Outage.id)
)


def credited(connection: Connection, state: State, chairs: Pair[Chair], now: datetime) -> State:
    """Return the state with the time of all uncredited outages given back.

    The clock of a player who heard of the turn before an outage ended had begun already, so it is settled
    first.
    """
    heard_at = heard(connection, state, chairs, now)
    for kept in rows_of(_Kept, connection.execute(_AFTER, {"credited": state.credited})):
        outage = Span(kept.began_at, kept.ended_at)
        before = {side: min(at, outage.start) for side, at in heard_at.items() if at <= outage.end}
        state = state.settle(before).credit(kept.id, outage)
    return state
