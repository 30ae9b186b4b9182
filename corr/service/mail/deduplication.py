"""Stores an incoming email once, and once more if it came before under its key with other words."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, bindparam, select
from sqlalchemy.orm import InstrumentedAttribute

from corr.mail.inward.fingerprint import is_alike, other_key
from corr.service.mail.arrival import Arrival
from corr.store.incoming_texts import take_in
from corr.store.locks import insert_once
from corr.store.tables import InboxRow, Original, SiteInboxRow

Box = type[InboxRow] | type[SiteInboxRow]


_WHOSE: dict[Box, InstrumentedAttribute[int]] = {
    InboxRow: InboxRow.seat_id,
    SiteInboxRow: SiteInboxRow.correspondent_id,
}
_WORDS: dict[Box, Select[bytes]] = {
    InboxRow: select(Original.raw).join(InboxRow),
    SiteInboxRow: select(SiteInboxRow.raw),
}
_CAME_BEFORE = {
    box: words.where(_WHOSE[box] == bindparam("whose"), box.message_key == bindparam("key"))
    for box, words in _WORDS.items()
}


def keep(
    connection: Connection,
    box: Box,
    whose: int,
    key: str,
    arrival: Arrival,
    *,
    bounce: bool,
    **values: object,
) -> bool:
    """Store an email of a seat or correspondent; return whether it is new.

    A bounce does not displace an email with the same key.
    """
    row = {
        _WHOSE[box].key: whose,
        "bounce": bounce,
        "raw": arrival.raw,
        "received_at": arrival.received_at,
        "tries": 0,
        **values,
    }
    if _is_new(connection, box, message_key=f"bounce {key}" if bounce else key, **row):
        return True
    if bounce or _is_alike(connection, box, whose, key, arrival.raw):
        return False
    return _is_new(connection, box, message_key=other_key(key, arrival.raw), **row)


def _is_new(connection: Connection, box: Box, **row: Any) -> bool:
    return take_in(connection, **row) if box is InboxRow else insert_once(connection, box, **row)


def _is_alike(connection: Connection, box: Box, whose: int, key: str, raw: bytes) -> bool:
    """Whether the email stored under a key said the same, as deleted ones do."""
    kept = connection.execute(_CAME_BEFORE[box], {"whose": whose, "key": key}).scalar_one_or_none()
    return is_alike(raw, kept or b"")
