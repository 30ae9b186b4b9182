"""Stores each game's truth, its secret true position; only `umpire_access` imports this module."""

from __future__ import annotations

from sqlalchemy import Connection, ForeignKey, bindparam, insert, select, update
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables import Base


class TruthRow(Base):
    """The one true position of one game, as its umpire packs it."""

    __tablename__ = "truths"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    sealed: Mapped[bytes]


_SEAL = insert(TruthRow)
_RESEAL = update(TruthRow).where(TruthRow.game_id == bindparam("game"))
_UNSEAL = select(TruthRow.sealed).where(TruthRow.game_id == bindparam("game"))


def store_truth(connection: Connection, game_id: int, sealed: bytes) -> None:
    connection.execute(_SEAL, {"game_id": game_id, "sealed": sealed})


def update_truth(connection: Connection, game_id: int, sealed: bytes) -> None:
    connection.execute(_RESEAL, {"game": game_id, "sealed": sealed})


def load_truth(connection: Connection, game_id: int) -> bytes:
    sealed: bytes = connection.execute(_UNSEAL, {"game": game_id}).scalar_one()
    return sealed
