"""Letters of games: those that came, those that leave, and beside them what is large and goes early."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.compression import PackedBytes, PackedSeal, PackedText, PackedWords
from corr.store.tables.base import Base, Key, identity, of_letter


class InboxRow(Base):
    """A letter, or what was written on a page, that was taken in: unread, or read exactly once.

    Its key and what became of it stay for good; what it says is an `Original`.
    """

    __tablename__ = "inbox"
    __table_args__ = (UniqueConstraint("seat_id", "message_key"),)

    id: Mapped[int] = identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    slip: Mapped[int]
    step: Mapped[int | None]  # up to which, after that slip, its writer had read; none where that is unknown
    bounce: Mapped[bool]
    message_key: Mapped[str] = mapped_column(Key)
    received_at: Mapped[datetime]
    tries: Mapped[int]
    leased_until: Mapped[datetime | None]
    retry_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    reading: Mapped[str | None]
    ply: Mapped[int | None]
    orders: Mapped[str | None]
    page: Mapped[bool] = mapped_column(server_default=false())
    answer: Mapped[str | None]  # what its page answers; a letter is answered by a letter


Index(
    "ix_inbox_unread",
    InboxRow.seat_id,
    InboxRow.id,
    sqlite_where=InboxRow.read_at.is_(None),
    postgresql_where=InboxRow.read_at.is_(None),
)
# Without it SQLite walks through all letters that ever came in to find the oldest that is unread.
Index(
    "ix_inbox_unread_id",
    InboxRow.id,
    sqlite_where=InboxRow.read_at.is_(None),
    postgresql_where=InboxRow.read_at.is_(None),
)
Index("ix_inbox_seat_id_ply", InboxRow.seat_id, InboxRow.ply)
Index(
    "ix_inbox_page", InboxRow.seat_id, InboxRow.id, sqlite_where=InboxRow.page, postgresql_where=InboxRow.page
)


class Original(Base):
    """What a letter says, or what was written on a page, as it came."""

    __tablename__ = "originals"

    letter_id: Mapped[int] = of_letter("inbox")
    recipients: Mapped[str]
    raw: Mapped[bytes] = mapped_column(PackedBytes)
    bounced_at: Mapped[
        datetime | None
    ]  # when it came back, where it does not stay as long as its game's letters


_BOUNCED = Original.bounced_at.is_not(None)
Index("ix_originals_bounced_kept", Original.bounced_at, sqlite_where=_BOUNCED, postgresql_where=_BOUNCED)


class OutboxRow(Base):
    """A letter to be sent: what it is about, and what became of it."""

    __tablename__ = "outbox"
    __table_args__ = (UniqueConstraint("seat_id", "number"),)

    id: Mapped[int] = identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    number: Mapped[int]
    kind: Mapped[str]
    slip: Mapped[int]
    step: Mapped[int]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))
    seal: Mapped[str] = mapped_column(
        PackedSeal, server_default=""
    )  # which it shows: that of the last turn that was over
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int]
    sent_at: Mapped[datetime | None]
    dead_at: Mapped[datetime | None]
    trouble: Mapped[str | None]


_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
Index("ix_outbox_unsent_due_at", OutboxRow.due_at, sqlite_where=_UNSENT, postgresql_where=_UNSENT)
Index(
    "ix_outbox_unsent_seat_id",
    OutboxRow.seat_id,
    OutboxRow.id,
    sqlite_where=_UNSENT,
    postgresql_where=_UNSENT,
)
Index("ix_outbox_seat_id_slip", OutboxRow.seat_id, OutboxRow.slip)
_DEAD = OutboxRow.dead_at.is_not(None)
Index("ix_outbox_dead", OutboxRow.dead_at, sqlite_where=_DEAD, postgresql_where=_DEAD)
Index("ix_outbox_dead_seat_id", OutboxRow.seat_id, sqlite_where=_DEAD, postgresql_where=_DEAD)


class LetterWords(Base):
    """What a letter is made of beside its slip, until its game is long over."""

    __tablename__ = "letter_words"

    letter_id: Mapped[int] = of_letter("outbox")
    words: Mapped[str] = mapped_column(PackedWords)


class Parcel(Base):
    """The very bytes of a letter, from its first claim until it is handed over.

    What is large and goes early has tables of its own: in a row it would leave a hole there for good.
    """

    __tablename__ = "parcels"

    letter_id: Mapped[int] = of_letter("outbox")
    message: Mapped[bytes]


class Quotable(Base):
    """The text of a letter, which tells a reply from what it quotes."""

    __tablename__ = "quotables"

    letter_id: Mapped[int] = of_letter("outbox")
    text: Mapped[str] = mapped_column(PackedText)
    digest: Mapped[str] = mapped_column(
        server_default=""
    )  # of its words, until the record of its game has it
