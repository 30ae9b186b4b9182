"""Lists a player's open turns with their times, and nothing about what happened in those games."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, func, or_, select

from corr import limits
from corr.notifications.calendar_and_feeds import Turn, WaitingTurn
from corr.service import catalogue
from corr.service.players import times
from corr.service.server import Server
from corr.store.rows import columns_of, rows_of
from corr.store.tables import GameRow, OutboxRow, PlayerRow, SeatRow
from corr.words.view import Stage


class _OpenTurnRow(NamedTuple):
    code: str
    variant: str
    ply: int
    deadline: datetime | None
    earliest: datetime | None
    zone: str
    since: datetime | None


_TOLD_AT = (
    select(func.max(OutboxRow.made_at))
    .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.kind == "turn")
    .scalar_subquery()
)
_IS_AWAITED = (GameRow.turn == SeatRow.side) | (GameRow.turn.is_(None) & (GameRow.state == Stage.DEPLOYING))
_OPEN_TURNS_QUERY = (
    select(*columns_of(_OpenTurnRow, GameRow, PlayerRow, since=func.coalesce(_TOLD_AT, SeatRow.opened_at)))
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
    .where(SeatRow.player_id == bindparam("player"), _IS_AWAITED)
    .where(GameRow.state.in_((Stage.DEPLOYING, Stage.RUNNING)))
    .order_by(GameRow.deadline, GameRow.id)
    .limit(limits.GAMES_SHOWN)
)


def list_open_turns(connection: Connection, server: Server, player_id: int) -> list[WaitingTurn]:
    """List a player's open turns, next deadline first; a late email leaves the deadline out."""
    found = rows_of(_OpenTurnRow, connection.execute(_OPEN_TURNS_QUERY, {"player": player_id}))
    return [_make_waiting(server, each) for each in found]


def _make_waiting(server: Server, found: _OpenTurnRow) -> WaitingTurn:
    deadline = found.deadline if found.earliest is None else None
    turn = Turn(
        found.code,
        catalogue.card(found.variant).name,
        deadline.isoformat() if deadline else None,
        times.word_moment(deadline, found.zone) if deadline else "",
        f"{server.web_url}/games/{found.code}",
    )
    return WaitingTurn(turn, found.ply, found.since or server.now(), deadline)


def count_waiting(server: Server, player_id: int) -> int:
    """Count the games in which a player has to move, set up or answer a challenge."""
    with server.store.asking() as connection:
        found: int = connection.execute(_COUNT_QUERY, {"player": player_id}).scalar_one()
    return found


_IS_WAITING = or_(
    and_(GameRow.state == Stage.OFFERED, ~SeatRow.accepted),
    and_(GameRow.state == Stage.DEPLOYING, or_(GameRow.turn.is_(None), GameRow.turn == SeatRow.side)),
    and_(GameRow.state == Stage.RUNNING, GameRow.turn == SeatRow.side),
)
_COUNT_QUERY = (
    select(func.count())
    .select_from(SeatRow)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(SeatRow.player_id == bindparam("player"), _IS_WAITING)
)
