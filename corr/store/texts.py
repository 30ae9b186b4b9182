"""Stores the texts of emails: what came in, what goes out, and what readers of replies need."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    Label,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy.orm import InstrumentedAttribute

from corr.store.locks import insert_into, insert_new_email
from corr.store.rows import rows_of
from corr.store.tables import (
    Base,
    EmailBytesRow,
    InboxRow,
    IncomingTextRow,
    OutboxRow,
    QuotableRow,
    SiteEmailBytesRow,
    SiteOutboxRow,
    SiteQuotableRow,
)

OutTable = type[OutboxRow] | type[SiteOutboxRow]


class ComposedText(NamedTuple):
    """An email's bytes, the text that a reply may quote, and the digest of its words for the record."""

    message: bytes
    text: str
    digest: str


class _KeptParcel(NamedTuple):
    letter_id: int
    message: bytes


class OutgoingTexts:
    """The stored bytes and texts of the emails of one table."""

    def __init__(
        self,
        letters: OutTable,
        parcels: type[EmailBytesRow | SiteEmailBytesRow],
        quotables: type[QuotableRow | SiteQuotableRow],
    ) -> None:
        self._letters, self._parcels, self._quotables = letters, parcels, quotables
        these = parcels.letter_id.in_(bindparam("letters", expanding=True))
        self._kept = select(parcels.letter_id, parcels.message).where(these)
        self._drop = delete(parcels).where(these)

    @property
    def message(self) -> Label[bytes | None]:
        """An email's bytes as a column beside its row; None before it is composed and after its delivery."""
        bytes_of_it = select(self._parcels.message).where(self._parcels.letter_id == self._letters.id)
        return bytes_of_it.correlate(self._letters).scalar_subquery().label("message")

    @property
    def is_wrapped(self) -> ColumnElement[bool]:
        """A condition for emails whose bytes are stored: composed, but not yet sent."""
        return exists().where(self._parcels.letter_id == self._letters.id)

    def keep(self, connection: Connection, wrapped: Mapping[int, ComposedText]) -> Mapping[int, bytes]:
        """Store composed emails; return the bytes of unsent ones, another worker's if it was first."""
        kept = [{"letter": letter, **each._asdict()} for letter, each in wrapped.items()]
        database = connection.dialect.name
        new = connection.execute(_keeping(self._letters, self._parcels, ("message",), database), kept)
        texts = ("text", "digest") if self._quotables is QuotableRow else ("text",)
        connection.execute(_keeping(self._letters, self._quotables, texts, database), kept)
        if new.rowcount == len(wrapped):
            return {letter: each.message for letter, each in wrapped.items()}
        parcels = rows_of(_KeptParcel, connection.execute(self._kept, {"letters": [*wrapped]}))
        return {parcel.letter_id: parcel.message for parcel in parcels}

    def drop(self, connection: Connection, letters: Collection[int]) -> None:
        """Delete the stored bytes of emails that have been sent."""
        connection.execute(self._drop, {"letters": [*letters]})


@cache
def _keeping(letters: OutTable, kind: type[Base], columns: tuple[str, ...], database: str) -> Insert:
    """Build an insert for part of an unsent email; it locks the email against sending."""
    unsent = (
        select(letters.id, *(bindparam(each, type_=kind.__table__.c[each].type) for each in columns))
        .where(letters.id == bindparam("letter"), letters.sent_at.is_(None))
        .with_for_update(key_share=True)
    )
    insert = insert_into(kind, database).from_select(["letter_id", *columns], unsent)
    return insert.on_conflict_do_nothing().execution_options(preserve_rowcount=True)


_KEEP = insert(IncomingTextRow)


def store_incoming(connection: Connection, raw: bytes, recipients: str, **row: Any) -> bool:
    """Store an incoming email for a seat; return False if its key came before."""
    letter = insert_new_email(connection, InboxRow, **row)
    if letter is not None:
        bounced_at = row["received_at"] if row["bounce"] else None
        kept = {"letter_id": letter, "raw": raw, "recipients": recipients, "bounced_at": bounced_at}
        connection.execute(_KEEP, kept)
    return letter is not None


def _text_column(column: InstrumentedAttribute[Any], cleared: object) -> Label[Any]:
    """Return an email's stored content as a column; `cleared` once it is deleted."""
    of_it = (
        select(column).where(IncomingTextRow.letter_id == InboxRow.id).correlate(InboxRow).scalar_subquery()
    )
    return func.coalesce(of_it, literal(cleared, column.type)).label(column.key)


#: An email's content and recipients, as columns beside its row; empty once they are deleted.
TEXT_COLUMNS = (_text_column(IncomingTextRow.raw, b""), _text_column(IncomingTextRow.recipients, "[]"))
