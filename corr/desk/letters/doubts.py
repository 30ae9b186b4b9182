"""Whose a letter to a seat is: why it is not simply the player's own, and what proves that it is all the same."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import Connection

from corr.desk.house import House
from corr.desk.people import mailboxes
from corr.desk.table.seats import Seat, seat_of_address, seat_of_void_address
from corr.mail.address import Kind, token_of
from corr.mail.inward.letter import Letter
from corr.mail.inward.vouching import verdict
from corr.orders import Reading, Trait, has
from corr.words.orders import Deploy, Order, Word

_CONFIRM = (Word("confirm"),)


def doubt(connection: Connection, house: House, seat: Seat, letter: Letter, to: Sequence[str]) -> str | None:
    """Why nothing that a letter to this seat says can be tried, whoever has written it, as a note."""
    if letter.trouble:
        return "trouble"
    for address in to:
        token = token_of(address, house.domain)
        if token and token.code != seat.signet.code and seat_of_address(connection, address, house.domain):
            return "two_seats"
    return "void" if _is_void(connection, seat, to, house.domain) else None


def recipients(envelope: str, letter: Letter) -> tuple[str, ...]:
    """All that a letter is addressed to, by its envelope as it is kept and by its head."""
    return tuple(dict.fromkeys((*json.loads(envelope), *letter.to)))


def is_from_elsewhere(connection: Connection, seat: Seat, letter: Letter) -> bool:
    """Whether a letter came from another address than any of the player's."""
    return not (
        seat.is_written_by(letter.sender) or mailboxes.owns(connection, seat.player_id, letter.sender)
    )


def can_be_confirmed(why: str, orders: Sequence[Order]) -> bool:
    """Whether there is anything in a letter about which its player is asked.

    From elsewhere, nothing that would be answered alone: anybody who knows the address could ask for that.
    """
    if why == "forged":
        return any(not has(order, Trait.ASKS) and (order,) != _CONFIRM for order in orders)
    return bool(orders)


def to_be_confirmed(house: House, seat: Seat, raw: bytes, to: Sequence[str], reading: Reading) -> str | None:
    """Why an order has to be confirmed before it acts, as a note; None where it may act at once.

    Our own mail server says that it is forged, or it was found by a Message-ID alone, which a forwarded letter bears.
    """
    if asked_by(seat, to, house.domain) and reading.orders == _CONFIRM:
        return None
    if verdict(raw, house.authserv_id) == "fail":
        return "unvouched"
    if not _tokens(seat, to, house.domain) and any(map(_is_weighty, reading.orders)):
        return "found"
    return None


def asked_by(seat: Seat, to: Sequence[str], domain: str) -> int:
    """The letter that asks whether a letter is theirs, and in which alone this one's address stands; 0 if none does."""
    tokens = _tokens(seat, to, domain)
    return next((number for kind, number in tokens if kind is Kind.CONFIRM), 0)


def _tokens(seat: Seat, to: Sequence[str], domain: str) -> list[tuple[Kind, int]]:
    """What the seat's own addresses among some stand for."""
    tokens = [token_of(address, domain) for address in to]
    return [
        (token.kind, token.number)
        for token in tokens
        if token and token.kind is not Kind.LETTER and seat.signet.has_made(token)
    ]


def _is_void(connection: Connection, seat: Seat, to: Sequence[str], domain: str) -> bool:
    """Whether a letter came by an address that the seat once had, and by none that it has."""
    if _tokens(seat, to, domain):
        return False
    return any(seat_of_void_address(connection, address, domain) for address in to)


def _is_weighty(order: Order) -> bool:
    return isinstance(order, Deploy) or has(order, Trait.WEIGHTY)
