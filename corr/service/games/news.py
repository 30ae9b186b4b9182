"""Tells pages that wait whether something changed that their players may see, for many seats in one query."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from corr import limits
from corr.service.players import authentication
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import CorrespondentRow, GameRow, SeatRow, SessionRow
from corr.words.view import Stage


class SeatNews(NamedTuple):
    """What changes when a seat's page does. None of it changes by what the opponent does in private."""

    seat_id: int
    slips: int
    steps: int
    answers: int
    accepted: bool
    state: str
    ply: int
    offer: str | None
    again: str | None
    pause_asked: str | None
    paused_at: datetime | None


_NEWS_QUERY = (
    select(
        SeatRow.id.label("seat_id"),
        SeatRow.slips,
        SeatRow.steps,
        SeatRow.answers,
        SeatRow.accepted,
        GameRow.state,
        GameRow.ply,
        GameRow.offer,
        GameRow.again,
        GameRow.pause_asked,
        GameRow.paused_at,
    )
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(SeatRow.id.in_(bindparam("seats", expanding=True)))
)
#: A database takes only so many parameters.
_BATCH = 5_000
_OWN_SEATS = (
    select(SeatRow.id)
    .join_from(SessionRow, CorrespondentRow, CorrespondentRow.id == SessionRow.correspondent_id)
    .join(SeatRow, SeatRow.player_id == CorrespondentRow.player_id)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(authentication.IS_OPEN_SESSION)
)
_OPEN_SEATS_QUERY = (
    _OWN_SEATS.where(GameRow.state != Stage.OVER).order_by(SeatRow.id.desc()).limit(limits.GAMES_SHOWN)
)
_GAME_SEATS_QUERY = _OWN_SEATS.where(GameRow.code == bindparam("code"))


def load_news(server: Server, seats: Collection[int]) -> Sequence[SeatNews]:
    """Return what these seats' pages depend on now."""
    asked = list(seats)
    with server.store.asking() as connection:
        return [
            news
            for first in range(0, len(asked), _BATCH)
            for news in rows_of(
                SeatNews, connection.execute(_NEWS_QUERY, {"seats": asked[first : first + _BATCH]})
            )
        ]


def list_open_seats(server: Server, secret: str, now: datetime) -> Sequence[int]:
    """Return the ids of the unfinished seats of the player or guest at a browser."""
    with server.store.asking() as connection:
        asked = authentication.session_parameters(secret, now)
        return connection.execute(_OPEN_SEATS_QUERY, asked).scalars().all()


def list_game_seats(server: Server, secret: str, code: str, now: datetime) -> Sequence[int]:
    """Return the ids of the seats in one game of the player or guest at a browser."""
    with server.store.asking() as connection:
        asked = authentication.session_parameters(secret, now) | {"code": code}
        return connection.execute(_GAME_SEATS_QUERY, asked).scalars().all()
