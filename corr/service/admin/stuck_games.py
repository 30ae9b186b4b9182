"""Finds games that do not continue by themselves, and says why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Select, select

from corr.service.admin.conflicts import AdminConflicts, load_conflicts
from corr.service.admin.games import ListedGame, load_games
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.tables import GameRow, InboxRow, OutboxRow, SeatRow
from corr.text.messages import sentence
from corr.words.view import Stage

_OVERDUE_TIME = timedelta(hours=1)
_STUCK_TRIES = 3
_MAX_GAMES = 100


@dataclass(frozen=True, slots=True)
class StuckGame:
    game: ListedGame
    causes: tuple[str, ...]


def list_stuck_games(server: Server, operator: Correspondent, now: datetime) -> tuple[StuckGame, ...]:
    """Return all games that may need an admin, by code."""
    with server.store.reading() as connection:
        causes: defaultdict[int, list[str]] = defaultdict(list)
        for cause, games in _causes(load_conflicts(connection, operator), now, server.grace):
            for game_id in connection.execute(games.distinct().limit(_MAX_GAMES)).scalars():
                causes[game_id].append(cause)
        found = load_games(connection, list(causes))
        return tuple(StuckGame(each, tuple(causes[each.id])) for each in found)


def _causes(held: AdminConflicts, now: datetime, grace: timedelta) -> Iterator[tuple[str, Select[int]]]:
    """Return each cause with its games, leaving out what only an opponent's emails reveal."""
    games = select(GameRow.id).where(GameRow.state != Stage.OVER)
    runs = GameRow.paused_at.is_(None)
    theirs = games.join(SeatRow, SeatRow.game_id == GameRow.id).where(held.seat(SeatRow.id))
    yield sentence("admin.stuck_paused"), games.where(GameRow.paused_at.is_not(None))
    yield sentence("admin.stuck_late"), games.where(runs, GameRow.deadline < now - _OVERDUE_TIME)
    unread = theirs.join(InboxRow, InboxRow.seat_id == SeatRow.id).where(InboxRow.read_at.is_(None))
    in_time = InboxRow.received_at <= GameRow.deadline
    yield sentence("admin.stuck_waits"), unread.where(runs, GameRow.deadline < now - grace, in_time)
    yield sentence("admin.stuck_unread"), unread.where(InboxRow.tries >= _STUCK_TRIES)
    dead = theirs.join(OutboxRow, OutboxRow.seat_id == SeatRow.id)
    yield sentence("admin.stuck_dead"), dead.where(OutboxRow.dead_at.is_not(None))
