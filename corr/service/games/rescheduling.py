"""Recomputes game deadlines after players changed their time settings or the server was down."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import OperationalError

from corr.service.games import clock_start, outages
from corr.service.games.game_session import open_session
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import GameRow, PlayerRow, SeatRow
from corr.words.view import Stage

log = logging.getLogger(__name__)

_BATCH, _CREDIT_BATCH = 50, 1_000


class _ChangedRow(NamedTuple):
    id: int
    hours_set_at: datetime | None


_CHANGED_QUERY = (
    select(PlayerRow.id, PlayerRow.hours_set_at)
    .where(PlayerRow.hours_set_at.is_not(None))
    .order_by(PlayerRow.hours_set_at)
    .limit(_BATCH)
)
HAS_WORK = _CHANGED_QUERY.exists()
_GAMES = (
    select(GameRow.id)
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .where(SeatRow.player_id == bindparam("player"), GameRow.state.in_((Stage.DEPLOYING, Stage.RUNNING)))
    .order_by(GameRow.id)
)
_NEWEST_OUTAGE_QUERY = select(outages.NEWEST_OUTAGE)
_UNCREDITED_QUERY = (
    select(GameRow.id)
    .where(GameRow.deadline.is_not(None), GameRow.credited < bindparam("newest"))
    .order_by(GameRow.credited)
    .limit(_CREDIT_BATCH)
)
_DONE_UPDATE = (
    update(PlayerRow)
    .where(PlayerRow.id == bindparam("player"), PlayerRow.hours_set_at == bindparam("seen"))
    .values(hours_set_at=None)
)


def reschedule_some(server: Server, now: datetime) -> int:
    """Apply some players' changed time settings to their games; return the number of games."""
    with server.store.asking() as connection:
        changed = rows_of(_ChangedRow, connection.execute(_CHANGED_QUERY))
    return sum(_reschedule_player(server, each, now) for each in changed)


def credit_some(server: Server, now: datetime) -> int:
    """Give some games back the time of the newest outages; return the number of games."""
    with server.store.asking() as connection:
        newest = connection.execute(_NEWEST_OUTAGE_QUERY).scalar_one()
        games = connection.execute(_UNCREDITED_QUERY, {"newest": newest}).scalars().all() if newest else ()
    for game_id in games:
        _reschedule_game(server, game_id, now)
    return len(games)


def _reschedule_player(server: Server, changed: _ChangedRow, now: datetime) -> int:
    """Apply a player's changed time settings to their games; return the number of games."""
    with server.store.asking() as connection:
        games = connection.execute(_GAMES, {"player": changed.id}).scalars().all()
    for game_id in games:
        _reschedule_game(server, game_id, now)
    with server.store.writing() as connection:
        connection.execute(_DONE_UPDATE, {"player": changed.id, "seen": changed.hours_set_at})
    return len(games)


def _reschedule_game(server: Server, game_id: int, now: datetime) -> None:
    """Recompute one game's deadline; only log a failure, so that other games go on."""
    try:
        with server.store.writing() as connection:
            reschedule(connection, game_id, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not apply new hours to a game; will try again", extra={"game": game_id})


def reschedule(connection: Connection, game_id: int, now: datetime) -> None:
    """Recompute a game's deadline by its players' current time settings."""
    session = open_session(connection, game_id, now)
    clock_start.start_clock(session)
    session.state = session.state.change_calendar(now)
    session.close()
