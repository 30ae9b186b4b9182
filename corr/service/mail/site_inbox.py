"""Takes in emails to the site, and decides whose they are and whether our mail server vouches for that."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from corr import limits
from corr.mail.address import Kind, Token
from corr.mail.inward.authentication import verdict
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.fingerprint import message_key
from corr.mail.inward.letter import Letter, open_letter
from corr.service.house import House
from corr.service.mail import bounces, deduplication, doctor_email
from corr.service.mail.arrival import Arrival
from corr.service.players import mailboxes, unsubscribe
from corr.service.players.mailboxes import Correspondent
from corr.store.tables import SiteInboxRow
from corr.words.errors import Refused

log = logging.getLogger(__name__)

_LETTERBOXES = (Kind.REPLY, Kind.BOUNCE, *unsubscribe.STOPS)


class SiteLetter(NamedTuple):
    """What a correspondent sent, as stored."""

    id: int
    correspondent_id: int
    letter: int
    vouched: bool
    bounce: bool
    message_key: str
    received_at: datetime
    raw: bytes
    tries: int


#: The columns of a `SiteLetter`.
SITE_LETTER = (
    SiteInboxRow.id,
    SiteInboxRow.correspondent_id,
    SiteInboxRow.letter,
    SiteInboxRow.vouched,
    SiteInboxRow.bounce,
    SiteInboxRow.message_key,
    SiteInboxRow.received_at,
    SiteInboxRow.raw,
    SiteInboxRow.tries,
)


def is_known(connection: Connection, address: str, domain: str) -> bool:
    """Whether an address is the secret one of our email, and still works."""
    named = _named(connection, [address], domain, _LETTERBOXES)
    return named is not None and (
        named[1].kind not in unsubscribe.STOPS or unsubscribe.is_good(connection, *named)
    )


class _Taken(NamedTuple):
    """How many recipients we know, its correspondent if stored, and whether it is new."""

    known: int
    correspondent: int | None = None
    is_new: bool = False


def drop(house: House, arrival: Arrival) -> int:
    """Take in an email to the site; return 1 if for us, else 0.

    At the public address, a stranger's email is ignored unless our own mail server vouches for its sender: an answer
    would go to the address that the email names. The return value does not show this, because it would reveal who is
    a player.
    """
    letter = open_letter(arrival.raw)
    with house.store.writing() as connection:
        taken = _take_in(connection, house, arrival, letter)
    if taken.correspondent is not None:
        log.info(
            "received an email to the site" if taken.is_new else "an email to the site came again",
            extra={"correspondent": taken.correspondent},
        )
    return taken.known


def _take_in(connection: Connection, house: House, arrival: Arrival, letter: Letter) -> _Taken:
    addresses = arrival.recipients or letter.to
    named = _named(connection, addresses, house.domain, _LETTERBOXES)
    named = named or _named(
        connection, letter.references[: limits.LETTERS_NAMED], house.domain, (Kind.LETTER,)
    )
    if named:
        who, token = named
        if token.kind in unsubscribe.STOPS:
            return _stop(connection, house, who, token, arrival, letter)
        bounce = bounces.came_back(arrival, token)
        return _keep(connection, who, arrival, number=token.number, vouched=False, bounce=bounce)
    if doctor_email.came_back(connection, addresses, house.domain, arrival.raw):
        return _Taken(1)
    if house.umpire not in map(str.lower, addresses):
        return _Taken(0)
    vouched = verdict(arrival.raw, house.authserv_id)
    writer = _writer(connection, house, letter, vouched, arrival)
    if writer and not (letter.automatic or arrival.from_nobody):
        return _keep(connection, writer, arrival, number=0, vouched=vouched == "pass", bounce=False)
    return _Taken(1)


def _stop(
    connection: Connection, house: House, who: Correspondent, token: Token, arrival: Arrival, letter: Letter
) -> _Taken:
    """Unsubscribe a reader, whatever the email says, and regardless of its sender.

    The email is stored: if it comes again after its reader has resubscribed, it does not unsubscribe them a second
    time.
    """
    if not unsubscribe.is_good(connection, who, token):
        return _Taken(0)
    is_bounce = arrival.from_nobody or letter.automatic == BOUNCE
    if is_bounce:
        return _Taken(1)
    done = {"read_at": arrival.received_at, "reading": "stopped"}
    taken = _keep(connection, who, arrival, number=0, vouched=False, bounce=False, **done)
    if taken.is_new:
        unsubscribe.stop(connection, house, who, token.kind, arrival.received_at)
    return taken


def _named(
    connection: Connection, addresses: Iterable[str], domain: str, kinds: tuple[Kind, ...]
) -> tuple[Correspondent, Token] | None:
    """Find the first correspondent named by one of these addresses or Message-IDs of ours."""
    found = (mailboxes.of_address(connection, each, domain) for each in addresses)
    return next((each for each in found if each and each[1].kind in kinds), None)


def _writer(
    connection: Connection, house: House, letter: Letter, vouched: str | None, arrival: Arrival
) -> Correspondent | None:
    """Find the sender to the public address, if a player or vouched for."""
    try:
        address = mailboxes.plain_address(letter.sender, house.domain)
    except Refused:
        return None
    if vouched == "pass":
        writer = mailboxes.known_or_new(connection, address, arrival.received_at)
        mailboxes.wrote(connection, writer, address)
        return mailboxes.known(connection, address)
    known = mailboxes.known(connection, address)
    return known if vouched != "fail" and known and known.player_id is not None else None


def _keep(
    connection: Connection,
    who: Correspondent,
    arrival: Arrival,
    *,
    number: int,
    vouched: bool,
    bounce: bool,
    **read: object,
) -> _Taken:
    is_new = deduplication.keep(
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
    return _Taken(1, who.id, is_new)
