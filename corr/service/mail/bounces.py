"""Handles bounces: they give no order and get no answer, and admins learn of them.

`corr/mail/inward/automatic_mail.py` knows a bounce by its headers. A bounce that comes to the envelope sender of one
of our emails has consequences, even if it gives no reason: the email counts as not delivered, and its mailbox has
failed once more. Anyone who reads an email can forge a bounce of it, so each email bounces once, and no game waits
longer for it than for any late email.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from corr.mail.address import Kind, Token
from corr.mail.failure_codes import Failure
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.bounce_report import report_of
from corr.mail.inward.letter import Letter
from corr.messages import sentence
from corr.service.games import bounced_turns
from corr.service.games.game_session import Sitting
from corr.service.games.seats import Seat
from corr.service.mail.arrival import Arrival
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.store.rows import rows_of
from corr.store.tables import InboxRow, Player, SeatRow

log = logging.getLogger(__name__)

#: The reading of a bounce.
READING = f"automatic: {BOUNCE}"


def came_back(arrival: Arrival, token: Token) -> bool:
    """Whether an email came as bounces do: from nobody, or to our envelope sender."""
    return arrival.from_nobody or token.kind is Kind.BOUNCE


def automatic(letter: Letter, *, came_back: bool) -> str | None:
    """Return why nobody waits for an answer to this email; None if a person does."""
    return letter.automatic or (BOUNCE if came_back else None)


def failure_of(raw: bytes, letter: Letter, *, is_readers: bool) -> Failure | None:
    """Return the failure that a bounce reports; None if our email may have arrived.

    A bounce without a reason counts as a failure, but an email that the reader wrote by hand does not.
    """
    return None if is_readers and not letter.automatic else report_of(raw)


def come_back(sitting: Sitting, seat: Seat, letter: int, failure: Failure) -> None:
    """Record that an email to a seat bounced."""
    untold = sentence("mail.no_status") if failure.is_clear else sentence("mail.no_reason")
    why = sentence("mail.came_back", status=failure.status or untold)
    if bounced_turns.come_back(sitting, seat.side, letter, why):
        bouncing_mailboxes.count(
            sitting.connection, mailboxes.of_player(sitting.connection, seat.player_id), failure, sitting.now
        )


def log_one(named: Mapping[str, int]) -> None:
    """Log a bounce that was read, by its seat or correspondent."""
    log.warning("a bounce came" if "seat" in named else "a bounce came to the site", extra=named)


class BouncedMail(NamedTuple):
    """A player whose emails bounced: how often, and when last."""

    name: str
    address_key: str
    times: int
    newest: datetime


def lately(
    connection: Connection, since: datetime, may_be_told: ColumnElement[bool], most: int
) -> list[BouncedMail]:
    """List players whose emails bounced, newest first, counting only seats that may be shown."""
    newest = func.max(InboxRow.received_at)
    bounced = (
        select(Player.name, Player.address_key, func.count().label("times"), newest.label("newest"))
        .join(SeatRow, SeatRow.player_id == Player.id)
        .join(InboxRow, InboxRow.seat_id == SeatRow.id)
        .where(InboxRow.reading == READING, InboxRow.received_at > since)
        .where(may_be_told)
        .group_by(Player.id, Player.name, Player.address_key)
        .order_by(newest.desc())
    )
    return rows_of(BouncedMail, connection.execute(bounced.limit(most)))
