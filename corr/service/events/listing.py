"""Lists the events: open to entry, running, and over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, literal_column, select, true

from corr import limits
from corr.messages import sentence
from corr.service import catalogue
from corr.service.events import entrants, events
from corr.service.events.entrants import Entered
from corr.service.events.events import EVENT, Event, Stage
from corr.service.house import House
from corr.store.rows import rows_of
from corr.store.tables import EventRow


class Shown(NamedTuple):
    """An event in a list, with its players if a player can or could enter it."""

    event: Event
    players: tuple[Entered, ...]

    @property
    def free(self) -> int:
        """The number of free places in a section."""
        return max(0, self.event.size - len(self.players))


class Lists(NamedTuple):
    """The lists on the page of all events, in the site's order of variants."""

    own: tuple[Shown, ...]
    filling: tuple[Shown, ...]
    running: tuple[Shown, ...]
    pyramids: tuple[Shown, ...]
    ended: tuple[Shown, ...]
    has_more: bool  # whether more ended events follow

    def usual(self, variant: str) -> Shown | None:
        """Return the site's own section of a variant that is filling now."""
        return next(
            (each for each in self.filling if each.event.usual and each.event.variant == variant), None
        )

    def pyramid(self, variant: str) -> Shown | None:
        """Return the pyramid of a variant, if anybody has entered it."""
        return next((each for each in self.pyramids if each.event.variant == variant), None)


# Worded this way, the condition keeps databases from searching the index of secrets.
_IS_PUBLIC = literal_column("(events.secret IS NULL)") == true()
_GOES_ON = (
    select(*EVENT)
    .where(EventRow.ended_at.is_(None), _IS_PUBLIC)
    .order_by((EventRow.state == Stage.OPEN).desc(), EventRow.id.desc())
    .limit(limits.EVENTS_SHOWN)
)
_ENDED = (
    select(*EVENT)
    .where(EventRow.ended_at.is_not(None), _IS_PUBLIC)
    .order_by(EventRow.ended_at.desc(), EventRow.id.desc())
    .limit(limits.EVENTS_A_PAGE + 1)
    .offset(bindparam("passed"))
)


def lists(house: House, player_id: int | None, page: int) -> Lists:
    """Return public events and the player's own; of ended events, one page."""
    with house.store.reading() as connection:
        own = events.of_player(connection, player_id) if player_id else ()
        going = rows_of(Event, connection.execute(_GOES_ON))
        asked = {"passed": (page - 1) * limits.EVENTS_A_PAGE}
        ended = rows_of(Event, connection.execute(_ENDED, asked))
        show = _showing(connection, [*own, *(each for each in going if each.state == Stage.OPEN)])
    filling = [each for each in going if each.state == Stage.OPEN and not each.is_pyramid]
    return Lists(
        show(own),
        show(_by_variant(filling)),
        show([each for each in going if each.state == Stage.RUNNING]),
        show(_by_variant([each for each in going if each.is_pyramid])),
        show(ended[: limits.EVENTS_A_PAGE]),
        len(ended) > limits.EVENTS_A_PAGE,
    )


class _Showing:
    """Shows events with their players, which it loads once."""

    def __init__(self, found: Sequence[Entered]) -> None:
        self._players: dict[int, list[Entered]] = {}
        for each in found:
            self._players.setdefault(each.event_id, []).append(each)

    def __call__(self, found: Sequence[Event]) -> tuple[Shown, ...]:
        return tuple(Shown(each, tuple(self._players.get(each.id, ()))) for each in found)


def _showing(connection: Connection, found: Sequence[Event]) -> _Showing:
    return _Showing(entrants.of_events(connection, [each.id for each in found]))


def _by_variant(found: Sequence[Event]) -> list[Event]:
    order = [card.key for card in catalogue.cards()]
    return sorted(found, key=lambda each: (order.index(each.variant), each.id))


def lines(connection: Connection) -> list[str]:
    """Return one line for each open event, for an email."""
    going = rows_of(Event, connection.execute(_GOES_ON))
    show = _showing(connection, going)
    waiting = show(_by_variant([each for each in going if each.state == Stage.OPEN]))
    return [_line(each) for each in waiting]


def _line(shown: Shown) -> str:
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
