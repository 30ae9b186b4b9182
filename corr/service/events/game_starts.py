"""Starts each game of an event exactly once, even if a worker is stopped halfway."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import OperationalError

from corr.service.events import entrants, events
from corr.service.events.entrants import Entrant
from corr.service.events.events import Event
from corr.service.games import lifecycle
from corr.service.games.pairing import Pairing
from corr.service.house import House
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import EventGame
from corr.words.board import Pair, Side

log = logging.getLogger(__name__)

_BATCH = 50
_UNBEGUN = EventGame.game_id.is_(None) & EventGame.settled_at.is_(None)
_TO_BEGIN = select(EventGame.id, EventGame.event_id).where(_UNBEGUN).order_by(EventGame.id).limit(_BATCH)
WAITS = _TO_BEGIN.exists()
_PAIRED = (
    select(EventGame.id, EventGame.white, EventGame.black)
    .where(EventGame.id == bindparam("game"), _UNBEGUN)
    .with_for_update()
)
_BEGUN = update(EventGame).where(EventGame.id == bindparam("of")).values(game_id=bindparam("begun"))


class _ToBegin(NamedTuple):
    id: int
    event_id: int


class _Paired(NamedTuple):
    id: int
    white: int
    black: int


def begin_some(house: House, now: datetime) -> int:
    """Start paired games, and return how many were handled."""
    with house.store.asking() as connection:
        waiting = rows_of(_ToBegin, connection.execute(_TO_BEGIN))
    return sum(_begin_one(house, each, now) for each in waiting)


def _begin_one(house: House, waiting: _ToBegin, now: datetime) -> bool:
    """Start one game; a failure must not hold up the others."""
    try:
        with house.store.writing() as connection:
            event = events.held(connection, waiting.event_id)
            paired = one_or_none_of(_Paired, connection.execute(_PAIRED, {"game": waiting.id}))
            return paired is not None and _begin(connection, event, paired, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not start an event's game; will try again", extra={"game": waiting.id})
        return False


def _begin(connection: Connection, event: Event, paired: _Paired, now: datetime) -> bool:
    """Start a game unless a player has left; leaving decides such a game."""
    found = {each.number: each for each in entrants.of_event(connection, event.id)}
    white, black = found[paired.white], found[paired.black]
    if not (white.plays and black.plays):
        return False
    begun = lifecycle.start(connection, _pairing(event, white, black), now)
    connection.execute(_BEGUN, {"of": paired.id, "begun": begun.id})
    return True


def _pairing(event: Event, white: Entrant, black: Entrant) -> Pairing:
    """Pair the players, and name the side that a bot of the site plays, if any."""
    kept = next((side for side, each in zip(Side, (white, black), strict=True) if each.house), None)
    return Pairing(
        Pair(white.player_id, black.player_id),
        event.variant,
        event.clock,
        rated=event.rated,
        house=kept,
        by_lot=event.is_pyramid,
    )
