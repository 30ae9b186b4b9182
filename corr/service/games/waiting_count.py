"""Counts the games that wait for a player, for the head of each page."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, or_, select

from corr.service.server import Server
from corr.store.tables import GameRow, SeatRow
from corr.words.view import Stage


def count(server: Server, player_id: int) -> int:
    """Count the games that wait for a player, in one query."""
    with server.store.asking() as connection:
        found: int = connection.execute(_COUNT_QUERY, {"player": player_id}).scalar_one()
    return found


_IS_AWAITED = or_(
    and_(GameRow.state == Stage.OFFERED, ~SeatRow.accepted),
    and_(GameRow.state == Stage.DEPLOYING, or_(GameRow.turn.is_(None), GameRow.turn == SeatRow.side)),
    and_(GameRow.state == Stage.RUNNING, GameRow.turn == SeatRow.side),
)
_COUNT_QUERY = (
    select(func.count())
    .select_from(SeatRow)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(SeatRow.player_id == bindparam("player"), _IS_AWAITED)
)
