"""Records which part of an email failed to compose, and where, but not whose email it was.

The same fault is recorded once a day, so that its time points to no single email.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from corr import limits
from corr.mail.outward.missing_parts import MissingPart
from corr.service.server import Server
from corr.store.locks import insert_if_new
from corr.store.rows import rows_of
from corr.store.tables import ComposeFaultRow, Moment

_A_DAY = timedelta(days=1)

_ALERT_UPDATE = update(ComposeFaultRow).where(
    ComposeFaultRow.part == bindparam("of_part"),
    ComposeFaultRow.fault == bindparam("of_fault"),
    ComposeFaultRow.rung_at <= bindparam("before", type_=Moment),
)
_RECENT_QUERY = (
    select(ComposeFaultRow.part, ComposeFaultRow.fault, ComposeFaultRow.rung_at)
    .where(ComposeFaultRow.rung_at > bindparam("since", type_=Moment))
    .order_by(ComposeFaultRow.part, ComposeFaultRow.fault)
)


class MissingPartReport(NamedTuple):
    """A part of emails that could not be made, its fault, and when that was last recorded."""

    part: str
    fault: str
    rung_at: datetime


def record_alerts(connection: Connection, lacks: Iterable[MissingPart], now: datetime) -> None:
    """Record which parts of emails could not be made, each fault once a day."""
    for part, fault in sorted(set(lacks)):
        if not insert_if_new(connection, ComposeFaultRow, part=part, fault=fault, rung_at=now):
            named = {"of_part": part, "of_fault": fault, "before": now - _A_DAY, "rung_at": now}
            connection.execute(_ALERT_UPDATE, named)


def list_recent(server: Server, now: datetime) -> list[MissingPartReport]:
    """Return the faults of the last two weeks, for `corr doctor` to report."""
    with server.store.reading() as connection:
        asked = {"since": now - limits.PROBLEMS_PERIOD}
        return rows_of(MissingPartReport, connection.execute(_RECENT_QUERY, asked))
