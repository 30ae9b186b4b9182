"""Lists a player's finished games page by page (limits: `corr/limits.py`), with each outcome and final board."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, String, bindparam, func, or_, select
from sqlalchemy.orm import aliased

from corr.service import catalogue
from corr.store.rows import columns_of, rows_of
from corr.store.slips import unpack
from corr.store.tables import GameRow, PlayerRow, SeatRow, SlipRow
from corr.words.board import Side
from corr.words.slips import Outcome
from corr.words.view import Stage


class ListRequest(NamedTuple):
    """How many games to list, how many later ones to skip, and of which variant."""

    most: int
    passed: int = 0
    variant: str = ""


class EndedGame(NamedTuple):
    code: str
    variant: str
    side: Side
    opponent: str
    outcome: Outcome
    made: int  # the number of full moves
    ended_at: datetime | None
    facts: bytes | None
    sight: bytes | None


class EndedGames(NamedTuple):
    """The requested games, the latest end first, and the total number."""

    shown: tuple[EndedGame, ...]
    total: int


def list_games(connection: Connection, player_id: int, asked: ListRequest) -> EndedGames:
    """List a page of a player's finished games, latest first; past the end even the total is 0."""
    found = rows_of(_EndedRow, connection.execute(_ENDED_QUERY, {"player": player_id, **asked._asdict()}))
    return EndedGames(tuple(map(_make_ended_game, found)), found[0].total if found else 0)


def board_signs(game: EndedGame) -> tuple[str, ...]:
    """Return a game's final board as 64 signs from a1; all "?" if never set up."""
    if game.facts is None or game.sight is None:
        return ("?",) * 64
    return unpack(game.side, game.facts, game.sight).sight.signs()


class _EndedRow(NamedTuple):
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


_OTHER_SEAT = aliased(SeatRow)
_IS_LAST_SLIP = (
    (SlipRow.seat_id == SeatRow.id) & (SlipRow.number == SeatRow.slips) & (SlipRow.step == SeatRow.steps)
)
_VARIANT = bindparam("variant", type_=String)
_ENDED_QUERY = (
    select(
        *columns_of(_EndedRow, GameRow, SeatRow, SlipRow, opponent=PlayerRow.name, total=func.count().over())
    )
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(_OTHER_SEAT, (_OTHER_SEAT.game_id == GameRow.id) & (_OTHER_SEAT.id != SeatRow.id))
    .join(PlayerRow, PlayerRow.id == _OTHER_SEAT.player_id)
    .outerjoin(SlipRow, _IS_LAST_SLIP)
    .where(
        SeatRow.player_id == bindparam("player"),
        GameRow.state == Stage.OVER,
        GameRow.lesson.is_(None),
        GameRow.reason.is_not(None),
        GameRow.reason != "declined",
        or_(_VARIANT == "", GameRow.variant == _VARIANT),
    )
    .order_by(GameRow.ended_at.desc(), GameRow.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("passed"))
)
_SIDES = {side.value: side for side in Side}


def _make_ended_game(game: _EndedRow) -> EndedGame:
    return EndedGame(
        game.code,
        catalogue.card(game.variant).name,
        _SIDES[game.side],
        game.opponent,
        Outcome(_SIDES.get(game.winner or ""), game.reason or ""),
        (game.ply + 1) // 2,
        game.ended_at,
        game.facts,
        game.sight,
    )
