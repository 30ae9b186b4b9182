"""Letters in: each taken in once, however often and whichever way it comes."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from corr.desk.house import House
from corr.desk.seats import Seat, seat_of_address
from corr.mail.address import Kind, Token
from corr.mail.fingerprint import message_key
from corr.mail.letter import open_letter
from corr.store.session import Store
from corr.store.tables import InboxRow, OutboxRow

log = logging.getLogger(__name__)

_FAILURES = 3
_QUOTED_LETTERS = 20


def is_known(house: House, address: str) -> bool:
    """True if a letter to an address would be taken in, for all that its envelope tells."""
    if address.lower() == umpire_address(house):
        return True
    with house.store.reading() as connection:
        return _letterbox(connection, address, house.domain) is not None


def umpire_address(house: House) -> str:
    """The address that our letters come from. A reply to it finds its game by what it answers."""
    return f"umpire@{house.domain}"


def drop(house: House, raw: bytes, recipients: Sequence[str], received_at: datetime) -> int:
    """Take in a letter for those of its recipients that we know, each once; how many were known.

    The same letter may come any number of times, by any way.
    """
    store, domain = house.store, house.domain
    with store.reading() as connection:
        found = [_letterbox(connection, address, domain) for address in recipients]
    if not any(found):
        return _drop_by_headers(house, raw, recipients, received_at)
    key = message_key(raw)
    known = [(seat, token) for seat, token in filter(None, found)]
    for seat, token in known:
        _keep(store, seat, token, key, raw, recipients, received_at)
    return len(known)


def _letterbox(connection: Connection, address: str, domain: str) -> tuple[Seat, Token] | None:
    """The seat that takes letters at an address; a Message-ID of ours is no letterbox."""
    found = seat_of_address(connection, address, domain)
    return None if found is None or found[1].kind is Kind.LETTER else found


def _drop_by_headers(house: House, raw: bytes, recipients: Sequence[str], received_at: datetime) -> int:
    """Take in a letter whose envelope names no seat: by its headers, or by the letter that it answers."""
    letter = open_letter(raw)
    with house.store.reading() as connection:
        named = [address for address in letter.to if _letterbox(connection, address, house.domain)]
        if not named:
            ids = letter.references[:_QUOTED_LETTERS]
            answered = (_seat_address(connection, each, house.domain) for each in ids)
            named = [address for address in answered if address][:1]
    return drop(house, raw, [*named, *recipients], received_at) if named else 0


def _seat_address(connection: Connection, message_id: str, domain: str) -> str | None:
    """The reply address of the letter of ours that a Message-ID names."""
    found = seat_of_address(connection, message_id, domain)
    if found is None or found[1].kind is not Kind.LETTER:
        return None
    seat, token = found
    slip = connection.execute(
        select(OutboxRow.slip).where(OutboxRow.seat_id == seat.id, OutboxRow.number == token.number)
    ).scalar_one_or_none()
    return None if slip is None else seat.mailbox(Kind.SEAT, slip, domain)


def _keep(
    store: Store,
    seat: Seat,
    token: Token,
    key: str,
    raw: bytes,
    recipients: Sequence[str],
    received_at: datetime,
) -> None:
    try:
        with store.writing() as connection:
            connection.execute(
                insert(InboxRow).values(
                    seat_id=seat.id,
                    slip=token.number,
                    bounce=token.kind is Kind.BOUNCE,
                    recipients=json.dumps(list(recipients)),
                    message_key=key,
                    raw=raw,
                    received_at=received_at,
                    failures=0,
                )
            )
    except IntegrityError:
        log.info("a letter to seat %s came twice", seat.code)
