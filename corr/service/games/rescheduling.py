"""Recomputes game deadlines after players changed their time settings or the server was down."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import OperationalError

from corr.service.games import deadlines, outages
from corr.service.games.game_session import sit_down
from corr.service.house import House
from corr.store.rows import rows_of
from corr.store.tables import Game, Player, SeatRow
from corr.words.view import Stage

log = logging.getLogger(__name__)

_BATCH, _CREDITED_AT_ONCE = 50, 1_000


class _Changed(NamedTuple):
    id: int
    hours_set_at: datetime | None


_CHANGED = (
    select(Player.id, Player.hours_set_at)
    .where(Player.hours_set_at.is_not(None))
    .order_by(Player.hours_set_at)
    .limit(_BATCH)
)
WAITS = _CHANGED.exists()
_GAMES = (
    select(Game.id)
    .join(SeatRow, SeatRow.game_id == Game.id)
    .where(SeatRow.player_id == bindparam("player"), Game.state.in_((Stage.DEPLOYING, Stage.RUNNING)))
    .order_by(Game.id)
)
_NEWEST = select(outages.NEWEST)
_NOT_CREDITED = (
    select(Game.id)
    .where(Game.deadline.is_not(None), Game.credited < bindparam("newest"))
    .order_by(Game.credited)
    .limit(_CREDITED_AT_ONCE)
)
_DONE = (
    update(Player)
    .where(Player.id == bindparam("player"), Player.hours_set_at == bindparam("seen"))
    .values(hours_set_at=None)
)


def put_some_over(house: House, now: datetime) -> int:
    """Apply players' new time settings to their games; return how many games."""
    with house.store.asking() as connection:
        changed = rows_of(_Changed, connection.execute(_CHANGED))
    return sum(_put_over_all(house, each, now) for each in changed)


def credit_some(house: House, now: datetime) -> int:
    """Postpone the deadlines of games after an outage; return how many games."""
    with house.store.asking() as connection:
        newest = connection.execute(_NEWEST).scalar_one()
        games = connection.execute(_NOT_CREDITED, {"newest": newest}).scalars().all() if newest else ()
    for game_id in games:
        _put_over(house, game_id, now)
    return len(games)


def _put_over_all(house: House, changed: _Changed, now: datetime) -> int:
    """Apply one player's settings; a later round applies a change made meanwhile."""
    with house.store.asking() as connection:
        games = connection.execute(_GAMES, {"player": changed.id}).scalars().all()
    for game_id in games:
        _put_over(house, game_id, now)
    with house.store.writing() as connection:
        connection.execute(_DONE, {"player": changed.id, "seen": changed.hours_set_at})
    return len(games)


def _put_over(house: House, game_id: int, now: datetime) -> None:
    """Apply time settings to a game, without letting a failure hold up the others."""
    try:
        with house.store.writing() as connection:
            put_over(connection, game_id, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not apply new hours to a game; will try again", extra={"game": game_id})


def put_over(connection: Connection, game_id: int, now: datetime) -> None:
    """Apply its players' time settings to one game."""
    sitting = sit_down(connection, game_id, now)
    deadlines.settle(sitting)
    sitting.state = sitting.state.put_over(now)
    sitting.close()
