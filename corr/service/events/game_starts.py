"""Starts each game of an event exactly once, even if a worker is stopped halfway."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from corr.service.events import entrants, events
from corr.service.events.events import Event
from corr.service.games import lifecycle
from corr.service.games.pairing import Pairing
from corr.service.server import Server, log_failure
from corr.store.rows import one_or_none_of, rows_of
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
    select(EventGameRow.id, EventGameRow.white, EventGameRow.black)
    .where(EventGameRow.id == bindparam("game"), _IS_UNSTARTED)
    .with_for_update()
)
_STARTED_UPDATE = (
    update(EventGameRow).where(EventGameRow.id == bindparam("of")).values(game_id=bindparam("begun"))
)


class _WaitingRow(NamedTuple):
    id: int
    event_id: int


class _GameRow(NamedTuple):
    id: int
    white: int
    black: int


def start_some(server: Server, now: datetime) -> int:
    """Start paired games, and return how many were handled."""
    with server.store.asking() as connection:
        waiting = rows_of(_WaitingRow, connection.execute(_WAITING_QUERY))
    return sum(_start_one(server, each, now) for each in waiting)


def _start_one(server: Server, waiting: _WaitingRow, now: datetime) -> bool:
    failure = "could not start an event's game; will try again"
    with log_failure(log, failure, game=waiting.id), server.store.writing() as connection:
        event = events.lock_event(connection, waiting.event_id)
        paired = one_or_none_of(_GameRow, connection.execute(_GAME_QUERY, {"game": waiting.id}))
        return paired is not None and _start_game(connection, event, paired, now)
    return False


def _start_game(connection: Connection, event: Event, paired: _GameRow, now: datetime) -> bool:
    """Start a game unless a player has left; leaving decides such a game."""
    found = {each.number: each for each in entrants.list_entrants(connection, event.id)}
    white, black = found[paired.white], found[paired.black]
    if not (white.plays and black.plays):
        return False
    pairing = Pairing(
        Pair(white.player_id, black.player_id),
        event.variant,
        event.clock,
        rated=event.rated,
        bot_side=Side.WHITE if white.house else Side.BLACK if black.house else None,
        by_lot=event.is_pyramid,
    )
    begun = lifecycle.start(connection, pairing, now)
    connection.execute(_STARTED_UPDATE, {"of": paired.id, "begun": begun.id})
    return True
