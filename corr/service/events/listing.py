"""Which events there are: those that can be entered, those that go on, and those that are over."""

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
    """An event as lists show it, with who is in it where one may enter it or has."""

    event: Event
    players: tuple[Entered, ...]

    @property
    def free(self) -> int:
        """How many places of a section are free."""
        return max(0, self.event.size - len(self.players))


class Lists(NamedTuple):
    """What a page of all events shows, the variants in the house's order."""

    own: tuple[Shown, ...]
    filling: tuple[Shown, ...]
    running: tuple[Shown, ...]
    pyramids: tuple[Shown, ...]
    ended: tuple[Shown, ...]
    has_more: bool  # of those that are over

    def usual(self, variant: str) -> Shown | None:
        """The house's own section of a variant that fills at present."""
        return next(
            (each for each in self.filling if each.event.usual and each.event.variant == variant), None
        )

    def pyramid(self, variant: str) -> Shown | None:
        """The pyramid of a variant, once somebody has entered it."""
        return next((each for each in self.pyramids if each.event.variant == variant), None)


# So worded, no database looks for it by the index of the secrets.
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
    """All that is public, and what is a player's own; of what is over one page."""
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
    """Who is in which event, asked for once."""

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
    """What can be entered, a line each, as a letter lists it."""
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
