"""Letters in a player's name that wait until their player has said that they are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from corr.desk import zones
from corr.desk.seats import Seat
from corr.desk.sitting import Sitting
from corr.store.tables import InboxRow, OutboxRow
from corr.words import Order

#: How a letter was read that waits to be confirmed.
WAITING = "to be confirmed"
LIFE = timedelta(days=7)
_DAY = timedelta(days=1)
_MOST_A_DAY = 3

_ASKS = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.kind == "doubted")
_ASKED = select(OutboxRow.made_at).where(_ASKS).order_by(OutboxRow.number.desc()).limit(_MOST_A_DAY)
_ASKED_BY = (
    select(InboxRow.__table__)
    .join(OutboxRow, OutboxRow.inbox_id == InboxRow.id)
    .where(_ASKS, OutboxRow.number == bindparam("asked_by"))
)


def may_ask(connection: Connection, seat: Seat, now: datetime) -> bool:
    """Whether the player is asked about one letter more today: what others send is to keep out no letter for long."""
    lately = connection.execute(_ASKED, {"seat": seat.id}).scalars()
    return sum(made_at > now - _DAY for made_at in lately) < _MOST_A_DAY


def kept(connection: Connection, seat: Seat, asked_by: int, now: datetime) -> Row[*tuple[Any, ...]] | None:
    """The letter about which one of ours asks, if it waits to be confirmed."""
    found = connection.execute(_ASKED_BY, {"seat": seat.id, "asked_by": asked_by}).one_or_none()
    return found if _waits(found, now) else None


def _waits(row: Row[*tuple[Any, ...]] | None, now: datetime) -> bool:
    return row is not None and row.reading == WAITING and row.received_at > now - LIFE


def ask(sitting: Sitting, seat: Seat, why: str, orders: Sequence[Order], letter: int, came: datetime) -> None:
    """Ask the player, by a letter with an address of its own, whether they wrote another one."""
    sitting.write(
        seat.side,
        "doubted",
        letter,
        why=why,
        orders=[str(order) for order in orders],
        came=zones.worded(came, seat.zone),
        days=LIFE.days,
        most=_MOST_A_DAY,
    )
