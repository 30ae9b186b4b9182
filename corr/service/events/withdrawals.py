"""Withdraws players from events; they lose their running games there, which a worker ends."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, bindparam, select

from corr.game.pairings_and_standings import Score
from corr.service.events import crosstables, entries, event_games, events
from corr.service.events.crosstables import Standings
from corr.service.events.events import Entrant, Event, EventStage
from corr.service.games import lifecycle
from corr.service.games.game_session import GameSession, open_session
from corr.service.server import Server, log_failure
from corr.store.rows import columns_of, one_or_none_of, rows_of
from corr.store.tables import EntrantRow, EventGameRow, GameRow, SeatRow
from corr.text.messages import sentence
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.view import Stage as StageOfGame

log = logging.getLogger(__name__)

_BATCH = 50
_WAITING_QUERY = (
    select(EntrantRow.id).where(EntrantRow.leaving_from.is_not(None)).order_by(EntrantRow.id).limit(_BATCH)
)
HAS_WORK = _WAITING_QUERY.exists()
_GAMES = (
    select(NotNullable(EventGameRow.game_id), SeatRow.side)
    .join(GameRow, GameRow.id == EventGameRow.game_id)
    .join(SeatRow, (SeatRow.game_id == GameRow.id) & (SeatRow.player_id == bindparam("player")))
    .where(
        EventGameRow.event_id == bindparam("event"),
        EventGameRow.settled_at.is_(None),
        GameRow.state != StageOfGame.OVER,
    )
    .order_by(EventGameRow.id)
)


class _LeaverRow(NamedTuple):
    event_id: int
    player_id: int


_LEAVERS = select(*columns_of(_LeaverRow, EntrantRow)).where(EntrantRow.leaving_from.is_not(None))
_LEAVER_QUERY = _LEAVERS.where(EntrantRow.id == bindparam("entrant"))
_PLAYER_EXITS_QUERY = _LEAVERS.where(EntrantRow.player_id == bindparam("player"))


def withdraw(connection: Connection, player_id: int, event: Event, now: datetime) -> str:
    """Withdraw a player, whose games a worker then ends; return the message. Refused if not in it, or if over."""
    events.lock_entries(connection, player_id)
    event_games.settle(connection, event.id, now)
    standing = crosstables.lock_standings(connection, event.id)
    own = events.find_entrant(standing.entrants, player_id)
    if own is None:
        raise Refused(sentence("events.not_in"))
    return leave(connection, standing, own, now)


def leave(connection: Connection, standing: Standings, own: Entrant, now: datetime) -> str:
    """Withdraw an entrant from an event that the caller locked; return the message. Refused if gone, or if over."""
    event = standing.event
    if not own.plays:
        raise Refused(sentence("events.left_already"))
    if event.ended_at is not None:
        raise Refused(sentence("events.over"))
    if event.state == EventStage.OPEN and not event.is_pyramid:
        entries.leave_section(connection, event, own, now)
        return sentence("events.left_before")
    events.change_entrant(connection, own.id, withdrawn_at=now, leaving_from=now, news_from=None)
    for game in standing.games:
        if game.goes_on and game.game_id is None and own.number in game.numbers:
            won = Score.BLACK if own.number == game.white else Score.WHITE
            crosstables.record_score(connection, game.id, won, now, by_default=True)
    events.mark_news(connection, event.id, now)
    event_games.close(connection, event.id, now)
    return sentence("events.left_pyramid") if event.is_pyramid else sentence("events.left_section")


def end_some(server: Server, now: datetime) -> int:
    """End the games of players who have left, and return how many players were handled."""
    with server.store.asking() as connection:
        leaving = connection.execute(_WAITING_QUERY).scalars().all()
    return sum(_end_games(server, entrant_id, now) for entrant_id in leaving)


def _end_games(server: Server, entrant_id: int, now: datetime) -> bool:
    """End the running games of a player who left; True once all are ended."""
    with server.store.asking() as connection:
        left = one_or_none_of(_LeaverRow, connection.execute(_LEAVER_QUERY, {"entrant": entrant_id}))
        running = _list_running_games(connection, left) if left else []
    if left is None:
        return False
    ended = [_end_one(server, game_id, side, now) for game_id, side in running]
    if all(ended):
        with server.store.writing() as connection:
            events.change_entrant(connection, entrant_id, leaving_from=None)
    return all(ended)


class _RunningGameRow(NamedTuple):
    game_id: int
    side: str


def _list_running_games(connection: Connection, left: _LeaverRow) -> list[tuple[int, Side]]:
    """Return a player's running games of an event, each with the player's side."""
    asked = {"player": left.player_id, "event": left.event_id}
    found = rows_of(_RunningGameRow, connection.execute(_GAMES, asked))
    return [(each.game_id, Side(each.side)) for each in found]


def _end_one(server: Server, game_id: int, side: Side, now: datetime) -> bool:
    """Make a player lose one game by leaving; False if that failed."""
    failure = "could not end an event's game; will try again"
    with log_failure(log, failure, game=game_id), server.store.writing() as connection:
        _end(open_session(connection, game_id, now), side)
        return True
    return False


def _end(session: GameSession, side: Side) -> None:
    """Make a player lose this game by leaving, unless it is over."""
    if session.state.outcome:
        return
    lifecycle.leave(session, side)
    session.close()


def withdraw_from_all(connection: Connection, player_id: int, now: datetime) -> None:
    """Withdraw a deleted player from all events and end their games there at once."""
    for event in events.list_player_events(connection, player_id):
        withdraw(connection, player_id, event, now)
    exits = rows_of(_LeaverRow, connection.execute(_PLAYER_EXITS_QUERY, {"player": player_id}))
    found = [game for left in exits for game in _list_running_games(connection, left)]
    # Lock all games before the first one is rated: everything that ends a game locks the game before the ratings.
    held = [(open_session(connection, game_id, now), side) for game_id, side in found]
    for session, side in held:
        _end(session, side)
