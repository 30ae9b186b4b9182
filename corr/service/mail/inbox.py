"""Stores each incoming email once, however often and by whichever route it comes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.mail.address import Token, TokenKind
from corr.mail.inward.incoming_email import message_key, parse_email
from corr.service.games.seats import Seat, seat_of_address, seat_of_void_address
from corr.service.mail import arrivals, bounces, doctor_email, site_inbox
from corr.service.mail.arrivals import Arrival
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import InboxRow, OutboxRow

log = logging.getLogger(__name__)

# A number that no slip will ever have; a reply to it answers an email that we lost.
_NO_SLIP = 2**24 - 1
# The key prefix of what a player said to a seat in an email about several games.
_PART = "part "
_SEEN_QUERY = select(OutboxRow.slip, OutboxRow.step).where(
    OutboxRow.seat_id == bindparam("seat"), OutboxRow.number == bindparam("letter")
)


class SeenSlip(NamedTuple):
    slip: int
    step: int | None


#: A seat that takes emails at an address, and the address's token; it never changes for an address.
SeatAddress: TypeAlias = tuple[Seat, Token]


def find_seat_address(server: Server, address: str) -> SeatAddress | None:
    """Return the seat that takes emails at an address, with its token; else None."""
    with server.store.asking() as connection:
        return next(iter(_find_seat_addresses(connection, server.domain, [address])), None)


def is_site_address(server: Server, address: str) -> bool:
    """Whether the site takes emails at an address that is no seat's."""
    if address.lower() == server.umpire:
        return True
    with server.store.asking() as connection:
        return site_inbox.is_known(connection, address, server.domain) or doctor_email.is_echo_address(
            connection, address, server.domain
        )


def store_email(server: Server, arrival: Arrival, known: Sequence[SeatAddress] = ()) -> int:
    """Store an email once for each known recipient, a seat or the site; return how many.

    The same email may come any number of times, by any route. `known` holds its seats, if all were looked up already.
    """
    known = known or _find_recipients(server, arrival)
    if known:
        key = message_key(arrival.raw)
        with server.store.writing() as connection:
            kept = [(seat.id, _store(connection, seat, token, key, arrival)) for seat, token in known]
        for seat_id, is_new in kept:
            log.info("received an email" if is_new else "received an email again", extra={"seat": seat_id})
        return len(known)
    return site_inbox.store_email(server, arrival)


def store_part(
    connection: Connection, domain: str, address: str, step: int | None, key: str, arrival: Arrival
) -> None:
    """Store a game's part of an email about several games, which has key `key`."""
    for seat, token in _find_seat_addresses(connection, domain, [address]):
        _store(connection, seat, token, f"{_PART}{key}", arrival, SeenSlip(token.number, step))


def is_part(key: str) -> bool:
    """Whether a stored key belongs to an email about several games."""
    return key.startswith(_PART)


def store_unreadable_part(
    connection: Connection, seat_id: int, slip: int, key: str, arrival: Arrival, **read: object
) -> None:
    """Record for a game that an unreadable email may have been about it."""
    beside = {"slip": slip, "recipients": "[]", "reading": "failed", **read}
    arrivals.store_once(connection, InboxRow, seat_id, f"{_PART}{key}", arrival, bounce=False, **beside)


def _find_recipients(server: Server, arrival: Arrival) -> Sequence[SeatAddress]:
    """Find an email's seats by envelope, else headers, else our email that it answers."""
    domain = server.domain
    with server.store.reading() as connection:
        if found := _find_seat_addresses(connection, domain, arrival.recipients):
            return found
        letter = parse_email(arrival.raw)
        if found := _find_seat_addresses(connection, domain, letter.to):
            return found
        references = letter.references[: limits.REFERENCES_LOOKED_UP]
        answered = (seat_of_address(connection, each, domain) for each in references)
        return list(islice((each for each in answered if each and each[1].kind is TokenKind.LETTER), 1))


def _find_seat_addresses(connection: Connection, domain: str, addresses: Iterable[str]) -> list[SeatAddress]:
    """Return the seats that take emails at these addresses, even at outdated ones."""
    found = (
        seat_of_address(connection, address, domain) or seat_of_void_address(connection, address, domain)
        for address in addresses
    )
    return [each for each in found if each is not None and each[1].kind is not TokenKind.LETTER]


def _find_seen(connection: Connection, seat: Seat, token: Token) -> SeenSlip:
    """Return the newest slip (umpire's message) that an email's sender had read, by its address."""
    if token.kind not in (TokenKind.CONFIRM, TokenKind.READY, TokenKind.LETTER):
        return SeenSlip(token.number, None)
    asked = {"seat": seat.id, "letter": token.number}
    seen = one_or_none_of(SeenSlip, connection.execute(_SEEN_QUERY, asked)) or SeenSlip(_NO_SLIP, None)
    return seen._replace(step=None) if token.kind is TokenKind.LETTER else seen


def _store(
    connection: Connection, seat: Seat, token: Token, key: str, arrival: Arrival, seen: SeenSlip | None = None
) -> bool:
    """Store an email for one seat; return whether it is new."""
    slip, step = seen or _find_seen(connection, seat, token)
    return arrivals.store_once(
        connection,
        InboxRow,
        seat.id,
        key,
        arrival,
        bounce=bounces.is_likely_bounce(arrival, token),
        slip=slip,
        step=step,
        recipients=json.dumps(list(arrival.recipients)),
    )
