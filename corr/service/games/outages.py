"""Records when the server was down or its clock was set, so that no player's time runs meanwhile."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from corr import limits
from corr.game.calendar import Span
from corr.service.house import House
from corr.store.rows import rows_of
from corr.store.tables import Outage, Sign

log = logging.getLogger(__name__)

#: The name of the sign of life that each sweep leaves.
SWEEP = "sweep"
#: The time of the last sweep.
SWEPT = select(Sign.seen_at).where(Sign.name == SWEEP).scalar_subquery()
_NEWEST = Outage.id.desc()
#: The number of the newest outage, and from when on flags may fall after it.
NEWEST = select(Outage.id).order_by(_NEWEST).limit(1).scalar_subquery()
FLAGS_FROM = select(Outage.flags_from).order_by(_NEWEST).limit(1).scalar_subquery()


def span(began_at: datetime | None, ended_at: datetime | None) -> Span | None:
    """Return the outage that a game keeps, if it keeps one."""
    return Span(began_at, ended_at) if began_at and ended_at else None


def stands_still(house: House, swept: datetime | None, now: datetime) -> bool:
    """Whether the last sweep is long past, or in the future by the clock."""
    return swept is not None and abs(now - swept) > house.outage


def note(house: House, now: datetime) -> None:
    """Record an outage if the last sweep is long past or in the future.

    The row lock makes sure that only one process records it.
    """
    with house.store.asking() as connection:
        if not stands_still(house, connection.execute(select(SWEPT)).scalar_one(), now):
            return
    with house.store.writing() as connection:
        sign = select(Sign.seen_at).where(Sign.name == SWEEP).with_for_update()
        swept = connection.execute(sign).scalar_one()
        if not stands_still(house, swept, now):
            return
        connection.execute(
            insert(Outage).values(began_at=min(swept, now), ended_at=now, flags_from=now + limits.STEADY)
        )
        connection.execute(update(Sign).where(Sign.name == SWEEP).values(seen_at=now))
    log.warning("no deadlines were checked from %s to %s, so no player's time ran", swept, now)


def trust(house: House) -> None:
    """Let flags fall at once, because the operator says that the clock is right."""
    with house.store.writing() as connection:
        newest = select(NEWEST.label("newest")).scalar_subquery()
        connection.execute(update(Outage).where(Outage.id == newest).values(flags_from=Outage.ended_at))


class Kept(NamedTuple):
    """When the server was down, and from when on flags may fall after it."""

    began_at: datetime
    ended_at: datetime
    flags_from: datetime


_LISTED = select(Outage.began_at, Outage.ended_at, Outage.flags_from).order_by(_NEWEST)


def listed(connection: Connection, most: int) -> list[Kept]:
    """List the newest outages, the latest first."""
    return rows_of(Kept, connection.execute(_LISTED.limit(most)))
