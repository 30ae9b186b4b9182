"""Loads and words an event's crosstable for pages, emails and files; `pairings_and_standings.py` ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from corr.game import pairings_and_standings, pyramid, trf
from corr.game.clock import parse_clock
from corr.game.pairings_and_standings import Game, Score, Table
from corr.game.pyramid import Climber
from corr.service.events import events
from corr.service.events.events import Entrant, Event
from corr.store.rows import columns_of, rows_of
from corr.store.tables import EventGameRow, GameRow
from corr.words.board import Pair


class PairedGame(NamedTuple):
    """A game of an event; once settled it has a score, unless the event was stopped."""

    id: int
    white: int
    black: int
    game_id: int | None
    code: str | None
    score: str | None
    by_default: bool
    mended: bool
    settled_at: datetime | None

    @property
    def goes_on(self) -> bool:
        """Whether its result isn't recorded yet."""
        return self.settled_at is None

    @property
    def scored(self) -> Game:
        """The game as a crosstable takes it."""
        score = Score(self.score) if self.score else None
        return Game(self.white, self.black, score, self.by_default, self.code or "")

    @property
    def numbers(self) -> tuple[int, int]:
        """The numbers of White and Black in the event."""
        return self.white, self.black


_CODE = select(GameRow.code).where(GameRow.id == EventGameRow.game_id).scalar_subquery()
_GAMES_QUERY = (
    select(*columns_of(PairedGame, EventGameRow, code=_CODE))
    .where(EventGameRow.event_id == bindparam("event"))
    .order_by(EventGameRow.id)
)
_SCORE_UPDATE = (
    update(EventGameRow)
    .where(EventGameRow.id == bindparam("of"), EventGameRow.settled_at.is_(None))
    .values(
        score=bindparam("how"),
        by_default=bindparam("default"),
        settled_at=bindparam("now", type_=EventGameRow.settled_at.type),
    )
)


def list_games(connection: Connection, event_id: int) -> Sequence[PairedGame]:
    return rows_of(PairedGame, connection.execute(_GAMES_QUERY, {"event": event_id}))


def add_games(connection: Connection, event_id: int, pairs: Iterable[Pair[int]]) -> None:
    """Add games for a worker to start, by the numbers of White and Black."""
    rows = [{"event_id": event_id, "white": pair.white, "black": pair.black} for pair in pairs]
    connection.execute(insert(EventGameRow), rows)


def record_score(
    connection: Connection, game: int, score: str | None, now: datetime, *, by_default: bool = False
) -> bool:
    """Record a game's score once; return whether this call recorded it."""
    asked = {"of": game, "how": score, "default": by_default, "now": now}
    return connection.execute(_SCORE_UPDATE, asked).rowcount > 0


class Standings(NamedTuple):
    """An event with all its entrants and all its games."""

    event: Event
    entrants: Sequence[Entrant]
    games: Sequence[PairedGame]

    @property
    def numbered(self) -> dict[int, Entrant]:
        """The entrants by their numbers, without those who have none yet."""
        return {each.number: each for each in self.entrants if each.number is not None}

    @property
    def table(self) -> Table:
        players = [
            pairings_and_standings.Entrant(number, each.bare_name, each.is_program, withdrawn=not each.plays)
            for number, each in self.numbered.items()
        ]
        return pairings_and_standings.build_crosstable(players, [each.scored for each in self.games])

    @property
    def climbers(self) -> list[Climber]:
        """A pyramid's players who haven't left, each with the number of their running games in it."""
        playing = [number for game in self.games if game.goes_on for number in game.numbers]
        return [
            Climber(each.number or 0, each.name, each.level or pyramid.BASE, playing.count(each.number or 0))
            for each in self.entrants
            if each.plays
        ]


def load_standings(connection: Connection, event: Event) -> Standings:
    """Load an event's entrants and games."""
    found = events.list_entrants(connection, event.id)
    return Standings(event, found, list_games(connection, event.id))


def lock_standings(connection: Connection, event_id: int) -> Standings:
    """Lock an event until the transaction ends, and load its entrants and games."""
    return load_standings(connection, events.lock_event(connection, event_id))


def write_text(standing: Standings) -> str:
    """Return the standings as plain text: a crosstable, or a pyramid's levels."""
    if standing.event.is_pyramid:
        return pyramid.draw_pyramid(standing.climbers)
    return pairings_and_standings.draw_crosstable(standing.table)


def write_report(standing: Standings) -> str:
    """Return a section as the report file that FIDE uses (TRF)."""
    event = standing.event
    begun, ended = event.begun_at, event.ended_at
    told = trf.Tournament(
        event.title,
        pairings_and_standings.double_round_robin(len(standing.numbered)),
        begins=begun.date() if begun else None,
        ends=ended.date() if ended else None,
        pace=parse_clock(event.clock).sentence,
    )
    return trf.write_trf(told, standing.table, {})
