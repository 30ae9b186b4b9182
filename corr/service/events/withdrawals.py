"""Withdraws players from events; they lose their running games there, which a worker ends."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, bindparam, select
from sqlalchemy.exc import OperationalError

from corr.game.crosstable import Score
from corr.messages import sentence
from corr.service.events import entrants, events, games, results, sections, standings
from corr.service.events.entrants import Entrant
from corr.service.events.events import Event, Stage
from corr.service.events.standings import Standing
from corr.service.games import lifecycle
from corr.service.games.game_session import Sitting, sit_down
from corr.service.house import House
from corr.store.locks import take_turns
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import EntrantRow, EventGame, EventRow, Game, SeatRow
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.view import Stage as StageOfGame

log = logging.getLogger(__name__)

_BATCH = 50
_LEAVING = (
    select(EntrantRow.id).where(EntrantRow.leaving_from.is_not(None)).order_by(EntrantRow.id).limit(_BATCH)
)
WAITS = _LEAVING.exists()
_LEFT = select(EntrantRow.event_id, EntrantRow.player_id).where(
    EntrantRow.id == bindparam("entrant"), EntrantRow.leaving_from.is_not(None)
)
_GAMES = (
    select(NotNullable(EventGame.game_id), SeatRow.side)
    .join(Game, Game.id == EventGame.game_id)
    .join(SeatRow, (SeatRow.game_id == Game.id) & (SeatRow.player_id == bindparam("player")))
    .where(
        EventGame.event_id == bindparam("event"),
        EventGame.settled_at.is_(None),
        Game.state != StageOfGame.OVER,
    )
    .order_by(EventGame.id)
)
_OF_PLAYER = (
    select(EntrantRow.event_id)
    .join(EventRow, EventRow.id == EntrantRow.event_id)
    .where(
        EntrantRow.player_id == bindparam("player"),
        EntrantRow.withdrawn_at.is_(None),
        EventRow.ended_at.is_(None),
    )
    .order_by(EntrantRow.event_id)
)


class _Left(NamedTuple):
    event_id: int
    player_id: int


class _Running(NamedTuple):
    game_id: int
    side: str


# ---------------------------------------------------------------- leaving


def withdraw(connection: Connection, player_id: int, event: Event, now: datetime) -> str:
    """Withdraw a player by their own wish, and return the message; a worker ends their games."""
    take_turns(connection, f"the events of {player_id}")
    results.settle(connection, event.id, now)
    standing = standings.held(connection, event.id)
    own = entrants.of_player(standing.entrants, player_id)
    if own is None:
        raise Refused(sentence("events.not_in"))
    return leave(connection, standing, own, now)


def leave(connection: Connection, standing: Standing, own: Entrant, now: datetime) -> str:
    """Withdraw an entrant from a locked event, at a player's or an admin's wish."""
    event = standing.event
    if not own.plays:
        raise Refused(sentence("events.left_already"))
    if event.ended_at is not None:
        raise Refused(sentence("events.over"))
    if event.state == Stage.OPEN and not event.is_pyramid:
        sections.leave(connection, event, own, now)
        return sentence("events.left_before")
    return _leave(connection, standing, own, now)


def _leave(connection: Connection, standing: Standing, own: Entrant, now: datetime) -> str:
    assert own.number is not None
    event = standing.event
    entrants.change(connection, own.id, withdrawn_at=now, leaving_from=now, news_from=None)
    for game in standing.games:
        if game.goes_on and game.game_id is None and own.number in game.numbers:
            _settle_unbegun(connection, game, own.number, now)
    entrants.tell(connection, event.id, now)
    results.close(connection, event.id, now)
    return sentence("events.left_pyramid") if event.is_pyramid else sentence("events.left_section")


def _settle_unbegun(connection: Connection, game: games.Played, number: int, now: datetime) -> None:
    """Score a game that will never begin as lost by the player who left."""
    won = Score.BLACK if number == game.white else Score.WHITE
    games.settle(connection, game.id, won, now, by_default=True)


# ---------------------------------------------------------------- their games


def end_some(house: House, now: datetime) -> int:
    """End the games of players who have left, and return how many players were handled."""
    with house.store.asking() as connection:
        leaving = connection.execute(_LEAVING).scalars().all()
    return sum(_end_games(house, entrant_id, now) for entrant_id in leaving)


def _end_games(house: House, entrant_id: int, now: datetime) -> bool:
    """End each game in its own transaction; the next round retries a failed one."""
    with house.store.asking() as connection:
        left = one_or_none_of(_Left, connection.execute(_LEFT, {"entrant": entrant_id}))
        running = _running(connection, left) if left else []
    if left is None:
        return False
    ended = [_end_one(house, each, now) for each in running]
    if all(ended):
        with house.store.writing() as connection:
            entrants.change(connection, entrant_id, leaving_from=None)
    return all(ended)


def _running(connection: Connection, left: _Left) -> Sequence[_Running]:
    asked = {"player": left.player_id, "event": left.event_id}
    return rows_of(_Running, connection.execute(_GAMES, asked))


def _end_one(house: House, game: _Running, now: datetime) -> bool:
    try:
        with house.store.writing() as connection:
            _end(sit_down(connection, game.game_id, now), Side(game.side))
    except OperationalError:
        raise
    except Exception:
        log.exception("could not end an event's game; will try again", extra={"game": game.game_id})
        return False
    return True


def _end(sitting: Sitting, side: Side) -> None:
    """Make a player lose a game at any stage, so leaving never saves what resigning would cost."""
    if sitting.state.outcome:
        return
    lifecycle.leave(sitting, side)
    sitting.close()


# ---------------------------------------------------------------- who is forgotten


def forget(connection: Connection, player_id: int, now: datetime) -> None:
    """Withdraw a deleted player from all events and end their games there at once."""
    for event_id in connection.execute(_OF_PLAYER, {"player": player_id}).scalars().all():
        withdraw(connection, player_id, events.by_id(connection, event_id), now)
    found = [game for left in _left_by(connection, player_id) for game in _running(connection, left)]
    # Lock all games before the first one is rated: everything that ends a game locks the game before the ratings.
    held = [(sit_down(connection, game.game_id, now), Side(game.side)) for game in found]
    for each in held:
        _end(*each)


def _left_by(connection: Connection, player_id: int) -> Sequence[_Left]:
    return rows_of(_Left, connection.execute(_LEFT_BY, {"player": player_id}))


_LEFT_BY = select(EntrantRow.event_id, EntrantRow.player_id).where(
    EntrantRow.player_id == bindparam("player"), EntrantRow.leaving_from.is_not(None)
)
