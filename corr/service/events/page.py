"""Loads and changes events for their web pages (limits: `corr/limits.py`); each function is one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, func, select

from corr import limits
from corr.game import clock as clocks
from corr.game import pairings_and_standings
from corr.game.pairings_and_standings import Table
from corr.game.pyramid import Climber
from corr.service import catalogue
from corr.service.events import admin_log, commands, crosstables, entries, events, withdrawals
from corr.service.events.admin_log import AdminAct
from corr.service.events.crosstables import PairedGame, Standings
from corr.service.events.events import Entrant, Event, EventKind
from corr.service.games import finished, lifecycle
from corr.service.players.authentication import Visitor
from corr.service.players.times import word_in_utc
from corr.service.server import Server
from corr.store.tables import EventRow, Moment
from corr.text.messages import sentence
from corr.words.errors import Refused

_DAY = timedelta(days=1)
_MADE_COUNT_QUERY = select(func.count()).where(
    EventRow.made_by == bindparam("player"), EventRow.made_at > bindparam("since", type_=Moment)
)


@dataclass(frozen=True, slots=True)
class EventPage:
    standings: Standings
    own: Entrant | None
    marks: Mapping[str, str]  # page marks of its ended games, by game code
    acts: tuple[AdminAct, ...]
    may_challenge: tuple[Climber, ...]

    @property
    def event(self) -> Event:
        return self.standings.event

    @property
    def table(self) -> Table:
        return self.standings.table

    @property
    def waiting(self) -> list[Entrant]:
        """The players who wait in a section that has not begun."""
        return [each for each in self.standings.entrants if each.plays]

    @property
    def free(self) -> int:
        return self.event.size - len(self.waiting)

    @property
    def is_in(self) -> bool:
        """Whether the visitor plays here and the event isn't over."""
        return self.own is not None and self.own.plays and self.event.ended_at is None

    @property
    def names(self) -> Mapping[int, str]:
        return {number: each.name for number, each in self.standings.numbered.items()}

    @property
    def levels(self) -> list[tuple[int, list[Climber]]]:
        """The players on each level of a pyramid, highest level first."""
        found = self.standings.climbers
        highest = max((each.level for each in found), default=0)
        return [(level, [each for each in found if each.level == level]) for level in range(highest, 0, -1)]

    @property
    def lately(self) -> list[PairedGame]:
        """The newest games of a pyramid, newest first."""
        return list(reversed(self.standings.games))[: limits.PYRAMID_GAMES_SHOWN]

    points = staticmethod(pairings_and_standings.format_points)
    quarters = staticmethod(pairings_and_standings.format_quarter_points)

    @property
    def begun(self) -> str:
        """The start in words; empty if the event has not begun."""
        return word_in_utc(self.event.begun_at) if self.event.begun_at else ""

    @property
    def ended(self) -> str:
        return word_in_utc(self.event.ended_at) if self.event.ended_at else ""


def load_page(server: Server, visitor: Visitor | None, place: str, *, is_operator: bool = False) -> EventPage:
    """Return an event for a visitor; Refused if missing, or private and known by code only."""
    player_id = visitor.who.player_id if visitor else None
    with server.store.reading() as connection:
        event = events.require_event(connection, place)
        standing = crosstables.load_standings(connection, event)
        own = events.find_entrant(standing.entrants, player_id) if player_id else None
        if event.secret not in (None, place) and own is None and not is_operator:
            raise Refused(sentence("events.none", code=place[:40]))
        # A player of a section meets every other entrant, and so learns their names from emails.
        meets_all = own is not None and event.begun_at is not None and not event.is_pyramid
        if not (is_operator or meets_all):
            shown = events.hide_names(connection, standing.entrants)
            named = [own if own and each.id == own.id else each for each in shown]
            standing = standing._replace(entrants=named)
        over = [each.code for each in standing.games if each.code and not each.goes_on]
        climbs = own is not None and own.plays and event.is_pyramid
        return EventPage(
            standing,
            own,
            finished.find_named_marks(connection, over),
            admin_log.list_acts(connection, event.id, standing.entrants),
            entries.list_challengeable(standing, own) if own and climbs else (),
        )


