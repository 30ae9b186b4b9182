"""Letters in a player's name that wait until their player has said that they are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.desk.letters.opened import SEAT_LETTER, SeatLetter
from corr.desk.people import zones
from corr.desk.table.seats import Seat
from corr.desk.table.sitting import Sitting
from corr.store.rows import one_or_none_of
from corr.store.tables import InboxRow, Moment, OutboxRow
from corr.words.orders import Order

#: How a letter was read that waits to be confirmed.
WAITING = "to be confirmed"
_DAY = timedelta(days=1)

_ASKS = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.kind == "doubted")
_ASKED = (
    select(OutboxRow.made_at).where(_ASKS).order_by(OutboxRow.number.desc()).limit(limits.CONFIRMATIONS_A_DAY)
)
_ASKED_BY = (
    select(*SEAT_LETTER)
    .join(OutboxRow, OutboxRow.inbox_id == InboxRow.id)
    .where(_ASKS, OutboxRow.number == bindparam("asked_by"))
    .where(InboxRow.reading == WAITING, InboxRow.received_at > bindparam("since", type_=Moment))
)


def may_ask(connection: Connection, seat: Seat, now: datetime) -> bool:
    """Whether the player is asked about one letter more today: what others send is to keep out no letter for long."""
    lately = connection.execute(_ASKED, {"seat": seat.id}).scalars()
    return sum(made_at > now - _DAY for made_at in lately) < limits.CONFIRMATIONS_A_DAY


def kept(connection: Connection, seat: Seat, asked_by: int, now: datetime) -> SeatLetter | None:
    """The letter about which one of ours asks, if it waits to be confirmed."""
    asked = {"seat": seat.id, "asked_by": asked_by, "since": now - limits.CONFIRMATION_LIFE}
    return one_or_none_of(SeatLetter, connection.execute(_ASKED_BY, asked))


def ask(sitting: Sitting, seat: Seat, why: str, orders: Sequence[Order], letter: int, came: datetime) -> None:
    """Ask the player, by a letter with an address of its own, whether they wrote another one."""
    sitting.write(
        seat.side,
        "doubted",
        letter,
        why=why,
        orders=[str(order) for order in orders],
        came=zones.worded(came, seat.zone),
        days=limits.CONFIRMATION_LIFE.days,
        most=limits.CONFIRMATIONS_A_DAY,
    )
