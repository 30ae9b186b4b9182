"""The open tables: everything that is kept, but for the truths."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Moment(TypeDecorator[datetime]):
    """An aware moment in time, kept as whole microseconds since 1970, alike on every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        span = value - _EPOCH
        return (span.days * 86_400 + span.seconds) * 1_000_000 + span.microseconds

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return (
            None
            if value is None
            else datetime.fromtimestamp(value // 1_000_000, UTC).replace(microsecond=value % 1_000_000)
        )


class Base(DeclarativeBase):
    """All tables of the house."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Moment, str: Text, bytes: LargeBinary, int: BigInteger}  # noqa: RUF012  # SQLAlchemy's own protocol


def _identity() -> Mapped[int]:
    # SQLite numbers rows by itself only where the key is exactly INTEGER.
    return mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)


class Player(Base):
    """A person: a name that opponents read, an address that only letters to them carry."""

    __tablename__ = "players"

    id: Mapped[int] = _identity()
    name: Mapped[str]
    address: Mapped[str]
    address_key: Mapped[str] = mapped_column(unique=True)


class Game(Base):
    """What is public about one game."""

    __tablename__ = "games"

    id: Mapped[int] = _identity()
    code: Mapped[str] = mapped_column(unique=True)
    variant: Mapped[str]
    clock: Mapped[str]
    state: Mapped[str]
    ply: Mapped[int]
    turn: Mapped[str | None]
    deadline: Mapped[datetime | None]
    remind_at: Mapped[datetime | None]
    offer: Mapped[str | None]
    offer_slip: Mapped[int | None]
    offered_white: Mapped[int]
    offered_black: Mapped[int]
    winner: Mapped[str | None]
    reason: Mapped[str | None]


Index(
    "ix_games_deadline_due",
    Game.deadline,
    sqlite_where=Game.deadline.is_not(None),
    postgresql_where=Game.deadline.is_not(None),
)
Index(
    "ix_games_remind_at_due",
    Game.remind_at,
    sqlite_where=Game.remind_at.is_not(None),
    postgresql_where=Game.remind_at.is_not(None),
)


class SeatRow(Base):
    """One player's place in one game, with the key that signs its addresses."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "side"),)

    id: Mapped[int] = _identity()
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    side: Mapped[str]
    code: Mapped[str] = mapped_column(unique=True)
    key: Mapped[bytes]
    accepted: Mapped[bool]
    slips: Mapped[int]
    steps: Mapped[int]
    letters: Mapped[int]


class SlipRow(Base):
    """What the umpire handed a seat: numbered where it is news, a further step where it answers."""

    __tablename__ = "slips"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int]
    facts: Mapped[str]
    sight: Mapped[str]


Index("ix_slips_seat_id_ply", SlipRow.seat_id, SlipRow.ply)


class OrderRow(Base):
    """The log: an order that was put to the umpire or to the match, and what became of it."""

    __tablename__ = "orders"

    id: Mapped[int] = _identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    inbox_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    ply: Mapped[int]
    text: Mapped[str]
    verdict: Mapped[str]
    said: Mapped[str]
    at: Mapped[datetime]


Index("ix_orders_seat_id_ply", OrderRow.seat_id, OrderRow.ply)


class InboxRow(Base):
    """A letter that was taken in: unread, or read exactly once."""

    __tablename__ = "inbox"
    __table_args__ = (UniqueConstraint("seat_id", "message_key"),)

    id: Mapped[int] = _identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    slip: Mapped[int]
    bounce: Mapped[bool]
    recipients: Mapped[str]
    message_key: Mapped[str]
    raw: Mapped[bytes]
    received_at: Mapped[datetime]
    tries: Mapped[int]
    leased_until: Mapped[datetime | None]
    retry_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    reading: Mapped[str | None]
    ply: Mapped[int | None]
    orders: Mapped[str | None]


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


class OutboxRow(Base):
    """A letter to be sent: what it is about, and from its first claim on its very bytes."""

    __tablename__ = "outbox"
    __table_args__ = (UniqueConstraint("seat_id", "number"),)

    id: Mapped[int] = _identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    number: Mapped[int]
    kind: Mapped[str]
    slip: Mapped[int]
    step: Mapped[int]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))
    words: Mapped[str]
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int]
    message: Mapped[bytes | None]
    text: Mapped[str | None]
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


class Sign(Base):
    """A sign of life: when something that must happen again and again last happened."""

    __tablename__ = "signs"

    name: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]
