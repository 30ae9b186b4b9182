"""Stores how players are notified outside email, and the notifications that wait."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, id_column


class NotificationWayRow(Base):
    """A way to tell a player of their turn: a feed at a secret address, or a called endpoint."""

    __tablename__ = "ways"

    id: Mapped[int] = id_column()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    kind: Mapped[str]  # calendar, atom, webhook, device
    name: Mapped[str]  # the format of a call, or the kind of device; empty for a feed
    url: Mapped[str]  # empty for a feed
    digest: Mapped[str] = mapped_column(unique=True)  # of its key, to look up a feed
    sealed: Mapped[bytes]  # the key that signs calls
    made_at: Mapped[datetime]
    called_at: Mapped[datetime | None]  # when the last call was made, and what was wrong with it
    trouble: Mapped[str | None]
    failing_from: Mapped[datetime | None]  # since when every call fails


Index("ix_ways_player_id", NotificationWayRow.player_id)


class CallRow(Base):
    """A call that waits to be made: about a turn, or a test."""

    __tablename__ = "calls"
    __table_args__ = (UniqueConstraint("way_id", "seat_id"), UniqueConstraint("device_id", "seat_id"))

    id: Mapped[int] = id_column()
    way_id: Mapped[int | None] = mapped_column(ForeignKey("ways.id"))  # or else a device
    device_id: Mapped[int | None]  # it may be deleted, or another player's by then
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id"))  # None for a test
    ply: Mapped[int | None]  # how many moves had been made
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int]


Index("ix_calls_due_at", CallRow.due_at)
Index("ix_calls_seat_id", CallRow.seat_id)
