"""Records when the server was down (gap: `corr/limits.py`) or its clock was set, so that no player's time runs."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from corr import limits
from corr.game.time_off import Span
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import OutageRow, TaskRunRow

log = logging.getLogger(__name__)

#: The name of the sign of life that each sweep leaves.
SWEEP_SIGN = "sweep"
LAST_SWEEP = select(TaskRunRow.seen_at).where(TaskRunRow.name == SWEEP_SIGN).scalar_subquery()
_NEWEST_FIRST = OutageRow.id.desc()
#: The number of the newest outage, and from when on flags may fall after it.
NEWEST_OUTAGE = select(OutageRow.id).order_by(_NEWEST_FIRST).limit(1).scalar_subquery()
FLAGS_FROM = select(OutageRow.flags_from).order_by(_NEWEST_FIRST).limit(1).scalar_subquery()


def make_span(began_at: datetime | None, ended_at: datetime | None) -> Span | None:
    """Return the outage stored in two columns of a game; None if they are empty."""
    return Span(began_at, ended_at) if began_at and ended_at else None


def has_gap(server: Server, swept: datetime | None, now: datetime) -> bool:
    """Whether the server seems to have been down: its last deadline check is long past, or future."""
    return swept is not None and abs(now - swept) > server.outage


def record_outage(server: Server, now: datetime) -> None:
    """Record an outage if the last sweep (check of deadlines) is long past or future."""
    # The row lock makes sure that only one process records it.
    with server.store.asking() as connection:
        if not has_gap(server, connection.execute(select(LAST_SWEEP)).scalar_one(), now):
            return
    with server.store.writing() as connection:
        sign = select(TaskRunRow.seen_at).where(TaskRunRow.name == SWEEP_SIGN).with_for_update()
        swept = connection.execute(sign).scalar_one()
        if not has_gap(server, swept, now):
            return
        connection.execute(
            insert(OutageRow).values(
                began_at=min(swept, now), ended_at=now, flags_from=now + limits.FLAG_FREE_SPAN
            )
        )
        connection.execute(update(TaskRunRow).where(TaskRunRow.name == SWEEP_SIGN).values(seen_at=now))
    log.warning("no deadlines were checked from %s to %s, so no player's time ran", swept, now)


def trust_clock(server: Server) -> None:
    """End the time without flags after an outage, because the operator trusts the clock."""
    with server.store.writing() as connection:
        newest = select(NEWEST_OUTAGE.label("newest")).scalar_subquery()
        connection.execute(
            update(OutageRow).where(OutageRow.id == newest).values(flags_from=OutageRow.ended_at)
        )


class ListedOutage(NamedTuple):
    began_at: datetime
    ended_at: datetime
    flags_from: datetime


_OUTAGES_QUERY = select(OutageRow.began_at, OutageRow.ended_at, OutageRow.flags_from).order_by(_NEWEST_FIRST)


def list_outages(connection: Connection, most: int) -> list[ListedOutage]:
    """List the newest outages, the latest first."""
    return rows_of(ListedOutage, connection.execute(_OUTAGES_QUERY.limit(most)))
