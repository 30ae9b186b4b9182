"""Sets which game emails a player gets (each turn, daily or none), and whether checkpoints come."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update

from corr.service.players import time_zones
from corr.store.rows import one_of
from corr.store.tables import CheckpointRow, PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused

EACH, DAILY, OFF = "each", "daily", "off"
_DAY = timedelta(days=1)
_HOURS_A_DAY = 24


class _PreferencesRow(NamedTuple):
    zone: str
    mailing: str
    digest_hour: int


_PREFERENCES_QUERY = (
    select(PlayerRow.zone, PlayerRow.mailing, PlayerRow.digest_hour)
    .where(PlayerRow.id == bindparam("player"))
    .with_for_update()
)


#: A player gets no checkpoints that were made before they asked for them.
_NEWEST = select(func.max(CheckpointRow.id)).scalar_subquery()


def choose(connection: Connection, player_id: int, chosen: str, now: datetime) -> str:
    """Apply a player's choice, such as `daily 18`; return the answer, or raise Refused."""
    kept = _lock_preferences(connection, player_id)
    mailing, _, written = chosen.partition(" ")
    hour = int(written) if written else kept.digest_hour
    if hour >= _HOURS_A_DAY:
        raise Refused(sentence("mailing.no_hour"))
    if mailing != DAILY:
        _update_player(connection, player_id, mailing=mailing, digest_at=None)
        return sentence("mailing.each") if mailing == EACH else sentence("mailing.off")
    _update_player(
        connection,
        player_id,
        mailing=DAILY,
        digest_hour=hour,
        digest_at=next_digest(kept.zone, hour, now),
        digested_at=now,
    )
    return sentence("mailing.daily", hour=hour, zone=time_zones.place(kept.zone))


def send_checkpoints(connection: Connection, player_id: int, *, wanted: bool) -> None:
    """Start or stop emailing the daily checkpoint to a player."""
    since = func.coalesce(PlayerRow.checkpoint, _NEWEST, 0) if wanted else None
    _update_player(connection, player_id, checkpoint=since)


def stop(connection: Connection, player_id: int) -> bool:
    """Stop game emails to a player; return whether they got any before."""
    if _lock_preferences(connection, player_id).mailing == OFF:
        return False
    _update_player(connection, player_id, mailing=OFF, digest_at=None)
    return True


def move_digest(connection: Connection, player_id: int, now: datetime) -> None:
    """Move a player's next digest to the same hour in their new zone."""
    kept = _lock_preferences(connection, player_id)
    if kept.mailing == DAILY:
        _update_player(connection, player_id, digest_at=next_digest(kept.zone, kept.digest_hour, now))


def next_digest(zone: str, hour: int, now: datetime) -> datetime:
    """Return when clocks of a zone next show an hour."""
    there = time_zones.load_zone(zone)
    day = now.astimezone(there).date()
    moments = (
        datetime.combine(each, time(hour), there).astimezone(now.tzinfo)
        for each in (day, day + _DAY, day + 2 * _DAY)
    )
    return next(moment for moment in moments if moment > now)


def _lock_preferences(connection: Connection, player_id: int) -> _PreferencesRow:
    return one_of(_PreferencesRow, connection.execute(_PREFERENCES_QUERY, {"player": player_id}))


def _update_player(connection: Connection, player_id: int, **values: object) -> None:
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(**values))
