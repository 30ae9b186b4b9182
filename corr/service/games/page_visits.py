"""Records page visits before the turn's email went out, which count as hearing of the turn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select, update

from corr.service.house import House
from corr.store.tables import Moment, OutboxRow, SeatRow


@dataclass(frozen=True, slots=True)
class Unheard:
    """A seat, its email about the turn, and when its page was requested."""

    seat: int
    telling: int
    now: datetime


def unheard(seat: int, telling: int | None, opened: int | None, now: datetime) -> Unheard | None:
    """Return the email that a turn's clock may wait for; None after a page visit."""
    return None if telling is None or opened == telling else Unheard(seat, telling, now)


_WENT_OUT = select(OutboxRow.id).where(
    OutboxRow.seat_id == bindparam("seat"),
    OutboxRow.number >= bindparam("letter"),
    OutboxRow.sent_at.is_not(None),
)
_IS_NEW = SeatRow.opened.is_distinct_from(bindparam("letter"))
_OPEN = update(SeatRow).where(
    SeatRow.id == bindparam("seat"), SeatRow.telling == bindparam("letter"), _IS_NEW
)
_OPEN = _OPEN.values(opened=bindparam("letter"), opened_at=bindparam("now", type_=Moment))


def note(house: House, page: Unheard) -> None:
    """Record when a page was opened, unless the turn's email had gone out."""
    asked = {"seat": page.seat, "letter": page.telling}
    with house.store.asking() as connection:
        if connection.execute(_WENT_OUT.limit(1), asked).scalar_one_or_none():
            return
    with house.store.writing() as connection:
        connection.execute(_OPEN, {**asked, "now": page.now})
