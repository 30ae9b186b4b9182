"""Answers a bot that polls a game twice a second, with one small query."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import BindParameter, bindparam, func, literal, select

from corr.service.house import House
from corr.service.players import authentication
from corr.store.rows import one_or_none_of
from corr.store.tables import Challenge, Game, Player, SeatRow, TokenRow
from corr.words.view import Stage


class Polled(NamedTuple):
    """The token owner's name, whether it is their turn, and whether the game is over."""

    name: str
    is_my_turn: bool
    is_over: bool


_CODE: BindParameter[str] = bindparam("code")
#: The game's id by its own code, or by the code of its challenge.
_ITS_ID = func.coalesce(
    select(Game.id).where(Game.code == _CODE).scalar_subquery(),
    select(Challenge.game_id).where(Challenge.code == _CODE).scalar_subquery(),
)
_IS_MY_TURN = func.coalesce(
    (Game.state == Stage.RUNNING) & (Game.turn == SeatRow.side) & Game.paused_at.is_(None),
    literal(value=False),
)
_POLLED = (
    select(
        Player.name,
        _IS_MY_TURN.label("is_my_turn"),
        (Game.state == Stage.OVER).label("is_over"),
    )
    .join_from(TokenRow, Player, Player.id == TokenRow.player_id)
    .join(SeatRow, SeatRow.player_id == Player.id)
    .join(Game, Game.id == SeatRow.game_id)
    .where(TokenRow.digest == bindparam("token"), TokenRow.plays, Game.id == _ITS_ID)
    .order_by(_IS_MY_TURN.desc())
    .limit(1)
)


def polled(house: House, token: str, code: str) -> Polled | None:
    """Return a game's status for a token's owner; None where they do not play it."""
    asked = {"token": authentication.digest(token), "code": code}
    with house.store.asking() as connection:
        return one_or_none_of(Polled, connection.execute(_POLLED, asked))
