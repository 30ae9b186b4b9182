"""Checks whether the server works and whether any task is left."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from corr.service.admin import enforcement
from corr.service.admin.conflicts import AdminConflicts
from corr.service.admin.statistics import select_unread, select_unsent
from corr.service.lobby import game_starts
from corr.service.players import address_checks
from corr.service.server import Server
from corr.store.locks import insert_if_new
from corr.store.tables import GameRow, TaskRunRow

_EVERYTHING = AdminConflicts()
_HAS_WORK_QUERY = select(
    or_(
        select_unread(_EVERYTHING).exists(),
        select_unsent(_EVERYTHING).exists(),
        address_checks.HAS_WORK,
        game_starts.HAS_WORK,
        enforcement.HAS_WORK,
    )
)


def is_healthy(server: Server) -> bool:
    try:
        with server.store.reading() as connection:
            connection.execute(select(GameRow.id).limit(1))
    except SQLAlchemyError:
        return False
    return True


def is_idle(server: Server) -> bool:
    """Tell whether no email, sign-in request, game start or decree is waiting."""
    with server.store.asking() as connection:
        return not connection.execute(_HAS_WORK_QUERY).scalar_one()


def record_run(server: Server, name: str, now: datetime) -> None:
    """Record that a recurring task has run."""
    with server.store.writing() as connection:
        if not insert_if_new(connection, TaskRunRow, name=name, seen_at=now):
            connection.execute(update(TaskRunRow).where(TaskRunRow.name == name).values(seen_at=now))
