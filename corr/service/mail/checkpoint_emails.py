"""Emails the server's daily checkpoint to players who want it, each checkpoint once."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.exc import OperationalError

from corr.service.players import mailboxes
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import CheckpointRow, PlayerRow

log = logging.getLogger(__name__)

_BATCH = 200


class _NextRow(NamedTuple):
    id: int
    day: str
    note: str
    key: str


_NEWEST = select(func.max(CheckpointRow.id)).scalar_subquery()
_DUE = select(PlayerRow.id).where(PlayerRow.checkpoint < _NEWEST).order_by(PlayerRow.checkpoint).limit(_BATCH)
_LAST_SENT_QUERY = (
    select(PlayerRow.checkpoint)
    .where(PlayerRow.id == bindparam("player"), PlayerRow.checkpoint.is_not(None))
    .with_for_update()
)
_NEXT_QUERY = (
    select(CheckpointRow.id, CheckpointRow.day, CheckpointRow.note, CheckpointRow.key)
    .where(CheckpointRow.id > bindparam("had"))
    .order_by(CheckpointRow.id)
    .limit(1)
)
_SENT_UPDATE = (
    update(PlayerRow).where(PlayerRow.id == bindparam("player")).values(checkpoint=bindparam("number"))
)


def write_some(server: Server, now: datetime) -> int:
    """Write to players who have not had the newest checkpoint; return how many emails."""
    with server.store.asking() as connection:
        due = connection.execute(_DUE).scalars().all()
    return sum(_write_one(server, player_id, now) for player_id in due)


def _write_one(server: Server, player_id: int, now: datetime) -> bool:
    """Write one email; a failure must not hold up the others."""
    try:
        with server.store.writing() as connection:
            return _write(connection, server, player_id, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not write a checkpoint email to a player", extra={"player": player_id})
        return False


def _write(connection: Connection, server: Server, player_id: int, now: datetime) -> bool:
    """Write the first checkpoint that a player has not had; a second worker finds none."""
    had = connection.execute(_LAST_SENT_QUERY, {"player": player_id}).scalar_one_or_none()
    found = (
        one_or_none_of(_NextRow, connection.execute(_NEXT_QUERY, {"had": had})) if had is not None else None
    )
    if found is None:
        return False
    connection.execute(_SENT_UPDATE, {"player": player_id, "number": found.id})
    mailboxes.write(
        connection,
        mailboxes.load_main_mailbox(connection, player_id),
        "checkpoint",
        now,
        day=found.day,
        note=found.note.splitlines(),
        key=found.key,
        page=f"{server.web_url}/checkpoint/{found.day}",
    )
    return True
