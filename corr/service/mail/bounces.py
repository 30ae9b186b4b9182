"""Handles bounces: they give no order and get no answer, and admins learn of them.

`corr/mail/inward/automatic_mail.py` knows a bounce by its headers. If it came to the envelope sender of one of our
emails, that email counts as not delivered and its mailbox has failed once more. Anyone who reads an email can forge a
bounce of it, so each email bounces once, and no game waits longer for it than for any late email.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from corr.mail.address import Token, TokenKind
from corr.mail.failure_reason import Failure
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.bounce_report import read_bounce
from corr.mail.inward.incoming_email import IncomingEmail
from corr.service.games import bounced_turns
from corr.service.games.game_session import GameSession
from corr.service.games.seats import Seat
from corr.service.mail.arrivals import Arrival
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.store.rows import rows_of
from corr.store.tables import InboxRow, PlayerRow, SeatRow
from corr.text.messages import sentence

log = logging.getLogger(__name__)

#: The reading of a bounce.
BOUNCE_READING = f"automatic: {BOUNCE}"


def is_likely_bounce(arrival: Arrival, token: Token) -> bool:
    """Whether an email came as bounces do: without an envelope sender, or to one of ours."""
    return arrival.from_nobody or token.kind is TokenKind.BOUNCE


def find_automatic_reason(letter: IncomingEmail, *, came_back: bool) -> str | None:
    """Return why an email counts as automatic and gets no answer; else None."""
    return letter.automatic or (BOUNCE if came_back else None)


class BouncedEmail(NamedTuple):
    letter: int  # which of our emails bounced, by its number
    failure: Failure


def find_bounced(
    raw: bytes, letter: IncomingEmail, ours: Sequence[Token], is_readers: Callable[[], bool]
) -> BouncedEmail | None:
    """Return which of our emails a bounce is about, and why; None if nothing failed.

    A bounce without a reason counts as a failure, but an email that the reader wrote by hand does not.
    """
    if not ours or (is_readers() and not letter.automatic):
        return None
    failure = read_bounce(raw)
    return BouncedEmail(ours[0].number, failure) if failure else None


def record_bounce(session: GameSession, seat: Seat, letter: int, failure: Failure) -> None:
    """Record that our email to a seat bounced, and count it against the player's mailbox."""
    untold = sentence("mail.no_status") if failure.is_clear else sentence("mail.no_reason")
    why = sentence("mail.came_back", status=failure.status or untold)
    if bounced_turns.record_bounce(session, seat.side, letter, why):
        bouncing_mailboxes.count_bounce(
            session.connection,
            mailboxes.load_main_mailbox(session.connection, seat.player_id),
            failure,
            session.now,
        )


def log_bounce(named: Mapping[str, int]) -> None:
    """Log a bounce; `named` has the ids to log."""
    log.warning("received a bounce" if "seat" in named else "received a bounce to the site", extra=named)


class BouncedPlayerRow(NamedTuple):
    name: str
    address_key: str
    times: int
    newest: datetime


def list_recent(
    connection: Connection, since: datetime, may_be_told: ColumnElement[bool], most: int
) -> list[BouncedPlayerRow]:
    """List the players whose game emails bounced since a time, latest first, for admins."""
    newest = func.max(InboxRow.received_at)
    bounced = (
        select(PlayerRow.name, PlayerRow.address_key, func.count().label("times"), newest.label("newest"))
        .join(SeatRow, SeatRow.player_id == PlayerRow.id)
        .join(InboxRow, InboxRow.seat_id == SeatRow.id)
        .where(InboxRow.reading == BOUNCE_READING, InboxRow.received_at > since)
        .where(may_be_told)
        .group_by(PlayerRow.id, PlayerRow.name, PlayerRow.address_key)
        .order_by(newest.desc())
    )
    return rows_of(BouncedPlayerRow, connection.execute(bounced.limit(most)))
