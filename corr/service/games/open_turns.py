"""Lists a player's open turns with their times, and nothing about what happened in those games."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from corr import limits
from corr.calls.feeds import Waiting
from corr.calls.payloads import Turn
from corr.service import catalogue
from corr.service.house import House
from corr.service.players import time_zones
from corr.store.rows import rows_of
from corr.store.tables import Game, OutboxRow, Player, SeatRow
from corr.words.view import Stage


class _Waiting(NamedTuple):
    code: str
    variant: str
    ply: int
    deadline: datetime | None
    earliest: datetime | None
    zone: str
    since: datetime | None


_TOLD = (
    select(func.max(OutboxRow.made_at))
    .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.kind == "turn")
    .scalar_subquery()
)
_IS_AWAITED = (Game.turn == SeatRow.side) | (Game.turn.is_(None) & (Game.state == Stage.DEPLOYING))
_OF_PLAYER = (
    select(
        Game.code,
        Game.variant,
        Game.ply,
        Game.deadline,
        Game.earliest,
        Player.zone,
        func.coalesce(_TOLD, SeatRow.opened_at).label("since"),
    )
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(Player, Player.id == SeatRow.player_id)
    .where(SeatRow.player_id == bindparam("player"), _IS_AWAITED)
    .where(Game.state.in_((Stage.DEPLOYING, Stage.RUNNING)))
    .order_by(Game.deadline, Game.id)
    .limit(limits.GAMES_SHOWN)
)


def of_player(connection: Connection, house: House, player_id: int) -> list[Waiting]:
    """List a player's turns, the next deadline first; late emails hide the deadline."""
    found = rows_of(_Waiting, connection.execute(_OF_PLAYER, {"player": player_id}))
    return [_waiting(house, each) for each in found]


def _waiting(house: House, found: _Waiting) -> Waiting:
    deadline = found.deadline if found.earliest is None else None
    turn = Turn(
        found.code,
        catalogue.card(found.variant).name,
        deadline.isoformat() if deadline else None,
        time_zones.worded(deadline, found.zone) if deadline else "",
        f"{house.web_url}/games/{found.code}",
    )
    return Waiting(turn, found.ply, found.since or house.now(), deadline)
