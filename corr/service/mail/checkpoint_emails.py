"""Emails the server's daily checkpoint to players who want it, each checkpoint once."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.exc import OperationalError

from corr.service.house import House
from corr.service.players import mailboxes
from corr.store.rows import one_or_none_of
from corr.store.tables import Checkpoint, Player

log = logging.getLogger(__name__)

_BATCH = 200


class _Next(NamedTuple):
    id: int
    day: str
    note: str
    key: str


_NEWEST = select(func.max(Checkpoint.id)).scalar_subquery()
_DUE = select(Player.id).where(Player.checkpoint < _NEWEST).order_by(Player.checkpoint).limit(_BATCH)
_HAD = (
    select(Player.checkpoint)
    .where(Player.id == bindparam("player"), Player.checkpoint.is_not(None))
    .with_for_update()
)
_NEXT = (
    select(Checkpoint.id, Checkpoint.day, Checkpoint.note, Checkpoint.key)
    .where(Checkpoint.id > bindparam("had"))
    .order_by(Checkpoint.id)
    .limit(1)
)
_HAS = update(Player).where(Player.id == bindparam("player")).values(checkpoint=bindparam("number"))


def write_some(house: House, now: datetime) -> int:
    """Write to players who have not had the newest checkpoint; return how many emails."""
    with house.store.asking() as connection:
        due = connection.execute(_DUE).scalars().all()
    return sum(_write_one(house, player_id, now) for player_id in due)


def _write_one(house: House, player_id: int, now: datetime) -> bool:
    """Write one email; a failure must not hold up the others."""
    try:
        with house.store.writing() as connection:
            return _write(connection, house, player_id, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not write a checkpoint email to a player", extra={"player": player_id})
        return False


def _write(connection: Connection, house: House, player_id: int, now: datetime) -> bool:
    """Write the first checkpoint that a player has not had; a second worker finds none."""
    had = connection.execute(_HAD, {"player": player_id}).scalar_one_or_none()
    found = one_or_none_of(_Next, connection.execute(_NEXT, {"had": had})) if had is not None else None
    if found is None:
        return False
    connection.execute(_HAS, {"player": player_id, "number": found.id})
    mailboxes.write(
        connection,
        mailboxes.of_player(connection, player_id),
        "checkpoint",
        now,
        day=found.day,
        note=found.note.splitlines(),
        key=found.key,
        page=f"{house.web_url}/checkpoint/{found.day}",
    )
    return True
