"""Lists the events: open to entry, running, and over (how many: `corr/limits.py`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, literal_column, select, true

from corr import limits
from corr.service import catalogue
from corr.service.events import events
from corr.service.events.events import EVENT_COLUMNS, Event, EventEntry, EventStage
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import EventRow
from corr.text.messages import sentence


class ListedEvent(NamedTuple):
    """An event in a list, with its players if a player can or could enter it."""

    event: Event
    players: tuple[EventEntry, ...]

    @property
    def free(self) -> int:
        """The number of places that are still free."""
        return max(0, self.event.size - len(self.players))


class EventLists(NamedTuple):
    """The lists on the page of all events, in the site's order of variants."""

    own: tuple[ListedEvent, ...]
    filling: tuple[ListedEvent, ...]
    running: tuple[ListedEvent, ...]
    pyramids: tuple[ListedEvent, ...]
    ended: tuple[ListedEvent, ...]
    has_more: bool  # whether more ended events follow

    def usual(self, variant: str) -> ListedEvent | None:
        """Return the site's own section of a variant that is filling now."""
        return next(
            (each for each in self.filling if each.event.usual and each.event.variant == variant), None
        )

    def pyramid(self, variant: str) -> ListedEvent | None:
        """Return the pyramid of a variant, if anybody has entered it."""
        return next((each for each in self.pyramids if each.event.variant == variant), None)


# Worded this way, the condition keeps databases from searching the index of secrets.
_IS_PUBLIC = literal_column("(events.secret IS NULL)") == true()
_ACTIVE_QUERY = (
    select(*EVENT_COLUMNS)
    .where(EventRow.ended_at.is_(None), _IS_PUBLIC)
    .order_by((EventRow.state == EventStage.OPEN).desc(), EventRow.id.desc())
    .limit(limits.EVENTS_SHOWN)
)
_ENDED_QUERY = (
    select(*EVENT_COLUMNS)
    .where(EventRow.ended_at.is_not(None), _IS_PUBLIC)
    .order_by(EventRow.ended_at.desc(), EventRow.id.desc())
    .limit(limits.EVENTS_A_PAGE + 1)
    .offset(bindparam("passed"))
)


def load_lists(server: Server, player_id: int | None, page: int) -> EventLists:
    """Return public events and the player's own; of ended events, one page."""
    with server.store.reading() as connection:
        own = events.list_player_events(connection, player_id) if player_id else ()
        going = rows_of(Event, connection.execute(_ACTIVE_QUERY))
        asked = {"passed": (page - 1) * limits.EVENTS_A_PAGE}
        ended = rows_of(Event, connection.execute(_ENDED_QUERY, asked))
        open_ones = [each for each in going if each.state == EventStage.OPEN]
        players = _load_players(connection, [*own, *open_ones])
    return EventLists(
        _show(own, players),
        _show(_by_variant([each for each in open_ones if not each.is_pyramid]), players),
        _show([each for each in going if each.state == EventStage.RUNNING], players),
        _show(_by_variant([each for each in going if each.is_pyramid]), players),
        _show(ended[: limits.EVENTS_A_PAGE], players),
        len(ended) > limits.EVENTS_A_PAGE,
    )


def _load_players(connection: Connection, found: Sequence[Event]) -> dict[int, list[EventEntry]]:
    """Load the players of several events, by event id."""
    players = defaultdict[int, list[EventEntry]](list)
    for each in events.list_entries(connection, [event.id for event in found]):
        players[each.event_id].append(each)
    return players


def _show(found: Sequence[Event], players: Mapping[int, list[EventEntry]]) -> tuple[ListedEvent, ...]:
    """Put each event together with its players."""
    return tuple(ListedEvent(each, tuple(players.get(each.id, ()))) for each in found)


def _by_variant(found: Sequence[Event]) -> list[Event]:
    """Sort events by the site's order of variants, then oldest first."""
    order = [card.key for card in catalogue.cards()]
    return sorted(found, key=lambda each: (order.index(each.variant), each.id))


def write_lines(connection: Connection) -> list[str]:
    """Return one line for each open event, for an email."""
    going = rows_of(Event, connection.execute(_ACTIVE_QUERY))
    waiting = _by_variant([each for each in going if each.state == EventStage.OPEN])
    return [_line(each) for each in _show(waiting, _load_players(connection, waiting))]


def _line(shown: ListedEvent) -> str:
    """Return an open event as one line of text."""
    event = shown.event
    names = ", ".join(each.name for each in shown.players if each.withdrawn_at is None)
    if event.is_pyramid:
        return sentence("events.line_of_pyramid", code=event.code, title=event.title, names=names or "-")
    return sentence(
        "events.line",
        code=event.code,
        title=event.title,
        terms=event.terms,
        free=shown.free,
        size=event.size,
        names=names or "-",
    )
