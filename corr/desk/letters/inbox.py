"""Letters in: each taken in once, however often and whichever way it comes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.desk.house import House
from corr.desk.letters import bounces, receipt, site_inbox
from corr.desk.letters.arrival import Arrival
from corr.desk.table.seats import Seat, seat_of_address, seat_of_void_address
from corr.mail.address import Kind, Token
from corr.mail.inward.fingerprint import message_key
from corr.mail.inward.letter import open_letter
from corr.store.tables import InboxRow, OutboxRow

log = logging.getLogger(__name__)

# A number that no slip will ever have: what is said in answer to it answers a letter that we lost.
_NO_SLIP = 2**24 - 1
# What the key begins with of what was said to a seat in a letter for several games.
_PART = "part "
_SLIP_OF_LETTER = select(OutboxRow.slip).where(
    OutboxRow.seat_id == bindparam("seat"), OutboxRow.number == bindparam("letter")
)


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
        return site_inbox.is_known(connection, address, house.domain)


def drop(house: House, arrival: Arrival, known: Sequence[Letterbox] = ()) -> int:
    """Take in a letter for those of its recipients that we know, each once; how many were known.

    The same letter may come any number of times, by any way. One that is about no game is for the site.
    `known` are the recipients' letterboxes, if all of them have been looked up already.
    """
    known = known or _known(house, arrival)
    if known:
        key = message_key(arrival.raw)
        with house.store.writing() as connection:
            for seat, token in known:
                _keep(connection, seat, token, key, arrival)
        return len(known)
    return site_inbox.drop(house, arrival)


def take_part(connection: Connection, domain: str, address: str, key: str, arrival: Arrival) -> None:
    """Take in what a letter to the site, known by a key, says to the seat that has this address."""
    for seat, token in _letterboxes(connection, domain, [address]):
        _keep(connection, seat, token, f"{_PART}{key}", arrival)


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
    return seat.signet.mailbox(Kind.REPLY, _slip_of(connection, seat, token.number), domain)


def _slip_of(connection: Connection, seat: Seat, letter: int) -> int:
    """The slip that one of our letters tells of."""
    slip = connection.execute(_SLIP_OF_LETTER, {"seat": seat.id, "letter": letter}).scalar_one_or_none()
    return _NO_SLIP if slip is None else slip


def _keep(connection: Connection, seat: Seat, token: Token, key: str, arrival: Arrival) -> None:
    is_new = receipt.keep(
        connection,
        InboxRow,
        seat.id,
        key,
        arrival,
        bounce=bounces.came_back(arrival, token),
        slip=_slip_of(connection, seat, token.number) if token.kind is Kind.CONFIRM else token.number,
        recipients=json.dumps(list(arrival.recipients)),
    )
    log.info("a letter was taken in" if is_new else "a letter came again", extra={"seat": seat.id})
