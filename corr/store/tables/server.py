"""Defines the tables of the server itself: secrets, recurring tasks, checkpoints, outages and mail faults."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, id_column


class SecretRow(Base):
    """A secret of this server, shared by all its processes."""

    __tablename__ = "secrets"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[bytes]


class TaskRunRow(Base):
    """When a recurring task last ran."""

    __tablename__ = "signs"

    name: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


class CheckpointRow(Base):
    """A signed daily checkpoint: the log of games' seals and admins' acts up to that day."""

    __tablename__ = "checkpoints"

    id: Mapped[int] = id_column()
    day: Mapped[str] = mapped_column(unique=True)  # in UTC, as 2026-11-25
    made_at: Mapped[datetime]
    note: Mapped[str]
    key: Mapped[str]  # the key that verifies it
    leaves: Mapped[bytes]  # the hashes appended on this day, one after another
    size: Mapped[int | None]  # of the log's tree; None if each day had a tree of its own
    edge: Mapped[bytes | None]  # the roots of its full subtrees; None once nothing is appended any more


class OutageRow(Base):
    """A time when the server was down or its clock changed; games get it back."""

    __tablename__ = "outages"

    id: Mapped[int] = id_column()
    began_at: Mapped[datetime]
    ended_at: Mapped[datetime]
    flags_from: Mapped[datetime]  # nobody loses on time before


class ComposeFaultRow(Base):
    """A fault while composing an email: which part and where, but not whose email."""

    __tablename__ = "alarms"

    part: Mapped[str] = mapped_column(primary_key=True)
    fault: Mapped[str] = mapped_column(primary_key=True)
    rung_at: Mapped[datetime]


class BusyDomainRow(Base):
    """A mail domain that takes only some or none of our emails: we send nothing there until a moment."""

    __tablename__ = "busy_domains"

    domain: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[datetime]
    refusals: Mapped[int]  # in a row
