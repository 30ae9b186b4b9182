"""Counts the games that wait for a player, for the head of each page."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, or_, select

from corr.service.house import House
from corr.store.tables import Game, SeatRow
from corr.words.view import Stage


def count(house: House, player_id: int) -> int:
    """Count the games that wait for a player, in one query."""
    with house.store.asking() as connection:
        found: int = connection.execute(_WAITING, {"player": player_id}).scalar_one()
    return found


_IS_AWAITED = or_(
    and_(Game.state == Stage.OFFERED, ~SeatRow.accepted),
    and_(Game.state == Stage.DEPLOYING, or_(Game.turn.is_(None), Game.turn == SeatRow.side)),
    and_(Game.state == Stage.RUNNING, Game.turn == SeatRow.side),
)
_WAITING = (
    select(func.count())
    .select_from(SeatRow)
    .join(Game, Game.id == SeatRow.game_id)
    .where(SeatRow.player_id == bindparam("player"), _IS_AWAITED)
)
