"""Publishes a signed checkpoint a day of an append-only log of games' seals (hashes) and admins' decisions."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, Select, bindparam, insert, or_, select, update
from sqlalchemy.exc import OperationalError

from corr import limits
from corr.record import checkpoint
from corr.record.checkpoint import HASH, Act, Key, Tree
from corr.service.server import Server
from corr.store import server_secrets
from corr.store.locks import take_lock
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CheckpointRow, DecisionRow, GameRow, Moment
from corr.words.view import Stage

log = logging.getLogger(__name__)

#: The name of the signing key, and of the lock under which checkpoints are made one after another.
_NAME = "checkpoints"
_A_DAY = timedelta(days=1)


class _SealRow(NamedTuple):
    code: str
    seal: bytes


class _DecreeRow(NamedTuple):
    id: int
    code: str
    deed: str
    detail: str
    reason: str
    result: str
    made_at: datetime
    done_at: datetime

    @property
    def told(self) -> Act:
        """Return the admin's decision in the form that the log publishes."""
        made_at, done_at = self.made_at.isoformat(), self.done_at.isoformat()
        return Act(self.code, self.deed, self.detail, self.reason, self.result, made_at, done_at)


_EXISTING_QUERY = select(CheckpointRow.id).where(CheckpointRow.day == bindparam("day"))
_LAST_QUERY = (
    select(CheckpointRow.note, CheckpointRow.size, CheckpointRow.edge, CheckpointRow.made_at)
    .order_by(CheckpointRow.id.desc())
    .limit(1)
)
_SEALS_QUERY = select(GameRow.code, NotNullable(GameRow.seal)).where(
    or_(
        GameRow.state.in_((Stage.DEPLOYING, Stage.RUNNING)),
        GameRow.ended_at >= bindparam("since", type_=Moment),
    ),
    GameRow.leaves > 0,
)
_DECREES_QUERY = (
    select(
        DecisionRow.id,
        GameRow.code,
        DecisionRow.deed,
        DecisionRow.detail,
        DecisionRow.reason,
        NotNullable(DecisionRow.result),
        DecisionRow.made_at,
        NotNullable(DecisionRow.done_at),
    )
    .join_from(DecisionRow, GameRow, GameRow.id == DecisionRow.game_id)
    .where(DecisionRow.done_at.is_not(None), DecisionRow.logged.is_(None))
    .order_by(DecisionRow.id)
)
_LOGGED_UPDATE = update(DecisionRow).where(DecisionRow.id == bindparam("act")).values(logged=bindparam("day"))
_CHECKPOINT_INSERT = insert(CheckpointRow)


