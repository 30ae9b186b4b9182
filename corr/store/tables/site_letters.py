"""Stores emails about no game, to and from correspondents."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint, func, literal_column
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.compression import PackedBytes, PackedText
from corr.store.tables.base import Base, email_key_column, id_column, partial_index


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
    """The text of a site email, which tells a reply from what it quotes."""

    __tablename__ = "site_quotables"

    letter_id: Mapped[int] = email_key_column("site_outbox")
    text: Mapped[str] = mapped_column(PackedText)
