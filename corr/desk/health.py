"""Whether the house can work."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from corr.desk.house import House
from corr.store.tables import Game, InboxRow, OutboxRow


def is_idle(house: House) -> bool:
    """True if no letter waits to be read or to be sent for the first time."""
    unread = select(InboxRow.id).where(InboxRow.read_at.is_(None)).limit(1)
    unsent = select(OutboxRow.id).where(OutboxRow.sent_at.is_(None), OutboxRow.dead_at.is_(None)).limit(1)
    with house.store.reading() as connection:
        return not connection.execute(unread).first() and not connection.execute(unsent).first()


def is_well(house: House) -> bool:
    """True if the database answers."""
    try:
        with house.store.reading() as connection:
            connection.execute(select(Game.id).limit(1))
    except SQLAlchemyError:
        return False
    return True
