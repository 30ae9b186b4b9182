"""Computes an event's standings: a section's crosstable or a pyramid, for pages, emails and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from corr.game import berger, crosstable, crosstable_text, pyramid, trf
from corr.game.clock import clock_of
from corr.game.crosstable import Score, Table
from corr.game.pyramid import Climber
from corr.service.events import entrants, events, games
from corr.service.events.entrants import Entrant
from corr.service.events.events import Event
from corr.service.events.games import Played


class Standing(NamedTuple):
    """An event with all its entrants and all its games."""

    event: Event
    entrants: Sequence[Entrant]
    games: Sequence[Played]

    @property
    def numbered(self) -> dict[int, Entrant]:
        """The entrants by number."""
        return {each.number: each for each in self.entrants if each.number is not None}

    @property
    def table(self) -> Table:
        """The current crosstable."""
        return crosstable.crosstable(self.known, self.scored)

    @property
    def known(self) -> list[crosstable.Entrant]:
        """The entrants as the crosstable takes them."""
        return [_known(number, each) for number, each in self.numbered.items()]

    @property
    def scored(self) -> list[crosstable.Game]:
        """The games as the crosstable takes them."""
        return [_scored(each) for each in self.games]

    @property
    def climbers(self) -> list[Climber]:
        """A pyramid's players, each with the number of their running games in it."""
        playing = [number for game in self.games if game.goes_on for number in game.numbers]
        return [
            Climber(each.number or 0, each.name, each.level or pyramid.BASE, playing.count(each.number or 0))
            for each in self.entrants
            if each.plays
        ]


def of_event(connection: Connection, event: Event) -> Standing:
    """Return the standings of an event."""
    found = entrants.of_event(connection, event.id)
    return Standing(event, found, games.of_event(connection, event.id))


def held(connection: Connection, event_id: int) -> Standing:
    """Return the standings and lock the event until this transaction ends."""
    return of_event(connection, events.held(connection, event_id))


def _known(number: int, each: Entrant) -> crosstable.Entrant:
    return crosstable.Entrant(number, each.bare_name, each.is_program, withdrawn=not each.plays)


def _scored(game: Played) -> crosstable.Game:
    score = Score(game.score) if game.score else None
    return crosstable.Game(game.white, game.black, score, game.by_default, game.code or "")


def drawn(standing: Standing) -> str:
    """Draw the standings as text for an email."""
    if standing.event.is_pyramid:
        return pyramid.drawing(standing.climbers)
    return crosstable_text.drawn(standing.table)


def report(standing: Standing) -> str:
    """Return FIDE's file of a section."""
    event = standing.event
    begun, ended = event.begun_at, event.ended_at
    told = trf.Tournament(
        event.title,
        berger.both_colours(len(standing.numbered)),
        begins=begun.date() if begun else None,
        ends=ended.date() if ended else None,
        pace=clock_of(event.clock).sentence,
    )
    return trf.trf(told, standing.table, {})
