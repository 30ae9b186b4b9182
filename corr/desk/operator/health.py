"""Whether the house can work, and what waits in it: numbers and ages, nothing of any game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, CompoundSelect, Connection, func, select, union_all, update
from sqlalchemy.exc import SQLAlchemyError

from corr.desk.house import House
from corr.desk.operator.stakes import Stakes, stakes
from corr.desk.people.mailboxes import Correspondent
from corr.store.once import insert_once
from corr.store.rows import one_of
from corr.store.tables import (
    Challenge,
    Decree,
    Game,
    InboxRow,
    OutboxRow,
    Sign,
    SignIn,
    SiteInboxRow,
    SiteOutboxRow,
)

_ASKED = select(SignIn.id).where(SignIn.address.is_not(None))
_DECREED = select(Decree.id).where(Decree.done_at.is_(None))
_AGREED = select(Challenge.id).where(Challenge.state == "accepted", Challenge.game_id.is_(None))


@dataclass(frozen=True, slots=True)
class Health:
    """What an operator wants to know; ages are in seconds, None where there is nothing to be old."""

    unread: int
    oldest_unread: float | None
    unsent: int
    oldest_unsent: float | None
    dead: int
    last_sweep: float | None


def is_well(house: House) -> bool:
    """True if the database answers."""
    try:
        with house.store.reading() as connection:
            connection.execute(select(Game.id).limit(1))
    except SQLAlchemyError:
        return False
    return True


def is_idle(house: House) -> bool:
    """True if no letter waits to be read or sent, nobody to be let in, no game to begin, and no decree."""
    everything = Stakes()
    with house.store.reading() as connection:
        return not any(
            connection.execute(waiting.limit(1)).scalars().first()
            for waiting in (_unread(everything), _unsent(everything), _ASKED, _AGREED, _DECREED)
        )


def examine(house: House, now: datetime) -> Health:
    """How the house is; SQLAlchemyError where the database does not answer."""
    with house.store.reading() as connection:
        return _examined(connection, Stakes(), now)


def examine_for(house: House, operator: Correspondent, now: datetime) -> Health:
    """The same without what an operator's opponents do in private."""
    with house.store.reading() as connection:
        return _examined(connection, stakes(connection, operator), now)


def _examined(connection: Connection, held: Stakes, now: datetime) -> Health:
    unread, unsent = (_counted(connection, waiting) for waiting in (_unread(held), _unsent(held)))
    return Health(
        unread=unread.number,
        oldest_unread=_age(unread.since, now),
        unsent=unsent.number,
        oldest_unsent=_age(unsent.since, now),
        dead=_dead(connection, held),
        last_sweep=_age(connection.execute(select(func.max(Sign.seen_at))).scalar_one(), now),
    )


def leave_sign(house: House, name: str, now: datetime) -> None:
    """Note that something which must happen again and again has happened."""
    with house.store.writing() as connection:
        if not insert_once(connection, Sign, name=name, seen_at=now):
            connection.execute(update(Sign).where(Sign.name == name).values(seen_at=now))


def _unread(held: Stakes) -> CompoundSelect[datetime]:
    """Since when letters wait to be read."""
    since = InboxRow.received_at.label("since"), SiteInboxRow.received_at.label("since")
    return union_all(
        select(since[0]).where(InboxRow.read_at.is_(None), held.seat(InboxRow.seat_id)),
        select(since[1]).where(SiteInboxRow.read_at.is_(None), held.mailbox(SiteInboxRow.correspondent_id)),
    )


def _unsent(held: Stakes) -> CompoundSelect[datetime]:
    """Since when letters wait to be sent."""
    return union_all(
        *(
            select(kind.made_at.label("since")).where(
                kind.sent_at.is_(None), kind.dead_at.is_(None), is_known
            )
            for kind, is_known in _out(held)
        )
    )


def _out(held: Stakes) -> Iterator[tuple[type[OutboxRow | SiteOutboxRow], ColumnElement[bool]]]:
    """The trays out, each with which of its letters are counted."""
    yield OutboxRow, held.seat(OutboxRow.seat_id)
    yield SiteOutboxRow, held.mailbox(SiteOutboxRow.correspondent_id)


class _Backlog(NamedTuple):
    number: int
    since: datetime | None


def _counted(connection: Connection, waiting: CompoundSelect[datetime]) -> _Backlog:
    """How many wait, and since when the first of them does."""
    each = waiting.subquery()
    counted = select(func.count().label("number"), func.min(each.c.since).label("since"))
    return one_of(_Backlog, connection.execute(counted))


def _dead(connection: Connection, held: Stakes) -> int:
    dead = (
        select(func.count()).select_from(kind).where(kind.dead_at.is_not(None), is_known)
        for kind, is_known in _out(held)
    )
    return sum(connection.execute(each).scalar_one() for each in dead)


def _age(since: datetime | None, now: datetime) -> float | None:
    return None if since is None else max(0.0, (now - since).total_seconds())
