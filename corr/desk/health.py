"""Whether the house can work, and what waits in it: numbers and ages, nothing of any game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from corr.desk.house import House
from corr.store.once import insert_once
from corr.store.tables import Game, InboxRow, OutboxRow, Sign

_UNREAD = InboxRow.read_at.is_(None)
_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)


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
    """True if no letter waits to be read or to be sent."""
    with house.store.reading() as connection:
        return not any(
            connection.execute(waiting.limit(1)).first()
            for waiting in (select(InboxRow.id).where(_UNREAD), select(OutboxRow.id).where(_UNSENT))
        )


def examine(house: House, now: datetime) -> Health:
    """How the house is; SQLAlchemyError where the database does not answer."""
    with house.store.reading() as connection:
        unread = connection.execute(select(func.count(), func.min(InboxRow.received_at)).where(_UNREAD)).one()
        unsent = connection.execute(select(func.count(), func.min(OutboxRow.made_at)).where(_UNSENT)).one()
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


def _dead(connection: Connection) -> int:
    dead = select(func.count()).select_from(OutboxRow).where(OutboxRow.dead_at.is_not(None))
    return connection.execute(dead).scalar_one()


def _age(row: Row[int, datetime | None], now: datetime) -> float | None:
    return None if row[1] is None else max(0.0, (now - row[1]).total_seconds())
