"""Starts each game of an event exactly once, even if a worker is stopped halfway."""

from __future__ import annotations

import logging
from datetime import datetime

from sqlalchemy import bindparam, select, update

from corr.service.events import entrants, events
from corr.service.events.entrants import Entrant
from corr.service.events.events import Event
from corr.service.games import lifecycle
from corr.service.games.pairing import Pairing
from corr.service.server import Server, log_failure
from corr.store.tables import EventGameRow
from corr.words.board import Pair, Side

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


def start_some(server: Server, now: datetime) -> int:
    """Start paired games, and return how many were handled."""
    with server.store.asking() as connection:
        waiting = connection.execute(_WAITING_QUERY).all()
    return sum(_start_one(server, game_id, event_id, now) for game_id, event_id in waiting)


def _start_one(server: Server, game_id: int, event_id: int, now: datetime) -> bool:
    failure = "could not start an event's game; will try again"
    with log_failure(log, failure, game=game_id), server.store.writing() as connection:
        event = events.lock_event(connection, event_id)
        paired = connection.execute(_GAME_QUERY, {"game": game_id}).one_or_none()
        if paired is None:
            return False
        found = {each.number: each for each in entrants.list_entrants(connection, event.id)}
        white, black = (found[number] for number in paired)
        if not (white.plays and black.plays):
            return False  # leaving decides the game
        begun = lifecycle.start(connection, _pair(event, white, black), now)
        connection.execute(_STARTED_UPDATE, {"of": game_id, "begun": begun.id})
        return True
    return False


def _pair(event: Event, white: Entrant, black: Entrant) -> Pairing:
    """Pair the players, and name the side that a bot of the site plays, if any."""
    return Pairing(
        Pair(white.player_id, black.player_id),
        event.variant,
        event.clock,
        rated=event.rated,
        bot_side=Side.WHITE if white.house else Side.BLACK if black.house else None,
        by_lot=event.is_pyramid,
    )
