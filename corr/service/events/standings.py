"""Computes an event's standings: a section's crosstable or a pyramid, for pages, emails and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from corr.game import berger, crosstable, crosstable_text, pyramid, trf
from corr.game.clock import parse_clock
from corr.game.crosstable import Table
from corr.game.pyramid import Climber
from corr.service.events import entrants, events, games
from corr.service.events.entrants import Entrant
from corr.service.events.events import Event
from corr.service.events.games import PairedGame


class Standings(NamedTuple):
    """An event with all its entrants and all its games."""

    event: Event
    entrants: Sequence[Entrant]
    games: Sequence[PairedGame]

    @property
    def numbered(self) -> dict[int, Entrant]:
        return {each.number: each for each in self.entrants if each.number is not None}

    @property
    def table(self) -> Table:
        players = [
            crosstable.Entrant(number, each.bare_name, each.is_program, withdrawn=not each.plays)
            for number, each in self.numbered.items()
        ]
        return crosstable.build_crosstable(players, [each.scored for each in self.games])

    @property
    def climbers(self) -> list[Climber]:
        """A pyramid's players, each with the number of their running games in it."""
        playing = [number for game in self.games if game.goes_on for number in game.numbers]
        return [
            Climber(each.number or 0, each.name, each.level or pyramid.BASE, playing.count(each.number or 0))
            for each in self.entrants
            if each.plays
        ]


def load_standings(connection: Connection, event: Event) -> Standings:
    found = entrants.list_entrants(connection, event.id)
    return Standings(event, found, games.list_games(connection, event.id))


def lock_standings(connection: Connection, event_id: int) -> Standings:
    """Return the standings and lock the event until this transaction ends."""
    return load_standings(connection, events.lock_event(connection, event_id))


def write_text(standing: Standings) -> str:
    if standing.event.is_pyramid:
        return pyramid.draw_pyramid(standing.climbers)
    return crosstable_text.draw_crosstable(standing.table)


def write_report(standing: Standings) -> str:
    """Return FIDE's file of a section."""
    event = standing.event
    begun, ended = event.begun_at, event.ended_at
    told = trf.Tournament(
        event.title,
        berger.double_round_robin(len(standing.numbered)),
        begins=begun.date() if begun else None,
        ends=ended.date() if ended else None,
        pace=parse_clock(event.clock).sentence,
    )
    return trf.trf(told, standing.table, {})
