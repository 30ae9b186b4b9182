"""Appends game seals and admin acts to a log once a day, and signs its checkpoint.

All checkpoints of a log are consistent, because its tree only grows. A site restored from a copy begins
another log.
"""

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
from corr.service.house import House
from corr.service.players import mailboxes
from corr.store.locks import take_turns
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import Checkpoint, Decree, Game, Moment
from corr.words.view import Stage

log = logging.getLogger(__name__)

#: The name of the signing key, and of the lock under which checkpoints are made one after another.
_NAME = "checkpoints"
_A_DAY = timedelta(days=1)


class _Sealed(NamedTuple):
    code: str
    seal: bytes


class _Act(NamedTuple):
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
        made_at, done_at = self.made_at.isoformat(), self.done_at.isoformat()
        return Act(self.code, self.deed, self.detail, self.reason, self.result, made_at, done_at)


_MADE = select(Checkpoint.id).where(Checkpoint.day == bindparam("day"))
_LAST = (
    select(Checkpoint.note, Checkpoint.size, Checkpoint.edge, Checkpoint.made_at)
    .order_by(Checkpoint.id.desc())
    .limit(1)
)
_SEALED = select(Game.code, NotNullable(Game.seal)).where(
    or_(Game.state.in_((Stage.DEPLOYING, Stage.RUNNING)), Game.ended_at >= bindparam("since", type_=Moment)),
    Game.leaves > 0,
)
_ACTS = (
    select(
        Decree.id,
        Game.code,
        Decree.deed,
        Decree.detail,
        Decree.reason,
        NotNullable(Decree.result),
        Decree.made_at,
        NotNullable(Decree.done_at),
    )
    .join_from(Decree, Game, Game.id == Decree.game_id)
    .where(Decree.done_at.is_not(None), Decree.logged.is_(None))
    .order_by(Decree.id)
)
_LOG = update(Decree).where(Decree.id == bindparam("act")).values(logged=bindparam("day"))
_KEEP = insert(Checkpoint)


def make(house: House, now: datetime) -> bool:
    """Make the day's checkpoint once; return whether this call made it.

    It only logs a failure that is no database fault, so that other work goes on.
    """
    day = now.astimezone(UTC).date().isoformat()
    with house.store.asking() as connection:
        if connection.execute(_MADE, {"day": day}).scalar_one_or_none() is not None:
            return False
    try:
        with house.store.writing() as connection:
            return _make(connection, house, day, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not make a day's checkpoint; will try again", extra={"day": day})
        return False


def _make(connection: Connection, house: House, day: str, now: datetime) -> bool:
    from corr.signing_key import public_of, sign

    take_turns(connection, _NAME)
    if connection.execute(_MADE, {"day": day}).scalar_one_or_none() is not None:
        return False
    last = one_or_none_of(_Last, connection.execute(_LAST))
    secret = mailboxes.secret(connection, _NAME)
    origin = last.origin if last and last.edge is not None else f"{house.domain}/corr/{now:%Y-%m-%dT%H%M%SZ}"
    leaves = _leaves(connection, day, min(last.made_at, now - _A_DAY) if last else now - _A_DAY)
    tree = (last.tree if last else Tree()).appended(leaves)
    said, key = checkpoint.text(origin, tree), Key(origin, public_of(secret))
    note = checkpoint.note(said, key, sign(secret, said))
    kept = {"day": day, "made_at": now, "note": note, "key": str(key), "leaves": b"".join(leaves)}
    connection.execute(_KEEP, kept | {"size": tree.size, "edge": tree.packed})
    return True


class _Last(NamedTuple):
    """The newest checkpoint and the end of its log; a closed log has no edge."""

    note: str
    size: int | None
    edge: bytes | None
    made_at: datetime

    @property
    def origin(self) -> str:
        return self.note.partition("\n")[0]

    @property
    def tree(self) -> Tree:
        return Tree() if self.size is None or self.edge is None else checkpoint.unpacked(self.size, self.edge)


def close_log(connection: Connection) -> None:
    """Close the log after the site was restored from a copy.

    What the site signed after that copy was taken is unknown, so appending more could contradict it.
    """
    connection.execute(update(Checkpoint).where(Checkpoint.edge.is_not(None)).values(edge=None))


def _leaves(connection: Connection, day: str, since: datetime) -> list[bytes]:
    """Collect a day's leaves: games running or ended since a moment, and unlogged acts."""
    games = rows_of(_Sealed, connection.execute(_SEALED, {"since": since}))
    acts = rows_of(_Act, connection.execute(_ACTS))
    if acts:
        connection.execute(_LOG, [{"act": act.id, "day": day} for act in acts])
    return [checkpoint.leaf(entry) for entry in checkpoint.entries(games, [act.told for act in acts])]


# ---------------------------------------------------------------- reading checkpoints


class _Kept(NamedTuple):
    id: int
    day: str
    note: str
    key: str
    size: int | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A public checkpoint: its day, note, verification key and the days before it."""

    day: str
    note: str
    key: str
    is_of_log: bool  # the first checkpoints each had a tree of their own
    earlier: Sequence[str]


_KEPT = select(Checkpoint.id, Checkpoint.day, Checkpoint.note, Checkpoint.key, Checkpoint.size)
_NEWEST = _KEPT.order_by(Checkpoint.id.desc()).limit(1)
_OF_DAY = _KEPT.where(Checkpoint.day == bindparam("day"))
_EARLIER = (
    select(Checkpoint.day)
    .where(Checkpoint.id < bindparam("number"))
    .order_by(Checkpoint.id.desc())
    .limit(limits.CHECKPOINTS_LISTED)
)
_LEAVES = select(Checkpoint.leaves).where(Checkpoint.day == bindparam("day"))


def newest(house: House) -> Shown | None:
    """Return the newest checkpoint, if any."""
    return _shown(house, _NEWEST, {})


def of_day(house: House, day: str) -> Shown | None:
    """Return the checkpoint of a day, if any."""
    return _shown(house, _OF_DAY, {"day": day})


def _shown(
    house: House, asked: Select[int, str, str, str, int | None], which: dict[str, str]
) -> Shown | None:
    with house.store.reading() as connection:
        kept = one_or_none_of(_Kept, connection.execute(asked, which))
        if kept is None:
            return None
        earlier = connection.execute(_EARLIER, {"number": kept.id}).scalars().all()
    return Shown(kept.day, kept.note, kept.key, kept.size is not None, earlier)


def leaves_of_day(house: House, day: str) -> list[bytes] | None:
    """Return the hashes appended on a day in their order, if it has a checkpoint."""
    with house.store.asking() as connection:
        packed = connection.execute(_LEAVES, {"day": day}).scalar_one_or_none()
    if packed is None:
        return None
    return [packed[at : at + HASH] for at in range(0, len(packed), HASH)]