def sign_checkpoint(server: Server, now: datetime) -> bool:
    """Sign the day's checkpoint of the public log; False if that was done before or failed."""
    # Other faults than the database's are only logged, so that the worker's other tasks go on.
    day = now.astimezone(UTC).date().isoformat()
    with server.store.asking() as connection:
        if connection.execute(_EXISTING_QUERY, {"day": day}).scalar_one_or_none() is not None:
            return False
    try:
        with server.store.writing() as connection:
            return _insert_checkpoint(connection, server, day, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not make a day's checkpoint; will try again", extra={"day": day})
        return False


def _insert_checkpoint(connection: Connection, server: Server, day: str, now: datetime) -> bool:
    """Append the day's entries to the log and store its checkpoint; False if it exists already."""
    from corr.service.games.signing_key import public_of, sign

    take_lock(connection, _NAME)
    if connection.execute(_EXISTING_QUERY, {"day": day}).scalar_one_or_none() is not None:
        return False
    last = one_or_none_of(_LastRow, connection.execute(_LAST_QUERY))
    secret = server_secrets.load_secret(connection, _NAME)
    origin = last.origin if last and last.edge is not None else f"{server.domain}/corr/{now:%Y-%m-%dT%H%M%SZ}"
    leaves = _log_new_entries(connection, day, min(last.made_at, now - _A_DAY) if last else now - _A_DAY)
    tree = (last.tree if last else Tree()).append_leaves(leaves)
    said, key = checkpoint.text(origin, tree), Key(origin, public_of(secret))
    note = checkpoint.note(said, key, sign(secret, said))
    kept = {"day": day, "made_at": now, "note": note, "key": str(key), "leaves": b"".join(leaves)}
    connection.execute(_CHECKPOINT_INSERT, kept | {"size": tree.size, "edge": tree.packed})
    return True


class _LastRow(NamedTuple):
    """The newest checkpoint and its log's hash tree; `edge` is None if that log is closed."""

    note: str
    size: int | None
    edge: bytes | None
    made_at: datetime

    @property
    def origin(self) -> str:
        """Return the log's name, which is the first line of the note."""
        return self.note.partition("\n")[0]

    @property
    def tree(self) -> Tree:
        """Return the log's hash tree, to append to; empty if the log is closed."""
        return (
            Tree() if self.size is None or self.edge is None else checkpoint.unpack_tree(self.size, self.edge)
        )


def close_log(connection: Connection) -> None:
    """End the log after the site was restored from a backup; the next checkpoint begins another."""
    # What the site signed after that backup is unknown, so appending more could contradict it.
    connection.execute(update(CheckpointRow).where(CheckpointRow.edge.is_not(None)).values(edge=None))


def _log_new_entries(connection: Connection, day: str, since: datetime) -> list[bytes]:
    """Return the hashes of the day's log entries, and mark the decisions among them as logged."""
    games = rows_of(_SealRow, connection.execute(_SEALS_QUERY, {"since": since}))
    acts = rows_of(_DecreeRow, connection.execute(_DECREES_QUERY))
    if acts:
        connection.execute(_LOGGED_UPDATE, [{"act": act.id, "day": day} for act in acts])
    return [checkpoint.leaf(entry) for entry in checkpoint.entries(games, [act.told for act in acts])]


class _CheckpointRow(NamedTuple):
    id: int
    day: str
    note: str
    key: str
    size: int | None


@dataclass(frozen=True, slots=True)
class PublicCheckpoint:
    """A checkpoint for anyone to read: its day, note, verification key and the days before it."""

    day: str
    note: str
    key: str
    is_of_log: bool  # the first checkpoints each had a tree of their own
    earlier: Sequence[str]


_CHECKPOINT_QUERY = select(
    CheckpointRow.id, CheckpointRow.day, CheckpointRow.note, CheckpointRow.key, CheckpointRow.size
)
_NEWEST = _CHECKPOINT_QUERY.order_by(CheckpointRow.id.desc()).limit(1)
_DAY_QUERY = _CHECKPOINT_QUERY.where(CheckpointRow.day == bindparam("day"))
_EARLIER_DAYS_QUERY = (
    select(CheckpointRow.day)
    .where(CheckpointRow.id < bindparam("number"))
    .order_by(CheckpointRow.id.desc())
    .limit(limits.CHECKPOINTS_LISTED)
)
_LEAVES = select(CheckpointRow.leaves).where(CheckpointRow.day == bindparam("day"))


def load_newest(server: Server) -> PublicCheckpoint | None:
    return _load_checkpoint(server, _NEWEST, {})


def load_day(server: Server, day: str) -> PublicCheckpoint | None:
    return _load_checkpoint(server, _DAY_QUERY, {"day": day})


def _load_checkpoint(
    server: Server, asked: Select[int, str, str, str, int | None], which: dict[str, str]
) -> PublicCheckpoint | None:
    """Run a query for a checkpoint, and add the days before it; None without one."""
    with server.store.reading() as connection:
        kept = one_or_none_of(_CheckpointRow, connection.execute(asked, which))
        if kept is None:
            return None
        earlier = connection.execute(_EARLIER_DAYS_QUERY, {"number": kept.id}).scalars().all()
    return PublicCheckpoint(kept.day, kept.note, kept.key, kept.size is not None, earlier)


def load_leaves(server: Server, day: str) -> list[bytes] | None:
    """Return the hashes of log entries that a day's checkpoint added; None without a checkpoint."""
    with server.store.asking() as connection:
        packed = connection.execute(_LEAVES, {"day": day}).scalar_one_or_none()
    if packed is None:
        return None
    return [packed[at : at + HASH] for at in range(0, len(packed), HASH)]
