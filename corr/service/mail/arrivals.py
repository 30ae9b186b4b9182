"""Describes an email as it arrived, and stores it once, however often it arrives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, bindparam, select
from sqlalchemy.orm import InstrumentedAttribute

from corr.mail.inward.incoming_email import is_same_email, other_key
from corr.store.locks import insert_if_new
from corr.store.tables import InboxRow, IncomingTextRow, SiteInboxRow
from corr.store.texts import store_incoming


@dataclass(frozen=True, slots=True)
class Arrival:
    """An email as it arrived, before we know whose it is."""

    raw: bytes
    recipients: tuple[str, ...]  # by its envelope; empty if that is unknown
    received_at: datetime
    from_nobody: bool = False  # whether its envelope names no sender, as in a bounce


InboxTable = type[InboxRow] | type[SiteInboxRow]

#: For each table, the column that says whose an email is, and a query for its content.
_BOXES: dict[InboxTable, tuple[InstrumentedAttribute[int], Select[bytes]]] = {
    InboxRow: (InboxRow.seat_id, select(IncomingTextRow.raw).join(InboxRow)),
    SiteInboxRow: (SiteInboxRow.correspondent_id, select(SiteInboxRow.raw)),
}
_EARLIER_QUERIES = {
    box: content.where(owner == bindparam("whose"), box.message_key == bindparam("key"))
    for box, (owner, content) in _BOXES.items()
}


def store_once(
    connection: Connection,
    table: InboxTable,
    whose: int,
    key: str,
    arrival: Arrival,
    *,
    bounce: bool,
    **values: object,
) -> bool:
    """Store an email, unless it came before; return whether it is new.

    `whose` is the seat or the sender's mailbox. A bounce does not displace an email with the same key.
    """
    row: dict[str, object] = {_BOXES[table][0].key: whose, "bounce": bounce, "tries": 0}
    row |= {"raw": arrival.raw, "received_at": arrival.received_at, **values}
    if _insert_if_new(connection, table, message_key=f"bounce {key}" if bounce else key, **row):
        return True
    if bounce:
        return False
    kept = connection.execute(_EARLIER_QUERIES[table], {"whose": whose, "key": key}).scalar_one_or_none()
    if is_same_email(arrival.raw, kept or b""):  # so are all whose text was deleted
        return False
    return _insert_if_new(connection, table, message_key=other_key(key, arrival.raw), **row)


def _insert_if_new(connection: Connection, table: InboxTable, **row: Any) -> bool:
    """Insert an email unless one with its key is stored; return whether it was inserted."""
    return store_incoming(connection, **row) if table is InboxRow else insert_if_new(connection, table, **row)
