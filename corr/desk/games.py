"""A player's own games: whose turn it is in each, and how long there is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, func, select
from sqlalchemy.orm import aliased

from corr.desk import catalogue
from corr.desk.house import House
from corr.store.tables import Game, OutboxRow, Player, SeatRow
from corr.words import Outcome, Side

#: How many games are shown, the latest where there are more.
MOST = 500


@dataclass(frozen=True, slots=True)
class Left:
    """How long there is."""

    days: int
    hours: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Own:
    """One of a player's games, with what is public of it."""

    code: str
    variant: str
    side: Side
    opponent: str
    state: str
    move: int
    my_turn: bool
    left: Left | None
    is_paused: bool
    outcome: Outcome | None
    undelivered: int


@dataclass(frozen=True, slots=True)
class Games:
    """A player's games: those that wait for them, those that wait for somebody else, and the finished ones."""

    mine: tuple[Own, ...]
    waiting: tuple[Own, ...]
    finished: tuple[Own, ...]


def games(house: House, player_id: int, now: datetime) -> Games:
    """A player's games, by one question: the next deadline first, the last that ended first."""
    with house.store.asking() as connection:
        rows = connection.execute(_GAMES, {"player": player_id}).all()
    going = [_own(row, now) for row in rows if row.state != "over"]
    return Games(
        tuple(each for each in going if each.my_turn),
        tuple(each for each in going if not each.my_turn),
        tuple(_own(row, now) for row in rows if row.state == "over" and row.reason != "declined"),
    )


_OTHER = aliased(SeatRow)
_UNDELIVERED = (
    select(func.count())
    .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.dead_at.is_not(None))
    .scalar_subquery()
)
_GAMES = (
    select(
        Game.code,
        Game.variant,
        Game.state,
        Game.ply,
        Game.turn,
        Game.deadline,
        Game.paused_at,
        Game.winner,
        Game.reason,
        SeatRow.side,
        SeatRow.accepted,
        Player.name.label("opponent"),
        _UNDELIVERED.label("undelivered"),
    )
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(_OTHER, (_OTHER.game_id == Game.id) & (_OTHER.id != SeatRow.id))
    .join(Player, Player.id == _OTHER.player_id)
    .where(SeatRow.player_id == bindparam("player"))
    .order_by((Game.state == "over"), Game.deadline, Game.ended_at.desc(), Game.id.desc())
    .limit(MOST)
)


def _own(row: Row[*tuple[Any, ...]], now: datetime) -> Own:
    return Own(
        code=row.code,
        variant=catalogue.card(row.variant).name,
        side=Side(row.side),
        opponent=row.opponent,
        state=row.state,
        move=max(row.ply, 0) // 2 + 1,
        my_turn=_is_waited_for(row),
        left=_left(row.deadline - (row.paused_at or now)) if row.deadline else None,
        is_paused=row.paused_at is not None,
        outcome=Outcome(Side(row.winner) if row.winner else None, row.reason) if row.reason else None,
        undelivered=row.undelivered,
    )


def _is_waited_for(row: Row[*tuple[Any, ...]]) -> bool:
    if row.state == "offered":
        return not row.accepted
    return row.turn == row.side or (row.state == "deploying" and row.turn is None)


def _left(span: timedelta) -> Left:
    minutes = max(int(span.total_seconds()) // 60, 0)
    return Left(minutes // 1440, minutes // 60 % 24, minutes % 60)