def write_text(server: Server, visitor: Visitor | None, place: str) -> str:
    """Return the standings as a text file."""
    seen = load_page(server, visitor, place)
    return f"{seen.event.title} ({seen.event.code})\n{seen.event.terms}\n\n{crosstables.write_text(seen.standings)}\n"


def write_report(server: Server, visitor: Visitor | None, place: str) -> str:
    """Return a section as FIDE's report file; Refused for a pyramid or before the start."""
    seen = load_page(server, visitor, place)
    if seen.event.is_pyramid or seen.event.begun_at is None:
        raise Refused(sentence("events.no_report"))
    return crosstables.write_report(seen.standings)


def enter_site_event(
    server: Server, visitor: Visitor, variant: str, kind: EventKind, now: datetime, *, fills: bool
) -> Event:
    """Enter a visitor into the site's section or pyramid of a variant; return the event."""
    key = catalogue.card(variant).key
    with server.store.writing() as connection:
        who = visitor.player
        if kind is EventKind.PYRAMID:
            return entries.enter_pyramid(connection, who, key, now)
        return entries.enter_site_section(connection, who, key, now, fills=fills)


def enter(server: Server, visitor: Visitor, place: str, now: datetime, *, fills: bool) -> str:
    """Enter an event, or change whether bots may fill it; return the message."""
    with server.store.writing() as connection:
        event = commands.find_accessible_event(connection, visitor.who, place)
        return commands.enter_event(connection, visitor.player, event, now, fills=fills)


def withdraw(server: Server, visitor: Visitor, place: str, now: datetime) -> str:
    """Leave an event, and return the message to show."""
    with server.store.writing() as connection:
        event = events.require_event(connection, place)
        return withdrawals.withdraw(connection, _player_id(visitor), event, now)


def challenge(server: Server, visitor: Visitor, place: str, number: str) -> str:
    """Challenge the player with this number in a pyramid; return the message."""
    with server.store.writing() as connection:
        event = events.require_event(connection, place)
        found = events.list_entrants(connection, event.id)
        whom = next((each.player_id for each in found if str(each.number) == number), 0)
        return entries.challenge_in_pyramid(connection, visitor.player, event, whom)


class EventForm(NamedTuple):
    variant: str
    clock: str
    size: str
    rated: bool


def make_private(server: Server, visitor: Visitor, form: EventForm, now: datetime) -> Event:
    """Make a private section with its maker as the first player; Refused after too many in a day."""
    values = {
        "kind": EventKind.SECTION,
        "variant": catalogue.card(form.variant).key,
        "clock": check_clock(form.clock),
        "size": check_size(form.size),
        "rated": form.rated,
        "secret": lifecycle.draw_secret(),
    }
    with server.store.writing() as connection:
        player_id = _player_id(visitor)
        events.lock_entries(connection, player_id)
        made = connection.execute(_MADE_COUNT_QUERY, {"player": player_id, "since": now - _DAY}).scalar_one()
        if made >= limits.EVENTS_A_DAY:
            raise Refused(sentence("events.enough_made", most=limits.EVENTS_A_DAY))
        event = events.make(connection, now, made_by=player_id, **values)
        return entries.enter_section(connection, visitor.player, event, now, fills=False)


def check_clock(text: str) -> str:
    """Return an event's clock as stored; Refused if live or without a time limit."""
    written = clocks.parse_new_clock(text)
    if written.is_live or written.is_untimed:
        raise Refused(sentence("events.no_such_clock"))
    return str(written)


def check_size(text: str) -> int:
    """Return a section's size as a number; Refused if too small or too large."""
    least, most = limits.SMALLEST_SECTION, limits.LARGEST_SECTION
    if text not in map(str, range(least, most + 1)):
        raise Refused(sentence("events.no_such_size", least=least, most=most))
    return int(text)


def _player_id(visitor: Visitor) -> int:
    player_id = visitor.player.player_id
    assert player_id is not None
    return player_id
