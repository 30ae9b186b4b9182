"""Checks whether the server works and whether any task is left."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from corr.service.admin.conflicts import AdminConflicts
from corr.service.admin.statistics import select_unread, select_unsent
from corr.service.server import Server
from corr.store.locks import insert_if_new
from corr.store.tables import ChallengeRow, DecisionRow, GameRow, SignInRow, TaskRunRow

_SIGN_IN_REQUESTS = select(SignInRow.id).where(SignInRow.address.is_not(None))
_PENDING_DECREES = select(DecisionRow.id).where(DecisionRow.done_at.is_(None))
_ACCEPTED_CHALLENGES = select(ChallengeRow.id).where(
    ChallengeRow.state == "accepted", ChallengeRow.game_id.is_(None)
)


def is_healthy(server: Server) -> bool:
    """Tell whether the database answers."""
    try:
        with server.store.reading() as connection:
            connection.execute(select(GameRow.id).limit(1))
    except SQLAlchemyError:
        return False
    return True


def is_idle(server: Server) -> bool:
    """Tell whether no email, sign-in request, game start or decree is waiting."""
    everything = AdminConflicts()
    with server.store.reading() as connection:
        return not any(
            connection.execute(waiting.limit(1)).scalars().first()
            for waiting in (
                select_unread(everything),
                select_unsent(everything),
                _SIGN_IN_REQUESTS,
                _ACCEPTED_CHALLENGES,
                _PENDING_DECREES,
            )
        )


def record_run(server: Server, name: str, now: datetime) -> None:
    """Record that a recurring task has run."""
    with server.store.writing() as connection:
        if not insert_if_new(connection, TaskRunRow, name=name, seen_at=now):
            connection.execute(update(TaskRunRow).where(TaskRunRow.name == name).values(seen_at=now))
