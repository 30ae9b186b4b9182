"""What comes due by itself: reminders and flags."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from corr.desk import turns
from corr.desk.house import House
from corr.desk.sitting import Sitting, sit_down
from corr.store.tables import Game, InboxRow
from corr.words import Side

# A letter is stamped before it is committed: a flag waits until none can be on its way into the database.
_GRACE = timedelta(minutes=1)
_BATCH = 200


def sweep(house: House, now: datetime) -> int:
    """Remind who is due a reminder and flag who has run out of time; how many games were touched."""
    touched = 0
    for game_id in _due(house, now):
        with house.store.writing() as connection:
            sitting = sit_down(connection, game_id, now)
            if _flag(sitting) or _remind(sitting):
                sitting.close()
                touched += 1
    return touched


def _due(house: House, now: datetime) -> Sequence[int]:
    with house.store.reading() as connection:
        flags = select(Game.id).where(Game.deadline < now - _GRACE).order_by(Game.deadline).limit(_BATCH)
        reminders = select(Game.id).where(Game.remind_at <= now).order_by(Game.remind_at).limit(_BATCH)
        return [*connection.execute(flags).scalars(), *connection.execute(reminders).scalars()]


def _flag(sitting: Sitting) -> bool:
    """Never while an unread letter of the seat arrived before the deadline."""
    if sitting.turn is None or sitting.deadline is None or sitting.deadline >= sitting.now - _GRACE:
        return False
    if _has_unread(sitting.connection, sitting.chairs[sitting.turn].id, sitting.deadline):
        return False
    turns.flag(sitting, sitting.turn)
    return True


def _remind(sitting: Sitting) -> bool:
    """Once a turn; not after the deadline, and not while a letter of the seat waits to be read."""
    if sitting.turn is None or sitting.remind_at is None or sitting.remind_at > sitting.now:
        return False
    assert sitting.deadline is not None
    if _has_unread(sitting.connection, sitting.chairs[sitting.turn].id, sitting.deadline):
        return False
    sitting.remind_at = None
    if sitting.now < sitting.deadline:
        sitting.write(Side(sitting.turn), "reminder")
    return True


def _has_unread(connection: Connection, seat_id: int, until: datetime) -> bool:
    unread = select(InboxRow.id).where(
        InboxRow.seat_id == seat_id, InboxRow.read_at.is_(None), InboxRow.received_at <= until
    )
    return connection.execute(unread.limit(1)).first() is not None
