"""Holds emails in a player's name until the player confirms that they wrote them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.service.games.game_session import GameSession
from corr.service.games.seats import Seat
from corr.service.mail.email_contents import SEAT_MESSAGE_COLUMNS, OpenedMessage, SeatMessage
from corr.service.players import time_zones
from corr.store.rows import one_or_none_of
from corr.store.tables import InboxRow, Moment, OutboxRow

#: The reading of an email that waits to be confirmed.
WAITING_READING = "to be confirmed"

_IS_QUESTION = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.kind == "doubted")
_HELD_EMAIL_QUERY = (
    select(*SEAT_MESSAGE_COLUMNS)
    .join(OutboxRow, OutboxRow.inbox_id == InboxRow.id)
    .where(_IS_QUESTION, OutboxRow.number == bindparam("asked_by"))
    .where(InboxRow.reading == WAITING_READING, InboxRow.received_at > bindparam("since", type_=Moment))
)


def load_held_email(connection: Connection, seat: Seat, asked_by: int, now: datetime) -> SeatMessage | None:
    """Return the email that one of ours asks about, if it still waits for confirmation."""
    asked = {"seat": seat.id, "asked_by": asked_by, "since": now - limits.CONFIRMATION_LIFE}
    return one_or_none_of(SeatMessage, connection.execute(_HELD_EMAIL_QUERY, asked))


def ask_player(session: GameSession, opened: OpenedMessage, why: str) -> None:
    """Ask the player, by an email with its own address, whether they wrote another one."""
    session.write(
        opened.seat.side,
        "doubted",
        opened.id,
        why=why,
        sender=opened.letter.sender if opened.letter else "",
        orders=[str(order) for order in opened.reading.orders],
        came=time_zones.word_moment(opened.received_at, opened.seat.zone),
        days=limits.CONFIRMATION_LIFE.days,
        most=limits.CONFIRMATIONS_A_DAY,
    )
