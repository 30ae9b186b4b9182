"""Whether the house can work, and what waits in it: numbers and ages, nothing of any game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CompoundSelect, Connection, Row, func, select, union_all, update
from sqlalchemy.exc import SQLAlchemyError

from corr.desk.house import House
from corr.store.once import insert_once
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

_IN, _OUT = (InboxRow, SiteInboxRow), (OutboxRow, SiteOutboxRow)
_UNREAD = union_all(*(select(kind.received_at.label("since")).where(kind.read_at.is_(None)) for kind in _IN))
_UNSENT = union_all(
    *(
        select(kind.made_at.label("since")).where(kind.sent_at.is_(None), kind.dead_at.is_(None))
        for kind in _OUT
    )
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
    with house.store.reading() as connection:
        return not any(
            connection.execute(waiting.limit(1)).first()
            for waiting in (_UNREAD, _UNSENT, _ASKED, _AGREED, _DECREED)
        )


def examine(house: House, now: datetime) -> Health:
    """How the house is; SQLAlchemyError where the database does not answer."""
    with house.store.reading() as connection:
        unread, unsent = (_counted(connection, waiting) for waiting in (_UNREAD, _UNSENT))
        return Health(
            unread=unread[0],
            oldest_unread=_age(unread, now),
            unsent=unsent[0],
            oldest_unsent=_age(unsent, now),
            dead=_dead(connection),
            last_sweep=_age(connection.execute(select(1, func.max(Sign.seen_at))).one(), now),
        )


def leave_sign(house: House, name: str, now: datetime) -> None:
    """Note that something which must happen again and again has happened."""
    with house.store.writing() as connection:
        if not insert_once(connection, Sign, name=name, seen_at=now):
            connection.execute(update(Sign).where(Sign.name == name).values(seen_at=now))


def _counted(connection: Connection, waiting: CompoundSelect[datetime]) -> Row[int, datetime | None]:
    """How many wait, and since when the first of them does."""
    each = waiting.subquery()
    return connection.execute(select(func.count(), func.min(each.c.since))).one()


def _dead(connection: Connection) -> int:
    dead = (select(func.count()).select_from(kind).where(kind.dead_at.is_not(None)) for kind in _OUT)
    return sum(connection.execute(each).scalar_one() for each in dead)


def _age(row: Row[int, datetime | None], now: datetime) -> float | None:
    return None if row[1] is None else max(0.0, (now - row[1]).total_seconds())
