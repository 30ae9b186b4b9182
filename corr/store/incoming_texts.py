"""Letters in: each is taken in once, and what it says is kept beside its row for as long as it must be."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Label, func, insert, literal, select
from sqlalchemy.orm import InstrumentedAttribute

from corr.store.locks import insert_new
from corr.store.tables import InboxRow, Original

_KEEP = insert(Original)


def take_in(connection: Connection, raw: bytes, recipients: str, **row: Any) -> bool:
    """Take in what was written to a seat, unless it came under the same key before; True if it is new."""
    letter = insert_new(connection, InboxRow, **row)
    if letter is not None:
        bounced_at = row["received_at"] if row["bounce"] else None
        kept = {"letter_id": letter, "raw": raw, "recipients": recipients, "bounced_at": bounced_at}
        connection.execute(_KEEP, kept)
    return letter is not None


def _beside(column: InstrumentedAttribute[Any], cleared: object) -> Label[Any]:
    of_it = select(column).where(Original.letter_id == InboxRow.id).correlate(InboxRow).scalar_subquery()
    return func.coalesce(of_it, literal(cleared, column.type)).label(column.key)


#: What a letter says, and on whose addresses it came, beside its row; nothing where it was cleared.
BESIDE = (_beside(Original.raw, b""), _beside(Original.recipients, "[]"))
