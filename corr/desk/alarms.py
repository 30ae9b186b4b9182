"""Alarms: what could not be made for letters, and where the fault is; nothing of whose letter, or which.

The same alarm is noted once a day: its time tells of no single letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Connection, bindparam, select, update

from corr.desk.house import House
from corr.mail.lacks import Lack
from corr.store.once import insert_once
from corr.store.tables import AlarmRow, Moment

_A_DAY = timedelta(days=1)
_LATELY = timedelta(days=14)

_AGAIN = update(AlarmRow).where(
    AlarmRow.part == bindparam("of_part"),
    AlarmRow.fault == bindparam("of_fault"),
    AlarmRow.rung_at <= bindparam("before", type_=Moment),
)
_RUNG = (
    select(AlarmRow.part, AlarmRow.fault, AlarmRow.rung_at)
    .where(AlarmRow.rung_at > bindparam("since", type_=Moment))
    .order_by(AlarmRow.part, AlarmRow.fault)
)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A part of letters that could not be made, where the fault is, and on which day that was last noted."""

    part: str
    fault: str
    day: date


def ring(connection: Connection, lacks: Iterable[Lack], now: datetime) -> None:
    """Note what letters had to do without."""
    for part, fault in sorted(set(lacks)):
        if not insert_once(connection, AlarmRow, part=part, fault=fault, rung_at=now):
            named = {"of_part": part, "of_fault": fault, "before": now - _A_DAY, "rung_at": now}
            connection.execute(_AGAIN, named)


def lately(house: House, now: datetime) -> list[Alarm]:
    """What was noted in the last two weeks."""
    with house.store.reading() as connection:
        rows = connection.execute(_RUNG, {"since": now - _LATELY})
        return [Alarm(row.part, row.fault, row.rung_at.date()) for row in rows]
