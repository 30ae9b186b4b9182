"""Scores mailboxes that bounce; the score fades, and above a limit no emails go there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, Nullable, bindparam, delete, exists, select, update

from corr import limits
from corr.mail.failure_codes import Failure
from corr.service.players import mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.store.locks import insert_once
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CorrespondentRow, FailingMailbox, Player

_A_DAY = timedelta(days=1)
_IT = FailingMailbox.correspondent_id == bindparam("mailbox")


class _Kept(NamedTuple):
    score: float
    counted_at: datetime
    stopped_at: datetime | None
    told_at: datetime | None


_KEPT = (
    select(FailingMailbox.score, FailingMailbox.counted_at)
    .add_columns(FailingMailbox.stopped_at, FailingMailbox.told_at)
    .where(_IT)
    .with_for_update()
)
_CHANGE = update(FailingMailbox).where(_IT)
_IS_ANY = select(FailingMailbox.correspondent_id).where(_IT)
_FORGET = delete(FailingMailbox).where(_IT)
#: Whether there is a mailbox to which no emails go.
ANY = exists(select(FailingMailbox.correspondent_id).where(FailingMailbox.stopped_at.is_not(None)))


@dataclass(frozen=True, slots=True)
class Failing:
    """What a mailbox's owner is told: its last bounce, and since when emails stopped."""

    address: str
    status: str
    counted_at: datetime
    stopped_at: datetime | None


def scored(score: float, since: timedelta, failure: Failure) -> float:
    """Return a mailbox's score after another bounce."""
    points = limits.TAKES_NONE if failure.is_hard else limits.MAY_TAKE_SOME
    faded: float = score * 0.5 ** (since / limits.SCORE_HALVES)
    return faded + points


def count(connection: Connection, who: Correspondent, failure: Failure, now: datetime) -> None:
    """Count a bounce, once a day, and tell the owner at another mailbox."""
    this = {"mailbox": who.id}
    first = {"score": 0.0, "counted_at": now - _A_DAY, "status": failure.status}
    insert_once(connection, FailingMailbox, correspondent_id=who.id, stopped_at=None, told_at=None, **first)
    kept = one_or_none_of(_Kept, connection.execute(_KEPT, this))
    if kept is None or now - kept.counted_at < _A_DAY:
        return
    score = scored(kept.score, now - kept.counted_at, failure)
    stopped_at = kept.stopped_at or (now if score >= limits.FAILING else None)
    told_at = kept.told_at
    if (told_at is None or now - told_at >= limits.FAILING_TOLD) and _tell(connection, who, now):
        told_at = now
    connection.execute(
        _CHANGE.values(
            score=score, counted_at=now, status=failure.status, stopped_at=stopped_at, told_at=told_at
        ),
        this,
    )


_OTHERS = (
    select(CorrespondentRow.id)
    .outerjoin(FailingMailbox, FailingMailbox.correspondent_id == CorrespondentRow.id)
    .where(CorrespondentRow.player_id == bindparam("player"), CorrespondentRow.id != bindparam("mailbox"))
    .where(CorrespondentRow.confirmed_at.is_not(None), FailingMailbox.correspondent_id.is_(None))
    .order_by(CorrespondentRow.id)
    .limit(1)
)


def _tell(connection: Connection, who: Correspondent, now: datetime) -> bool:
    """Tell a mailbox's owner at another one that works, if there is any."""
    if who.player_id is None or who.address is None:
        return False
    asked = {"player": who.player_id, "mailbox": who.id}
    other = connection.execute(_OTHERS, asked).scalar_one_or_none()
    if other is None:
        return False
    mailboxes.write(
        connection, mailboxes.correspondent(connection, other), "failing", now, address=who.address
    )
    return True


_STOPPED = (
    select(NotNullable(CorrespondentRow.address))
    .join(FailingMailbox, FailingMailbox.correspondent_id == CorrespondentRow.id)
    .where(FailingMailbox.stopped_at.is_not(None), CorrespondentRow.address.is_not(None))
)


def stopped(connection: Connection) -> frozenset[str]:
    """Return the addresses to which no emails go."""
    return frozenset(address.casefold() for address in connection.execute(_STOPPED).scalars())


class _Told(NamedTuple):
    address: str | None
    status: str
    counted_at: datetime
    stopped_at: datetime | None


_OF_PLAYER = (
    select(Nullable(CorrespondentRow.address), FailingMailbox.status, FailingMailbox.counted_at)
    .add_columns(FailingMailbox.stopped_at)
    .join(FailingMailbox, FailingMailbox.correspondent_id == CorrespondentRow.id)
    .join(Player, Player.id == CorrespondentRow.player_id)
    .where(Player.id == bindparam("player"))
)


def of_player(connection: Connection, player_id: int) -> tuple[Failing, ...]:
    """Return a player's mailboxes that bounced lately."""
    found = rows_of(_Told, connection.execute(_OF_PLAYER, {"player": player_id}))
    return tuple(Failing(each.address or "", *each[1:]) for each in found)


def is_any(connection: Connection, who: Correspondent) -> bool:
    """Whether a mailbox bounced lately."""
    return connection.execute(_IS_ANY, {"mailbox": who.id}).scalar_one_or_none() is not None


def lift(connection: Connection, mailbox: int) -> None:
    """Treat a mailbox as working again, and forget its bounces."""
    connection.execute(_FORGET, {"mailbox": mailbox})
