"""Letters in: each taken in once, however often and whichever way it comes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.mail.address import Kind, Token
from corr.mail.inward.fingerprint import message_key
from corr.mail.inward.letter import open_letter
from corr.service.games.seats import Seat, seat_of_address, seat_of_void_address
from corr.service.house import House
from corr.service.mail import bounces, deduplication, doctor_email, site_inbox
from corr.service.mail.arrival import Arrival
from corr.store.rows import one_or_none_of
from corr.store.tables import InboxRow, OutboxRow

log = logging.getLogger(__name__)

# A number that no slip will ever have: what is said in answer to it answers a letter that we lost.
_NO_SLIP = 2**24 - 1
# What the key begins with of what was said to a seat in a letter for several games.
_PART = "part "
_SEEN_IN_LETTER = select(OutboxRow.slip, OutboxRow.step).where(
    OutboxRow.seat_id == bindparam("seat"), OutboxRow.number == bindparam("letter")
)


class Seen(NamedTuple):
    """What the writer of a letter had before them: a slip, and the step after it where the address tells it."""

    slip: int
    step: int | None


#: A seat that takes letters at an address, and what the address says; of an address it never changes.
Letterbox: TypeAlias = tuple[Seat, Token]


def letterbox(house: House, address: str) -> Letterbox | None:
    """The seat that takes letters at an address."""
    with house.store.asking() as connection:
        return next(iter(_letterboxes(connection, house.domain, [address])), None)


def is_of_the_site(house: House, address: str) -> bool:
    """True if a letter to an address of no seat would be taken in, for all that its envelope tells."""
    if address.lower() == house.umpire:
        return True
    with house.store.asking() as connection:
        return site_inbox.is_known(connection, address, house.domain) or doctor_email.is_awaited(
            connection, address, house.domain
        )


def drop(house: House, arrival: Arrival, known: Sequence[Letterbox] = ()) -> int:
    """Take in a letter for those of its recipients that we know, each once; how many were known.

    The same letter may come any number of times, by any way. One that is about no game is for the site.
    `known` are the recipients' letterboxes, if all of them have been looked up already.
    """
    known = known or _known(house, arrival)
    if known:
        key = message_key(arrival.raw)
        with house.store.writing() as connection:
            kept = [(seat.id, _keep(connection, seat, token, key, arrival)) for seat, token in known]
        for seat_id, is_new in kept:
            log.info("received an email" if is_new else "an email came again", extra={"seat": seat_id})
        return len(known)
    return site_inbox.drop(house, arrival)


def take_part(
    connection: Connection, domain: str, address: str, step: int | None, key: str, arrival: Arrival
) -> None:
    """Take in what a letter to the site, known by a key, says to the seat that has this address."""
    for seat, token in _letterboxes(connection, domain, [address]):
        _keep(connection, seat, token, f"{_PART}{key}", arrival, Seen(token.number, step))


def is_part(key: str) -> bool:
    """Whether what came under a key to a seat was said in a letter for several games."""
    return key.startswith(_PART)


def put_part_aside(
    connection: Connection, seat_id: int, slip: int, key: str, arrival: Arrival, **read: object
) -> None:
    """Note that a letter to the site may have said something to a seat, which could not be read."""
    beside = {"slip": slip, "recipients": "[]", "reading": "failed", **read}
    deduplication.keep(connection, InboxRow, seat_id, f"{_PART}{key}", arrival, bounce=False, **beside)


def _known(house: House, arrival: Arrival) -> Sequence[Letterbox]:
    with house.store.reading() as connection:
        return _letterboxes(connection, house.domain, arrival.recipients) or _letterboxes(
            connection, house.domain, _by_headers(connection, house.domain, arrival.raw)
        )


def _letterboxes(connection: Connection, domain: str, addresses: Iterable[str]) -> list[Letterbox]:
    """The seats that take letters at some addresses, void ones too; a Message-ID of ours is no letterbox."""
    found = (
        seat_of_address(connection, address, domain) or seat_of_void_address(connection, address, domain)
        for address in addresses
    )
    return [each for each in found if each is not None and each[1].kind is not Kind.LETTER]


def _by_headers(connection: Connection, domain: str, raw: bytes) -> Iterable[str]:
    """Where a letter is meant to go whose envelope names no seat: its headers, or the letter that it answers."""
    letter = open_letter(raw)
    if _letterboxes(connection, domain, letter.to):
        return letter.to
    answered = (_seat_address(connection, each, domain) for each in letter.references[: limits.LETTERS_NAMED])
    return [address for address in answered if address][:1]


def _seat_address(connection: Connection, message_id: str, domain: str) -> str | None:
    """The reply address of the letter of ours that a Message-ID names; of no slip at all where it is lost."""
    found = seat_of_address(connection, message_id, domain)
    if found is None or found[1].kind is not Kind.LETTER:
        return None
    seat, token = found
    return seat.signet.mailbox(Kind.REPLY, _seen_in(connection, seat, token.number).slip, domain)


def _seen(connection: Connection, seat: Seat, token: Token) -> Seen:
    """What whoever writes to an address had before them: it names a slip, or a letter of ours."""
    if token.kind in (Kind.CONFIRM, Kind.READY):
        return _seen_in(connection, seat, token.number)
    return Seen(token.number, None)


def _seen_in(connection: Connection, seat: Seat, letter: int) -> Seen:
    """What one of our letters tells of."""
    asked = {"seat": seat.id, "letter": letter}
    return one_or_none_of(Seen, connection.execute(_SEEN_IN_LETTER, asked)) or Seen(_NO_SLIP, None)


def _keep(
    connection: Connection, seat: Seat, token: Token, key: str, arrival: Arrival, seen: Seen | None = None
) -> bool:
    """Keep what came for a seat; whether it is new."""
    slip, step = seen or _seen(connection, seat, token)
    return deduplication.keep(
        connection,
        InboxRow,
        seat.id,
        key,
        arrival,
        bounce=bounces.came_back(arrival, token),
        slip=slip,
        step=step,
        recipients=json.dumps(list(arrival.recipients)),
    )
