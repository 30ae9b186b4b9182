"""A player's own games: whose turn it is in each, and how long there is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, func, select
from sqlalchemy.orm import aliased

from corr.desk import catalogue
from corr.desk.house import House
from corr.game import telling
from corr.game.telling import Time, Told
from corr.store.tables import Game, OutboxRow, Player, SeatRow
from corr.words import Outcome, Side

#: How many games are shown, the latest where there are more.
MOST = 500


class Left(NamedTuple):
    """How long there is."""

    days: int
    hours: int
    minutes: int


class Own(NamedTuple):
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
        Game.earliest,
        Game.waits_from,
        Game.winner,
        Game.reason,
        SeatRow.side,
        SeatRow.accepted,
        SeatRow.delayed_from,
        SeatRow.held,
        _OTHER.delayed_from.label("other_delayed_from"),
        _OTHER.held.label("other_held"),
        Player.name.label("opponent"),
        _UNDELIVERED.label("undelivered"),
    )
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(_OTHER, (_OTHER.game_id == Game.id) & (_OTHER.id != SeatRow.id))
    .join(Player, Player.id == _OTHER.player_id)
    .where(SeatRow.player_id == bindparam("player"))
    .order_by(
        (Game.state == "over"),
        func.coalesce(Game.earliest, Game.deadline),
        Game.ended_at.desc(),
        Game.id.desc(),
    )
    .limit(MOST)
)


_SIDES = {side.value: side for side in Side}


def _own(row: Row[*tuple[Any, ...]], now: datetime) -> Own:
    # Taken apart at once: a player may have hundreds, and asking a row for each of its fields takes far longer.
    code, variant, state, ply, turn, deadline, paused_at, earliest, waits_from, winner, reason, *seat = row
    side, accepted, delayed_from, held, other_delayed_from, other_held, opponent, dead = seat
    is_awaited = not accepted if state == "offered" else turn == side or (state == "deploying" and not turn)
    if earliest:
        own = Told(is_awaited, False, delayed_from, held)
        other = Told(turn != side, False, other_delayed_from, other_held)
        deadline = telling.shown(Time(deadline, earliest, waits_from), own, other, paused_at or now).deadline
    return Own(
        code,
        _names()[variant],
        _SIDES[side],
        opponent,
        state,
        ply // 2 + 1 if ply > 0 else 1,
        is_awaited,
        _left(deadline - (paused_at or now)) if deadline else None,
        paused_at is not None,
        Outcome(_SIDES.get(winner), reason) if reason else None,
        dead,
    )


@cache
def _names() -> dict[str, str]:
    return {card.key: card.name for card in catalogue.cards()}


def _left(span: timedelta) -> Left:
    """How long that is, in the two largest units that say it."""
    if span.days < 0:
        return Left(0, 0, 0)
    hours, seconds = divmod(span.seconds, 3_600)
    return Left(span.days, hours, 0 if span.days or hours else seconds // 60)
