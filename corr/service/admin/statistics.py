"""Counts waiting emails for the admin pages and `corr doctor`; `metrics.py` counts for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, CompoundSelect, Connection, func, or_, select, union_all, update
from sqlalchemy.exc import SQLAlchemyError

from corr.service.admin import game_decisions
from corr.service.admin.conflicts import AdminConflicts, load_conflicts
from corr.service.games import outages
from corr.service.lobby import game_starts
from corr.service.players import address_checks
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.locks import insert_if_new
from corr.store.rows import one_of
from corr.store.tables import (
    GameRow,
    InboxRow,
    OutboxRow,
    SiteInboxRow,
    SiteOutboxRow,
    TaskRunRow,
)

_LONG_SINCE_SWEEP = 60


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures for an admin; ages are in seconds, or None if nothing is waiting."""

    unread: int
    oldest_unread_age: float | None
    unsent: int
    oldest_unsent_age: float | None
    dead: int
    last_sweep_age: float | None

    @property
    def has_sweep_stopped(self) -> bool:
        """Whether sweeps have stopped, so that no deadline is enforced and lost tasks stay lost."""
        return self.last_sweep_age is None or self.last_sweep_age >= _LONG_SINCE_SWEEP


def load_figures(server: Server, now: datetime, operator: Correspondent | None = None) -> Figures:
    """Return the figures without an admin's opponents; SQLAlchemyError if the database doesn't answer."""
    with server.store.reading() as connection:
        held = load_conflicts(connection, operator) if operator else AdminConflicts()
        unread, oldest_unread = _load_backlog(connection, select_unread(held))
        unsent, oldest_unsent = _load_backlog(connection, select_unsent(held))
        return Figures(
            unread=unread,
            oldest_unread_age=_age(oldest_unread, now),
            unsent=unsent,
            oldest_unsent_age=_age(oldest_unsent, now),
            dead=_count_dead_letters(connection, held),
            last_sweep_age=_age(connection.execute(select(outages.LAST_SWEEP)).scalar_one(), now),
        )


def select_unread(conflicts: AdminConflicts) -> CompoundSelect[datetime]:
    """Select, for each unread email that an admin may see, since when it waits."""
    since = InboxRow.received_at.label("since"), SiteInboxRow.received_at.label("since")
    return union_all(
        select(since[0]).where(InboxRow.read_at.is_(None), conflicts.seat(InboxRow.seat_id)),
        select(since[1]).where(
            SiteInboxRow.read_at.is_(None), conflicts.mailbox(SiteInboxRow.correspondent_id)
        ),
    )


def select_unsent(conflicts: AdminConflicts) -> CompoundSelect[datetime]:
    """Select, for each unsent email that an admin may see, since when it waits."""
    return union_all(
        *(
            select(kind.made_at.label("since")).where(
                kind.sent_at.is_(None), kind.dead_at.is_(None), is_known
            )
            for kind, is_known in _list_outboxes(conflicts)
        )
    )


def _list_outboxes(
    conflicts: AdminConflicts,
) -> Iterator[tuple[type[OutboxRow | SiteOutboxRow], ColumnElement[bool]]]:
    """Yield both tables of outgoing emails, with the condition for those an admin may see."""
    yield OutboxRow, conflicts.seat(OutboxRow.seat_id)
    yield SiteOutboxRow, conflicts.mailbox(SiteOutboxRow.correspondent_id)


class _Backlog(NamedTuple):
    number: int
    since: datetime | None


def _load_backlog(connection: Connection, waiting: CompoundSelect[datetime]) -> _Backlog:
    """Count the waiting emails, and find the oldest time."""
    since = waiting.subquery().c.since
    counted = select(func.count().label("number"), func.min(since).label("since"))
    return one_of(_Backlog, connection.execute(counted))


def _count_dead_letters(connection: Connection, conflicts: AdminConflicts) -> int:
    """Count the given-up emails that an admin may see."""
    dead = (
        select(func.count()).select_from(kind).where(kind.dead_at.is_not(None), is_known)
        for kind, is_known in _list_outboxes(conflicts)
    )
    return sum(connection.execute(each).scalar_one() for each in dead)


def _age(since: datetime | None, now: datetime) -> float | None:
    """Return the seconds that have passed since a time; None without one."""
    return None if since is None else max(0.0, (now - since).total_seconds())


_EVERYTHING = AdminConflicts()
_HAS_WORK_QUERY = select(
    or_(
        select_unread(_EVERYTHING).exists(),
        select_unsent(_EVERYTHING).exists(),
        address_checks.HAS_WORK,
        game_starts.HAS_WORK,
        game_decisions.HAS_WORK,
    )
)


def is_healthy(server: Server) -> bool:
    """Tell whether the database answers, for `/healthz`."""
    try:
        with server.store.reading() as connection:
            connection.execute(select(GameRow.id).limit(1))
    except SQLAlchemyError:
        return False
    return True


def is_idle(server: Server) -> bool:
    """Tell whether no email, sign-in, new game or admin's decision waits for a worker."""
    with server.store.asking() as connection:
        return not connection.execute(_HAS_WORK_QUERY).scalar_one()


def record_run(server: Server, name: str, now: datetime) -> None:
    """Record when a recurring task last ran, so that others notice when it stops."""
    with server.store.writing() as connection:
        if not insert_if_new(connection, TaskRunRow, name=name, seen_at=now):
            connection.execute(update(TaskRunRow).where(TaskRunRow.name == name).values(seen_at=now))
