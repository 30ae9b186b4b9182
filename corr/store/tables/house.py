"""What the house keeps of itself."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, identity


class Secret(Base):
    """What only this house knows, whichever of its processes asks."""

    __tablename__ = "secrets"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[bytes]


class Sign(Base):
    """A sign of life: when something that must happen again and again last happened."""

    __tablename__ = "signs"

    name: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


class Checkpoint(Base):
    """What the house has signed on a day: a log of games' seals and operators' acts, up to then."""

    __tablename__ = "checkpoints"

    id: Mapped[int] = identity()
    day: Mapped[str] = mapped_column(unique=True)  # in UTC, as 2026-11-25
    made_at: Mapped[datetime]
    note: Mapped[str]
    key: Mapped[str]  # by which everybody verifies it
    leaves: Mapped[bytes]  # the hashes that were appended on this day, one after another
    size: Mapped[int | None]  # of the log's tree; none where each day had a tree of its own
    edge: Mapped[bytes | None]  # the roots of its full subtrees; none where nothing is appended any more


class Outage(Base):
    """A time in which nobody swept, or a clock that was set back: games are put off by it, each when it is sat down to.

    By its number a game knows up to which of them it was.
    """

    __tablename__ = "outages"

    id: Mapped[int] = identity()
    began_at: Mapped[datetime]
    ended_at: Mapped[datetime]
    flags_from: Mapped[datetime]  # nobody's time is over before


class AlarmRow(Base):
    """What could not be made for a letter, and where the fault is; nothing of whose letter it was."""

    __tablename__ = "alarms"

    part: Mapped[str] = mapped_column(primary_key=True)
    fault: Mapped[str] = mapped_column(primary_key=True)
    rung_at: Mapped[datetime]


class BusyDomain(Base):
    """A mail domain that takes no letters for now, or all of them: until when it is left alone."""

    __tablename__ = "busy_domains"

    domain: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[datetime]
    refusals: Mapped[int]  # in a row
