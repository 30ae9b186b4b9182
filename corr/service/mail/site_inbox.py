"""Stores emails to the site itself, with their sender and whether they are vouched for."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from corr import limits
from corr.mail.address import Token, TokenKind
from corr.mail.inward.authentication import dmarc_verdict
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.incoming_email import IncomingEmail, message_key, parse_email
from corr.service.mail import arrivals, bounces, doctor_email
from corr.service.mail.arrivals import Arrival
from corr.service.players import mail_preferences, mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.tables import SiteInboxRow
from corr.words.errors import Refused

log = logging.getLogger(__name__)

_ADDRESS_KINDS = (TokenKind.REPLY, TokenKind.BOUNCE, *mail_preferences.STOP_KINDS)


class SiteMessage(NamedTuple):
    """An email to the site itself, as stored."""

    id: int
    correspondent_id: int
    letter: int  # the number of our email that it answers; 0 if none
    vouched: bool  # whether our mail server vouches for its sender
    bounce: bool
    message_key: str
    received_at: datetime
    raw: bytes
    tries: int


def is_known(connection: Connection, address: str, domain: str) -> bool:
    """Whether this is a working secret address (reply, bounce or stop) of a mailbox, not a game's."""
    named = _find_named(connection, [address], domain, _ADDRESS_KINDS)
    return named is not None and (
        named[1].kind not in mail_preferences.STOP_KINDS or mail_preferences.is_valid_link(connection, *named)
    )


class _StoredEmail(NamedTuple):
    """How many recipients we know, its correspondent if stored, and whether it is new."""

    known: int
    correspondent: int | None = None
    is_new: bool = False


def store_email(server: Server, arrival: Arrival) -> int:
    """Take in an email to the site; return 1 if for us, else 0.

    At the public address, a stranger's email is ignored unless our own mail server vouches for its sender: an answer
    would go to the address that the email names. The return value does not show this, because it would reveal who is
    a player.
    """
    letter = parse_email(arrival.raw)
    with server.store.writing() as connection:
        taken = _store_from_sender(connection, server, arrival, letter)
    if taken.correspondent is not None:
        log.info(
            "received an email to the site" if taken.is_new else "received an email to the site again",
            extra={"correspondent": taken.correspondent},
        )
    return taken.known


def _store_from_sender(
    connection: Connection, server: Server, arrival: Arrival, letter: IncomingEmail
) -> _StoredEmail:
    """Store an email to the site by the address or reference that names its sender."""
    addresses = arrival.recipients or letter.to
    named = _find_named(connection, addresses, server.domain, _ADDRESS_KINDS)
    named = named or _find_named(
        connection, letter.references[: limits.REFERENCES_LOOKED_UP], server.domain, (TokenKind.LETTER,)
    )
    if named:
        who, token = named
        if token.kind in mail_preferences.STOP_KINDS:
            return _unsubscribe(connection, server, who, token, arrival, letter)
        bounce = bounces.is_likely_bounce(arrival, token)
        return _store(connection, who, arrival, number=token.number, vouched=False, bounce=bounce)
    if doctor_email.store_echo(connection, addresses, server.domain, arrival.raw):
        return _StoredEmail(1)
    if server.umpire not in map(str.lower, addresses):
        return _StoredEmail(0)
    vouched = dmarc_verdict(arrival.raw, server.authserv_id)
    writer = _find_sender(connection, server, letter, vouched, arrival)
    if writer and not (letter.automatic or arrival.from_nobody):
        return _store(connection, writer, arrival, number=0, vouched=vouched == "pass", bounce=False)
    return _StoredEmail(1)


def _unsubscribe(
    connection: Connection,
    server: Server,
    who: Correspondent,
    token: Token,
    arrival: Arrival,
    letter: IncomingEmail,
) -> _StoredEmail:
    """Unsubscribe a reader, whatever the email says, and regardless of its sender.

    The email is stored, so that a copy that comes later does not unsubscribe a reader who has resubscribed.
    """
    if not mail_preferences.is_valid_link(connection, who, token):
        return _StoredEmail(0)
    is_bounce = arrival.from_nobody or letter.automatic == BOUNCE
    if is_bounce:
        return _StoredEmail(1)
    done = {"read_at": arrival.received_at, "reading": "stopped"}
    taken = _store(connection, who, arrival, number=0, vouched=False, bounce=False, **done)
    if taken.is_new:
        mail_preferences.unsubscribe(connection, server, who, token.kind, arrival.received_at)
    return taken


def _find_named(
    connection: Connection, addresses: Iterable[str], domain: str, kinds: tuple[TokenKind, ...]
) -> tuple[Correspondent, Token] | None:
    """Find the first correspondent named by one of these addresses or Message-IDs of ours."""
    found = (mailboxes.find_by_token(connection, each, domain) for each in addresses)
    return next((each for each in found if each and each[1].kind in kinds), None)


def _find_sender(
    connection: Connection, server: Server, letter: IncomingEmail, vouched: str | None, arrival: Arrival
) -> Correspondent | None:
    """Return an email's sender, if a player or vouched for by our mail server; else None."""
    try:
        address = mailboxes.plain_address(letter.sender, server.domain)
    except Refused:
        return None
    if vouched == "pass":
        writer = mailboxes.find_or_create(connection, address, arrival.received_at)
        mailboxes.record_sender(connection, writer, address)
        return mailboxes.find_correspondent(connection, address)
    known = mailboxes.find_correspondent(connection, address)
    return known if vouched != "fail" and known and known.player_id is not None else None


def _store(
    connection: Connection,
    who: Correspondent,
    arrival: Arrival,
    *,
    number: int,
    vouched: bool,
    bounce: bool,
    **read: object,
) -> _StoredEmail:
    """Store an email to the site as this sender's; return whether it is new."""
    is_new = arrivals.store_once(
        connection,
        SiteInboxRow,
        who.id,
        message_key(arrival.raw),
        arrival,
        bounce=bounce,
        letter=number,
        vouched=vouched,
        **read,
    )
    return _StoredEmail(1, who.id, is_new)
