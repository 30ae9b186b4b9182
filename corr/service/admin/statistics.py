"""The figures of the operators' pages and of `corr doctor`: what waits, numbers and ages, nothing of any game.

They are shown by `corr/web/admin/overview.py`, in words of `[admin]` of `templates/en/sentences.toml`. The figures of
`/metrics`, for programs, are in `metrics.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, CompoundSelect, Connection, func, select, union_all

from corr.service.admin.conflicts import Stakes, stakes
from corr.service.games import outages
from corr.service.house import House
from corr.service.players.mailboxes import Correspondent
from corr.store.rows import one_of
from corr.store.tables import (
    InboxRow,
    OutboxRow,
    SiteInboxRow,
    SiteOutboxRow,
)

_LONG_SINCE_SWEEP = 60


@dataclass(frozen=True, slots=True)
class Figures:
    """What an operator wants to know; ages are in seconds, None where there is nothing to be old."""

    unread: int
    oldest_unread: float | None
    unsent: int
    oldest_unsent: float | None
    dead: int
    last_sweep: float | None

    @property
    def is_beat_silent(self) -> bool:
        """Whether nobody sweeps: whose time is over is not told so, and what was lost on its way stays where it is."""
        return self.last_sweep is None or self.last_sweep >= _LONG_SINCE_SWEEP


def figures(house: House, now: datetime) -> Figures:
    """What waits; SQLAlchemyError where the database does not answer."""
    with house.store.reading() as connection:
        return _figures(connection, Stakes(), now)


def figures_for(house: House, operator: Correspondent, now: datetime) -> Figures:
    """The same without what an operator's opponents do in private."""
    with house.store.reading() as connection:
        return _figures(connection, stakes(connection, operator), now)


def _figures(connection: Connection, held: Stakes, now: datetime) -> Figures:
    to_read, to_send = _counted(connection, unread(held)), _counted(connection, unsent(held))
    return Figures(
        unread=to_read.number,
        oldest_unread=_age(to_read.since, now),
        unsent=to_send.number,
        oldest_unsent=_age(to_send.since, now),
        dead=_dead(connection, held),
        last_sweep=_age(connection.execute(select(outages.SWEPT)).scalar_one(), now),
    )


def unread(held: Stakes) -> CompoundSelect[datetime]:
    """Since when letters wait to be read."""
    since = InboxRow.received_at.label("since"), SiteInboxRow.received_at.label("since")
    return union_all(
        select(since[0]).where(InboxRow.read_at.is_(None), held.seat(InboxRow.seat_id)),
        select(since[1]).where(SiteInboxRow.read_at.is_(None), held.mailbox(SiteInboxRow.correspondent_id)),
    )


def unsent(held: Stakes) -> CompoundSelect[datetime]:
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
