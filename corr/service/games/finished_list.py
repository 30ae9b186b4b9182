"""Lists a player's finished games page by page, with each outcome and final board."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection, String, bindparam, func, or_, select
from sqlalchemy.orm import aliased

from corr.service import catalogue
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import Game, Player, SeatRow, SlipRow
from corr.words.board import Side
from corr.words.slips import Outcome
from corr.words.view import Stage


class Asked(NamedTuple):
    """How many games to list, how many later ones to skip, and of which variant."""

    most: int
    passed: int = 0
    variant: str = ""


class Ended(NamedTuple):
    """A finished game, as its player's list shows it."""

    code: str
    variant: str
    side: Side
    opponent: str
    outcome: Outcome
    made: int  # the number of full moves
    ended_at: datetime | None
    facts: bytes | None
    sight: bytes | None


class Games(NamedTuple):
    """The requested games, the latest end first, and the total number."""

    shown: tuple[Ended, ...]
    total: int


def of_player(connection: Connection, player_id: int, asked: Asked) -> Games:
    """List some of a player's finished games in one query; none past the last."""
    found = rows_of(_Found, connection.execute(_ENDED, {"player": player_id, **asked._asdict()}))
    return Games(tuple(map(_ended, found)), found[0].total if found else 0)


def signs(game: Ended) -> tuple[str, ...]:
    """Return the final board from a1 on; fog where its pieces were never set up."""
    if game.facts is None or game.sight is None:
        return ("?",) * 64
    return unpack(game.side, game.facts, game.sight).sight.signs()


class _Found(NamedTuple):
    code: str
    variant: str
    side: str
    opponent: str
    winner: str | None
    reason: str | None
    ply: int
    ended_at: datetime | None
    facts: bytes | None
    sight: bytes | None
    total: int


_OTHER = aliased(SeatRow)
_IS_LAST = (
    (SlipRow.seat_id == SeatRow.id) & (SlipRow.number == SeatRow.slips) & (SlipRow.step == SeatRow.steps)
)
_VARIANT = bindparam("variant", type_=String)
_ENDED = (
    select(
        Game.code,
        Game.variant,
        SeatRow.side,
        Player.name.label("opponent"),
        Game.winner,
        Game.reason,
        Game.ply,
        Game.ended_at,
        SlipRow.facts,
        SlipRow.sight,
        func.count().over().label("total"),
    )
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(_OTHER, (_OTHER.game_id == Game.id) & (_OTHER.id != SeatRow.id))
    .join(Player, Player.id == _OTHER.player_id)
    .outerjoin(SlipRow, _IS_LAST)
    .where(
        SeatRow.player_id == bindparam("player"),
        Game.state == Stage.OVER,
        Game.lesson.is_(None),
        Game.reason.is_not(None),
        Game.reason != "declined",
        or_(_VARIANT == "", Game.variant == _VARIANT),
    )
    .order_by(Game.ended_at.desc(), Game.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("passed"))
)
_SIDES = {side.value: side for side in Side}


def _ended(game: _Found) -> Ended:
    return Ended(
        game.code,
        _names()[game.variant],
        _SIDES[game.side],
        game.opponent,
        Outcome(_SIDES.get(game.winner or ""), game.reason or ""),
        (game.ply + 1) // 2,
        game.ended_at,
        game.facts,
        game.sight,
    )


@cache
def _names() -> dict[str, str]:
    return {card.key: card.name for card in catalogue.cards()}
