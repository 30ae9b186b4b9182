"""Finds games that do not continue by themselves, and says why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Select, select

from corr.messages import sentence
from corr.service.admin.conflicts import Stakes, stakes
from corr.service.admin.games import ListedGame, listed
from corr.service.house import House
from corr.service.players.mailboxes import Correspondent
from corr.store.tables import Game, InboxRow, OutboxRow, SeatRow
from corr.words.view import Stage

_LONG_PAST = timedelta(hours=1)
_SEVERAL = 3
_MOST = 100


@dataclass(frozen=True, slots=True)
class Stuck:
    """A game, and why it may need an admin."""

    game: ListedGame
    causes: tuple[str, ...]


def stuck(house: House, operator: Correspondent, now: datetime) -> tuple[Stuck, ...]:
    """Return all games that may need an admin, by code."""
    with house.store.reading() as connection:
        causes: defaultdict[int, list[str]] = defaultdict(list)
        for cause, games in _causes(stakes(connection, operator), now, house.grace):
            for game_id in connection.execute(games.distinct().limit(_MOST)).scalars():
                causes[game_id].append(cause)
        found = listed(connection, list(causes))
        return tuple(Stuck(each, tuple(causes[each.id])) for each in found)


def _causes(held: Stakes, now: datetime, grace: timedelta) -> Iterator[tuple[str, Select[int]]]:
    """Return each cause with its games, leaving out what only an opponent's emails reveal."""
    games = select(Game.id).where(Game.state != Stage.OVER)
    runs = Game.paused_at.is_(None)
    theirs = games.join(SeatRow, SeatRow.game_id == Game.id).where(held.seat(SeatRow.id))
    yield sentence("admin.stuck_paused"), games.where(Game.paused_at.is_not(None))
    yield sentence("admin.stuck_late"), games.where(runs, Game.deadline < now - _LONG_PAST)
    unread = theirs.join(InboxRow, InboxRow.seat_id == SeatRow.id).where(InboxRow.read_at.is_(None))
    in_time = InboxRow.received_at <= Game.deadline
    yield sentence("admin.stuck_waits"), unread.where(runs, Game.deadline < now - grace, in_time)
    yield sentence("admin.stuck_unread"), unread.where(InboxRow.tries >= _SEVERAL)
    dead = theirs.join(OutboxRow, OutboxRow.seat_id == SeatRow.id)
    yield sentence("admin.stuck_dead"), dead.where(OutboxRow.dead_at.is_not(None))
