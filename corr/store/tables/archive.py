"""Stores the index by which everybody finds finished games."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base


class ArchiveRow(Base):
    """A finished game in a player's archive, or in everybody's, by its kind and the moment of its end.

    Games of some kinds, newest first, are then a few ranges of the key, however rare they are, and those of all
    kinds one range of the index.
    """

    __tablename__ = "archive"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012  # SQLAlchemy's own protocol

    player_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # 0 for everybody's archive
    kind: Mapped[str] = mapped_column(primary_key=True)  # variant, result, length, and the player's side
    ended_at: Mapped[datetime] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


Index("ix_archive_ended_at", ArchiveRow.player_id, ArchiveRow.ended_at, ArchiveRow.game_id)
