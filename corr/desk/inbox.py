"""Letters in: each taken in once, however often and whichever way it comes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, select

from corr.desk import site_inbox
from corr.desk.arrival import Arrival
from corr.desk.house import House
from corr.desk.seats import Seat, seat_of_address, seat_of_void_address
from corr.mail.address import Kind, Token
from corr.mail.fingerprint import is_alike, message_key, other_key
from corr.mail.letter import open_letter
from corr.store.once import insert_once
from corr.store.tables import InboxRow, OutboxRow

log = logging.getLogger(__name__)

_MOST_ANSWERED = 20
# A number that no slip will ever have: what is said in answer to it answers a letter that we lost.
_NO_SLIP = 2**24 - 1
_SLIP_OF_LETTER = select(OutboxRow.slip).where(
    OutboxRow.seat_id == bindparam("seat"), OutboxRow.number == bindparam("letter")
)


def is_known(house: House, address: str) -> bool:
    """True if a letter to an address would be taken in, for all that its envelope tells."""
    if address.lower() == house.umpire:
        return True
    with house.store.asking() as connection:
        is_seat = bool(_letterboxes(connection, house.domain, [address]))
        return is_seat or site_inbox.is_known(connection, address, house.domain)


def drop(house: House, arrival: Arrival) -> int:
    """Take in a letter for those of its recipients that we know, each once; how many were known.

    The same letter may come any number of times, by any way. One that is about no game is for the site.
    """
    with house.store.reading() as connection:
        known = _letterboxes(connection, house.domain, arrival.recipients)
        if not known:
            known = _letterboxes(connection, house.domain, _by_headers(connection, house.domain, arrival.raw))
    if known:
        key = message_key(arrival.raw)
        with house.store.writing() as connection:
            for seat, token in known:
                _keep(connection, seat, token, key, arrival)
        return len(known)
    return site_inbox.drop(house, arrival)


def _letterboxes(connection: Connection, domain: str, addresses: Iterable[str]) -> list[tuple[Seat, Token]]:
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
    answered = (_seat_address(connection, each, domain) for each in letter.references[:_MOST_ANSWERED])
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


_KEPT = select(InboxRow.raw).where(
    InboxRow.seat_id == bindparam("seat"), InboxRow.message_key == bindparam("key")
)


def _says_something_else(connection: Connection, seat: Seat, key: str, raw: bytes) -> bool:
    """Whether the letter that has come under a key before was another one."""
    kept = connection.execute(_KEPT, {"seat": seat.id, "key": key}).scalar_one()
    return not is_alike(raw, kept)


def _keep(connection: Connection, seat: Seat, token: Token, key: str, arrival: Arrival) -> None:
    bounce = arrival.from_nobody or token.kind is Kind.BOUNCE
    # A bounce must not swallow a letter that names the same Message-ID.
    row = {
        "seat_id": seat.id,
        "slip": _slip_of(connection, seat, token.number) if token.kind is Kind.CONFIRM else token.number,
        "bounce": bounce,
        "recipients": json.dumps(list(arrival.recipients)),
        "raw": arrival.raw,
        "received_at": arrival.received_at,
        "tries": 0,
    }
    is_new = insert_once(connection, InboxRow, message_key=f"bounce {key}" if bounce else key, **row)
    if not is_new and not bounce and _says_something_else(connection, seat, key, arrival.raw):
        is_new = insert_once(connection, InboxRow, message_key=other_key(key, arrival.raw), **row)
    log.info("a letter was taken in" if is_new else "a letter came again", extra={"seat": seat.id})
