"""Starts the games of events, each once, and records their results in crosstables and pyramids."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, ScalarSelect, bindparam, select, update
from sqlalchemy.orm import InstrumentedAttribute

from corr.game import pyramid
from corr.game.pairings_and_standings import Score
from corr.service.events import crosstables, events
from corr.service.events.crosstables import Standings
from corr.service.events.events import Entrant, Event, EventStage
from corr.service.games import lifecycle
from corr.service.games.lifecycle import Pairing
from corr.service.server import Server, log_failure
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import EventGameRow, GameRow
from corr.words.board import Pair, Side
from corr.words.view import Stage as StageOfGame

log = logging.getLogger(__name__)

_BATCH = 50
_IS_UNSTARTED = EventGameRow.game_id.is_(None) & EventGameRow.settled_at.is_(None)
_WAITING_QUERY = (
    select(EventGameRow.id, EventGameRow.event_id)
    .where(_IS_UNSTARTED)
    .order_by(EventGameRow.id)
    .limit(_BATCH)
)
HAS_WORK = _WAITING_QUERY.exists()
_GAME_QUERY = (
    select(EventGameRow.white, EventGameRow.black)
    .where(EventGameRow.id == bindparam("game"), _IS_UNSTARTED)
    .with_for_update()
)
_STARTED_UPDATE = (
    update(EventGameRow).where(EventGameRow.id == bindparam("of")).values(game_id=bindparam("begun"))
)


class _WaitingRow(NamedTuple):
    id: int
    event_id: int


class _PairRow(NamedTuple):
    white: int
    black: int


def start_some(server: Server, now: datetime) -> int:
    """Start a batch of paired games that aren't started yet; return how many."""
    with server.store.asking() as connection:
        waiting = rows_of(_WaitingRow, connection.execute(_WAITING_QUERY))
    return sum(_start_one(server, each.id, each.event_id, now) for each in waiting)


def _start_one(server: Server, game_id: int, event_id: int, now: datetime) -> bool:
    """Start one game; False if it is started, a player has left, or it failed."""
    failure = "could not start an event's game; will try again"
    with log_failure(log, failure, game=game_id), server.store.writing() as connection:
        event = events.lock_event(connection, event_id)
        paired = one_or_none_of(_PairRow, connection.execute(_GAME_QUERY, {"game": game_id}))
        if paired is None:
            return False
        found = {each.number: each for each in events.list_entrants(connection, event.id)}
        white, black = (found[number] for number in paired)
        if not (white.plays and black.plays):
            return False  # leaving decides the game
        begun = lifecycle.start(connection, _pair(event, white, black), now)
        connection.execute(_STARTED_UPDATE, {"of": game_id, "begun": begun.id})
        return True
    return False


def _pair(event: Event, white: Entrant, black: Entrant) -> Pairing:
    """Return who plays whom and on what terms, for the start of an event's game."""
    return Pairing(
        Pair(white.player_id, black.player_id),
        event.variant,
        event.clock,
        rated=event.rated,
        bot_side=Side.WHITE if white.house else Side.BLACK if black.house else None,
        by_lot=event.is_pyramid,
    )


_SETTLED_AT_ONCE = 200


def _game_column(column: InstrumentedAttribute[Any]) -> ScalarSelect[Any]:
    """Build a subquery for one column of a game; a join could read all games."""
    return select(column).where(GameRow.id == EventGameRow.game_id).scalar_subquery()


_IS_ENDED = EventGameRow.settled_at.is_(None) & (_game_column(GameRow.state) == StageOfGame.OVER)
_DUE = (
    select(EventGameRow.event_id)
    .where(_IS_ENDED, EventGameRow.game_id.is_not(None))
    .order_by(EventGameRow.game_id)
    .limit(_SETTLED_AT_ONCE)
)
_ENDED_GAMES_QUERY = (
    select(
        EventGameRow.id,
        EventGameRow.white,
        EventGameRow.black,
        _game_column(GameRow.winner).label("winner"),
        _game_column(GameRow.reason).label("reason"),
    )
    .where(EventGameRow.event_id == bindparam("event"), _IS_ENDED)
    .order_by(_game_column(GameRow.ended_at), EventGameRow.id)
)
#: The results of games that count for nobody.
_VOID = ("void", "declined")


class _EndedGameRow(NamedTuple):
    """An ended game of an event that is not settled yet."""

    id: int
    white: int
    black: int
    winner: str | None
    reason: str | None

    @property
    def score(self) -> Score:
        if self.reason in _VOID:
            return Score.VOID
        return Score(self.winner) if self.winner else Score.DRAW

    @property
    def loser(self) -> int | None:
        """The loser's number in the event; None if nobody won."""
        return {"white": self.black, "black": self.white}.get(self.winner or "")


def settle_some(server: Server, now: datetime) -> int:
    """Record the results of ended games in their events; return how many events changed."""
    with server.store.asking() as connection:
        due = connection.execute(_DUE).scalars().all()
    return sum(_settle_one(server, event_id, now) for event_id in dict.fromkeys(due))


def _settle_one(server: Server, event_id: int, now: datetime) -> bool:
    """Settle one event in its own transaction; False if nothing changed or it failed."""
    failure = "could not settle an event; will try again"
    with log_failure(log, failure, event=event_id), server.store.writing() as connection:
        return settle(connection, event_id, now)
    return False


def settle(connection: Connection, event_id: int, now: datetime) -> bool:
    """Lock an event and record its ended games' results; return whether there were any."""
    standing = crosstables.lock_standings(connection, event_id)
    ended = rows_of(_EndedGameRow, connection.execute(_ENDED_GAMES_QUERY, {"event": event_id}))
    settled = [each for each in ended if _settle_game(connection, standing, each, now)]
    if settled:
        events.mark_news(connection, event_id, now)
        close(connection, event_id, now)
    return bool(settled)


def _settle_game(connection: Connection, standing: Standings, game: _EndedGameRow, now: datetime) -> bool:
    """Record a game's score once, and pyramid levels with it; return whether it was new."""
    is_left = game.loser is not None and not standing.numbered[game.loser].plays
    by_default = game.score is not Score.VOID and (game.reason == "time" or is_left)
    is_new = crosstables.record_score(connection, game.id, game.score, now, by_default=by_default)
    if is_new and standing.event.is_pyramid:
        _change_levels(connection, standing.event.id, game)
    return is_new


def _change_levels(connection: Connection, event_id: int, game: _EndedGameRow) -> None:
    """Move a pyramid game's winner up and its loser down."""
    found = {each.number: each for each in events.list_entrants(connection, event_id)}
    players = Pair(found[game.white], found[game.black])
    levels = Pair(*(players[side].level or pyramid.BASE for side in Side))
    after = pyramid.levels_after_game(levels, Side(game.winner) if game.winner else None)
    for side in Side:
        events.change_entrant(connection, players[side].id, level=after[side])


def close(connection: Connection, event_id: int, now: datetime) -> None:
    """End a section when none of its games is running, and tell everybody at once."""
    standing = crosstables.load_standings(connection, events.load_event(connection, event_id))
    is_running = standing.event.state == EventStage.RUNNING
    if is_running and not any(each.goes_on for each in standing.games):
        events.end(connection, event_id, EventStage.OVER, now)
        events.mark_news(connection, event_id, now, at_once=True)
