"""The truths. Only the umpire's bench imports this module."""

from __future__ import annotations

from sqlalchemy import Connection, ForeignKey, insert, select, update
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables import Base


class TruthRow(Base):
    """The one true position of one game, as its umpire packs it."""

    __tablename__ = "truths"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    sealed: Mapped[bytes]


def seal(connection: Connection, game_id: int, sealed: bytes) -> None:
    """Put away the first truth of a game."""
    connection.execute(insert(TruthRow).values(game_id=game_id, sealed=sealed))


def reseal(connection: Connection, game_id: int, sealed: bytes) -> None:
    """Put away the truth after a move."""
    connection.execute(update(TruthRow).where(TruthRow.game_id == game_id).values(sealed=sealed))


def unseal(connection: Connection, game_id: int) -> bytes:
    """The truth as it was put away."""
    return connection.execute(select(TruthRow.sealed).where(TruthRow.game_id == game_id)).scalar_one()
