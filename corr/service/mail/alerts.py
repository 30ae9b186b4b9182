"""Records which parts of emails could not be made and where the fault is, but not whose emails.

The same fault is recorded once a day, so that its time points to no single email.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from corr import limits
from corr.mail.outward.missing_parts import Lack
from corr.service.house import House
from corr.store.locks import insert_once
from corr.store.rows import rows_of
from corr.store.tables import AlarmRow, Moment

_A_DAY = timedelta(days=1)

_AGAIN = update(AlarmRow).where(
    AlarmRow.part == bindparam("of_part"),
    AlarmRow.fault == bindparam("of_fault"),
    AlarmRow.rung_at <= bindparam("before", type_=Moment),
)
_LATELY = (
    select(AlarmRow.part, AlarmRow.fault, AlarmRow.rung_at)
    .where(AlarmRow.rung_at > bindparam("since", type_=Moment))
    .order_by(AlarmRow.part, AlarmRow.fault)
)


class _Noted(NamedTuple):
    part: str
    fault: str
    rung_at: datetime


@dataclass(frozen=True, slots=True)
class Lacked:
    """A part of emails that could not be made, its fault and last day."""

    part: str
    fault: str
    day: date


def note(connection: Connection, lacks: Iterable[Lack], now: datetime) -> None:
    """Record the parts that emails had to go without."""
    for part, fault in sorted(set(lacks)):
        if not insert_once(connection, AlarmRow, part=part, fault=fault, rung_at=now):
            named = {"of_part": part, "of_fault": fault, "before": now - _A_DAY, "rung_at": now}
            connection.execute(_AGAIN, named)


def lately(house: House, now: datetime) -> list[Lacked]:
    """Return what was recorded in the last two weeks."""
    with house.store.reading() as connection:
        noted = rows_of(_Noted, connection.execute(_LATELY, {"since": now - limits.TROUBLES_SINCE}))
        return [Lacked(each.part, each.fault, each.rung_at.date()) for each in noted]
