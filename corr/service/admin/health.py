"""Checks whether the server works and whether any task is left."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from corr.service.admin.conflicts import Stakes
from corr.service.admin.statistics import unread, unsent
from corr.service.house import House
from corr.store.locks import insert_once
from corr.store.tables import Challenge, Decree, Game, Sign, SignIn

_ASKED = select(SignIn.id).where(SignIn.address.is_not(None))
_DECREED = select(Decree.id).where(Decree.done_at.is_(None))
_AGREED = select(Challenge.id).where(Challenge.state == "accepted", Challenge.game_id.is_(None))


def is_well(house: House) -> bool:
    """Tell whether the database answers."""
    try:
        with house.store.reading() as connection:
            connection.execute(select(Game.id).limit(1))
    except SQLAlchemyError:
        return False
    return True


def is_idle(house: House) -> bool:
    """Tell whether no email, sign-in request, game start or decree is waiting."""
    everything = Stakes()
    with house.store.reading() as connection:
        return not any(
            connection.execute(waiting.limit(1)).scalars().first()
            for waiting in (unread(everything), unsent(everything), _ASKED, _AGREED, _DECREED)
        )


def leave_sign(house: House, name: str, now: datetime) -> None:
    """Record that a recurring task has run."""
    with house.store.writing() as connection:
        if not insert_once(connection, Sign, name=name, seen_at=now):
            connection.execute(update(Sign).where(Sign.name == name).values(seen_at=now))
