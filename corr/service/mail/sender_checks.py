"""Whose a letter to a seat is: why it is not simply the player's own, and what proves that it is all the same."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import Connection

from corr.mail.address import Kind, token_of
from corr.mail.inward.authentication import verdict
from corr.mail.inward.letter import Letter
from corr.orders.authority import Authority, Evidence, authority
from corr.service.games.seats import Seat, seat_of_address, seat_of_void_address
from corr.service.house import House
from corr.service.players import mailboxes
from corr.words.orders import Order, Word

#: The answer to an email that asks whether a letter is its reader's.
CONFIRM = (Word("confirm"),)
#: Addresses that stand in our emails and nowhere else: mail servers log Message-IDs and envelope senders.
_ANSWERED_AT = (Kind.REPLY, Kind.READY, Kind.CONFIRM)


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


def evidence(
    connection: Connection, house: House, seat: Seat, raw: bytes, letter: Letter, to: Sequence[str]
) -> Evidence:
    """What shows who wrote a letter to a seat."""
    if is_from_elsewhere(connection, seat, letter):
        return Evidence.ELSEWHERE
    found = verdict(raw, house.authserv_id)
    if found == "fail":
        return Evidence.CALLED_FORGED
    if any(kind in _ANSWERED_AT for kind, _ in _tokens(seat, to, house.domain)):
        return Evidence.ADDRESS
    return Evidence.VOUCHED if found == "pass" else Evidence.MESSAGE_ID


def unproved(shown: Evidence, orders: Sequence[Order], asked_by: int) -> Evidence | None:
    """What shows who wrote a letter, where its orders need more than that; None where they may act."""
    if asked_by and tuple(orders) == CONFIRM and shown is not Evidence.ELSEWHERE:
        return None
    return None if authority(shown, orders) is Authority.ACTS else shown


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
