"""Defines the tables of emails, about games and to the site; large short-lived parts are apart."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false, func, literal_column
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.compression import PackedBytes, PackedSeal, PackedText, PackedWords
from corr.store.tables.base import Base, EmailKey, email_key_column, id_column, partial_index


class InboxRow(Base):
    """An incoming game email, or orders from a page; stored longer than its IncomingTextRow."""

    __tablename__ = "inbox"
    __table_args__ = (UniqueConstraint("seat_id", "message_key"),)

    id: Mapped[int] = id_column()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    slip: Mapped[int]
    step: Mapped[int | None]  # the last step after that slip that its writer had read; None if unknown
    bounce: Mapped[bool]
    message_key: Mapped[str] = mapped_column(EmailKey)
    received_at: Mapped[datetime]
    tries: Mapped[int]
    leased_until: Mapped[datetime | None]
    retry_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    reading: Mapped[str | None]
    ply: Mapped[int | None]
    orders: Mapped[str | None]
    page: Mapped[bool] = mapped_column(server_default=false())
    answer: Mapped[str | None]  # what its page answers; an email is answered by an email


partial_index("ix_inbox_unread", InboxRow.seat_id, InboxRow.id, where=InboxRow.read_at.is_(None))
# Without it, SQLite walks through all emails ever received to find the oldest unread one.
partial_index("ix_inbox_unread_id", InboxRow.id, where=InboxRow.read_at.is_(None))
Index("ix_inbox_seat_id_ply", InboxRow.seat_id, InboxRow.ply)
partial_index("ix_inbox_page", InboxRow.seat_id, InboxRow.id, where=InboxRow.page)


class IncomingTextRow(Base):
    """The content of an email, or of orders from a page, as it came."""

    __tablename__ = "originals"

    letter_id: Mapped[int] = email_key_column("inbox")
    recipients: Mapped[str]
    raw: Mapped[bytes] = mapped_column(PackedBytes)
    bounced_at: Mapped[datetime | None]  # when it bounced, if it is not stored as long as its game's emails


partial_index(
    "ix_originals_bounced_kept", IncomingTextRow.bounced_at, where=IncomingTextRow.bounced_at.is_not(None)
)


class OutboxRow(Base):
    """An outgoing game email: what it tells, when it is due, whether it was delivered."""

    __tablename__ = "outbox"
    __table_args__ = (UniqueConstraint("seat_id", "number"),)

    id: Mapped[int] = id_column()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    number: Mapped[int]
    kind: Mapped[str]
    slip: Mapped[int]
    step: Mapped[int]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))
    # The seal it shows, of the last finished turn.
    seal: Mapped[str] = mapped_column(PackedSeal, server_default="")
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int]
    sent_at: Mapped[datetime | None]
    dead_at: Mapped[datetime | None]
    trouble: Mapped[str | None]


_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
partial_index("ix_outbox_unsent_due_at", OutboxRow.due_at, where=_UNSENT)
partial_index("ix_outbox_unsent_seat_id", OutboxRow.seat_id, OutboxRow.id, where=_UNSENT)
Index("ix_outbox_seat_id_slip", OutboxRow.seat_id, OutboxRow.slip)
_DEAD = OutboxRow.dead_at.is_not(None)
partial_index("ix_outbox_dead", OutboxRow.dead_at, where=_DEAD)
partial_index("ix_outbox_dead_seat_id", OutboxRow.seat_id, where=_DEAD)


class EmailWordsRow(Base):
    """What an outgoing email says besides its slips, until its game is long over."""

    __tablename__ = "letter_words"

    letter_id: Mapped[int] = email_key_column("outbox")
    words: Mapped[str] = mapped_column(PackedWords)


class EmailBytesRow(Base):
    """The exact bytes of an email until its delivery. Deleted from the email's row, they would leave a hole."""

    __tablename__ = "parcels"

    letter_id: Mapped[int] = email_key_column("outbox")
    message: Mapped[bytes]


class QuotableRow(Base):
    """The text of an email we sent, to recognise its quoted lines in a reply."""

    __tablename__ = "quotables"

    letter_id: Mapped[int] = email_key_column("outbox")
    text: Mapped[str] = mapped_column(PackedText)
    digest: Mapped[str] = mapped_column(server_default="")  # of its words, until its game's record has it


class SiteInboxRow(Base):
    """An email to the site itself from a correspondent: unread, or read exactly once."""

    __tablename__ = "site_inbox"
    __table_args__ = (UniqueConstraint("correspondent_id", "message_key"),)

    id: Mapped[int] = id_column()
    correspondent_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    letter: Mapped[int]  # the email of ours it replies to, by its address; 0 for the public address
    vouched: Mapped[bool]  # our own mail server vouches for its sender
    bounce: Mapped[bool]
    message_key: Mapped[str]
    raw: Mapped[bytes] = mapped_column(PackedBytes)
    received_at: Mapped[datetime]
    tries: Mapped[int]
    leased_until: Mapped[datetime | None]
    retry_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    reading: Mapped[str | None]


partial_index(
    "ix_site_inbox_unread",
    SiteInboxRow.correspondent_id,
    SiteInboxRow.id,
    where=SiteInboxRow.read_at.is_(None),
)
# For the oldest unread email, as in the inbox.
partial_index("ix_site_inbox_unread_id", SiteInboxRow.id, where=SiteInboxRow.read_at.is_(None))

#: True for a row whose email is still stored.
HAS_SITE_TEXT = func.length(SiteInboxRow.raw) > literal_column("0")
partial_index("ix_site_inbox_kept", SiteInboxRow.bounce, SiteInboxRow.received_at, where=HAS_SITE_TEXT)


class SiteOutboxRow(Base):
    """An email to a correspondent that is about no game yet."""

    __tablename__ = "site_outbox"
    __table_args__ = (UniqueConstraint("correspondent_id", "number"),)

    id: Mapped[int] = id_column()
    correspondent_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    number: Mapped[int]
    kind: Mapped[str]
    words: Mapped[str]
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int]
    sent_at: Mapped[datetime | None]
    dead_at: Mapped[datetime | None]
    trouble: Mapped[str | None]


partial_index(
    "ix_site_outbox_unsent_due_at",
    SiteOutboxRow.due_at,
    where=SiteOutboxRow.sent_at.is_(None) & SiteOutboxRow.dead_at.is_(None),
)
partial_index("ix_site_outbox_dead", SiteOutboxRow.dead_at, where=SiteOutboxRow.dead_at.is_not(None))


class SiteEmailBytesRow(Base):
    """The exact bytes of a site email, from its first claim until its delivery."""

    __tablename__ = "site_parcels"

    letter_id: Mapped[int] = email_key_column("site_outbox")
    message: Mapped[bytes]


class SiteQuotableRow(Base):
    """The text of a site email we sent, to recognise quoted lines in a reply."""

    __tablename__ = "site_quotables"

    letter_id: Mapped[int] = email_key_column("site_outbox")
    text: Mapped[str] = mapped_column(PackedText)
