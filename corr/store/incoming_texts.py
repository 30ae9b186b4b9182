"""Takes in each incoming email once, and stores its content beside its row as long as needed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Label, func, insert, literal, select
from sqlalchemy.orm import InstrumentedAttribute

from corr.store.locks import insert_new_email
from corr.store.tables import InboxRow, IncomingTextRow

_KEEP = insert(IncomingTextRow)


def store_incoming(connection: Connection, raw: bytes, recipients: str, **row: Any) -> bool:
    """Take in an email to a seat; return False if one with the same key came before."""
    letter = insert_new_email(connection, InboxRow, **row)
    if letter is not None:
        bounced_at = row["received_at"] if row["bounce"] else None
        kept = {"letter_id": letter, "raw": raw, "recipients": recipients, "bounced_at": bounced_at}
        connection.execute(_KEEP, kept)
    return letter is not None


def _text_column(column: InstrumentedAttribute[Any], cleared: object) -> Label[Any]:
    of_it = (
        select(column).where(IncomingTextRow.letter_id == InboxRow.id).correlate(InboxRow).scalar_subquery()
    )
    return func.coalesce(of_it, literal(cleared, column.type)).label(column.key)


#: An email's content and recipients, as columns beside its row; empty once they are deleted.
TEXT_COLUMNS = (_text_column(IncomingTextRow.raw, b""), _text_column(IncomingTextRow.recipients, "[]"))
