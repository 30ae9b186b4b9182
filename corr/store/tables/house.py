"""What the house keeps of itself."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base


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


class AlarmRow(Base):
    """What could not be made for a letter, and where the fault is; nothing of whose letter it was."""

    __tablename__ = "alarms"

    part: Mapped[str] = mapped_column(primary_key=True)
    fault: Mapped[str] = mapped_column(primary_key=True)
    rung_at: Mapped[datetime]
