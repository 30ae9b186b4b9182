"""Scores mailboxes that bounce (scores: `corr/limits.py`); the score fades, and above a limit no emails go there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, bindparam, delete, exists, func, select, update

from corr import limits
from corr.mail.failure_reason import Failure
from corr.service.players import mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.store.locks import insert_if_new
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CorrespondentRow, FailingMailboxRow, PlayerRow

_A_DAY = timedelta(days=1)
_IS_MAILBOX = FailingMailboxRow.correspondent_id == bindparam("mailbox")


class _ScoreRow(NamedTuple):
    score: float
    counted_at: datetime
    stopped_at: datetime | None
    told_at: datetime | None


_SCORE_QUERY = (
    select(FailingMailboxRow.score, FailingMailboxRow.counted_at)
    .add_columns(FailingMailboxRow.stopped_at, FailingMailboxRow.told_at)
    .where(_IS_MAILBOX)
    .with_for_update()
)
_SCORE_UPDATE = update(FailingMailboxRow).where(_IS_MAILBOX)
_MAILBOX_QUERY = select(FailingMailboxRow.correspondent_id).where(_IS_MAILBOX)
_MAILBOX_DELETE = delete(FailingMailboxRow).where(_IS_MAILBOX)
#: Whether any mailbox bounced so often that we stopped emails to it.
HAS_STOPPED = exists(
    select(FailingMailboxRow.correspondent_id).where(FailingMailboxRow.stopped_at.is_not(None))
)


class BouncingMailbox(NamedTuple):
    """What a mailbox's owner is told: its last bounce, and since when emails stopped."""

    address: str
    status: str
    counted_at: datetime
    stopped_at: datetime | None


def add_to_score(score: float, since: timedelta, failure: Failure) -> float:
    """Return a mailbox's bounce score after another bounce; older points fade with time."""
    points = limits.HARD_BOUNCE_SCORE if failure.is_hard else limits.SOFT_BOUNCE_SCORE
    faded: float = score * 0.5 ** (since / limits.BOUNCE_SCORE_HALF_LIFE)
    return faded + points


def count_bounce(connection: Connection, who: Correspondent, failure: Failure, now: datetime) -> None:
    """Count a bounce, one a day; above a limit, stop emails. Tell the owner at another mailbox."""
    this = {"mailbox": who.id}
    first = {"score": 0.0, "counted_at": now - _A_DAY, "status": failure.status}
    insert_if_new(
        connection, FailingMailboxRow, correspondent_id=who.id, stopped_at=None, told_at=None, **first
    )
    kept = one_or_none_of(_ScoreRow, connection.execute(_SCORE_QUERY, this))
    if kept is None or now - kept.counted_at < _A_DAY:
        return
    score = add_to_score(kept.score, now - kept.counted_at, failure)
    stopped_at = kept.stopped_at or (now if score >= limits.FAILING_MAILBOX_SCORE else None)
    told_at = kept.told_at
    if (told_at is None or now - told_at >= limits.FAILING_MAILBOX_NOTICE) and _tell_owner(
        connection, who, now
    ):
        told_at = now
    connection.execute(
        _SCORE_UPDATE.values(
            score=score, counted_at=now, status=failure.status, stopped_at=stopped_at, told_at=told_at
        ),
        this,
    )


_OTHER_MAILBOX_QUERY = (
    select(CorrespondentRow.id)
    .outerjoin(FailingMailboxRow, FailingMailboxRow.correspondent_id == CorrespondentRow.id)
    .where(CorrespondentRow.player_id == bindparam("player"), CorrespondentRow.id != bindparam("mailbox"))
    .where(CorrespondentRow.confirmed_at.is_not(None), FailingMailboxRow.correspondent_id.is_(None))
    .order_by(CorrespondentRow.id)
    .limit(1)
)


def _tell_owner(connection: Connection, who: Correspondent, now: datetime) -> bool:
    """Email a bouncing mailbox's owner at another one that works; False if there is none."""
    if who.player_id is None or who.address is None:
        return False
    asked = {"player": who.player_id, "mailbox": who.id}
    other = connection.execute(_OTHER_MAILBOX_QUERY, asked).scalar_one_or_none()
    if other is None:
        return False
    mailboxes.write(
        connection, mailboxes.load_correspondent(connection, other), "failing", now, address=who.address
    )
    return True


_STOPPED_QUERY = (
    select(NotNullable(CorrespondentRow.address))
    .join(FailingMailboxRow, FailingMailboxRow.correspondent_id == CorrespondentRow.id)
    .where(FailingMailboxRow.stopped_at.is_not(None), CorrespondentRow.address.is_not(None))
)


def load_stopped(connection: Connection) -> frozenset[str]:
    """Return the addresses, in lower case, that bounced too often to be emailed."""
    return frozenset(address.casefold() for address in connection.execute(_STOPPED_QUERY).scalars())


_BOUNCING_QUERY = (
    select(func.coalesce(CorrespondentRow.address, "").label("address"))
    .add_columns(FailingMailboxRow.status, FailingMailboxRow.counted_at)
    .add_columns(FailingMailboxRow.stopped_at)
    .join(FailingMailboxRow, FailingMailboxRow.correspondent_id == CorrespondentRow.id)
    .join(PlayerRow, PlayerRow.id == CorrespondentRow.player_id)
    .where(PlayerRow.id == bindparam("player"))
)


def list_bouncing(connection: Connection, player_id: int) -> tuple[BouncingMailbox, ...]:
    """Return a player's mailboxes that bounced lately."""
    return tuple(rows_of(BouncingMailbox, connection.execute(_BOUNCING_QUERY, {"player": player_id})))


def is_bouncing(connection: Connection, who: Correspondent) -> bool:
    """Whether a mailbox bounced lately."""
    return connection.execute(_MAILBOX_QUERY, {"mailbox": who.id}).scalar_one_or_none() is not None


def clear_bounces(connection: Connection, mailbox: int) -> None:
    """Treat a mailbox as working again, and forget its bounces."""
    connection.execute(_MAILBOX_DELETE, {"mailbox": mailbox})
