"""Records page visits before the turn's email went out, which count as hearing of the turn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select, update

from corr.service.server import Server
from corr.store.tables import Moment, OutboxRow, SeatRow


@dataclass(frozen=True, slots=True)
class PageVisit:
    """A seat, its email about the turn, and when its page was requested."""

    seat: int
    telling: int
    now: datetime


def make_visit(seat: int, telling: int | None, opened: int | None, now: datetime) -> PageVisit | None:
    """Return the email that a turn's clock may wait for; None after a page visit."""
    return None if telling is None or opened == telling else PageVisit(seat, telling, now)


_SENT_QUERY = select(OutboxRow.id).where(
    OutboxRow.seat_id == bindparam("seat"),
    OutboxRow.number >= bindparam("letter"),
    OutboxRow.sent_at.is_not(None),
)
_IS_FIRST_VISIT = SeatRow.opened.is_distinct_from(bindparam("letter"))
_OPENED_UPDATE = update(SeatRow).where(
    SeatRow.id == bindparam("seat"), SeatRow.telling == bindparam("letter"), _IS_FIRST_VISIT
)
_OPENED_UPDATE = _OPENED_UPDATE.values(opened=bindparam("letter"), opened_at=bindparam("now", type_=Moment))


def record_visit(server: Server, page: PageVisit) -> None:
    """Record when a page was opened, unless the turn's email had gone out."""
    asked = {"seat": page.seat, "letter": page.telling}
    with server.store.asking() as connection:
        if connection.execute(_SENT_QUERY.limit(1), asked).scalar_one_or_none():
            return
    with server.store.writing() as connection:
        connection.execute(_OPENED_UPDATE, {**asked, "now": page.now})
