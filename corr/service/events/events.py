"""Finds, makes and changes events, which are sections (size: `corr/limits.py`) or pyramids, and their entrants."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, func, insert, null, select, update

from corr import limits
from corr.game.clock import parse_clock
from corr.service import catalogue
from corr.service.games.lifecycle import draw_code
from corr.service.players import publishing
from corr.service.players.names import remove_bot_mark
from corr.store.locks import take_lock
from corr.store.rows import columns_of, one_of, one_or_none_of, rows_of
from corr.store.tables import EntrantRow, EventGameRow, EventRow, Moment, PlayerRow, SeatRow
from corr.text.messages import sentence
from corr.words.errors import Refused

#: The clock of the site's own sections and pyramids.
DEFAULT_CLOCK = "3d+bank10d"


class EventKind(StrEnum):
    SECTION = "section"
    PYRAMID = "pyramid"


class EventStage(StrEnum):
    """The states of an event; a pyramid stays open as long as it exists."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    STOPPED = "stopped"


class Event(NamedTuple):
    id: int
    code: str
    kind: str
    variant: str
    clock: str
    rated: bool
    size: int
    name: str
    usual: bool
    programs: bool
    secret: str | None
    made_by: int | None
    state: str
    made_at: datetime
    fills_at: datetime | None
    begun_at: datetime | None
    ended_at: datetime | None

    @property
    def is_pyramid(self) -> bool:
        return self.kind == EventKind.PYRAMID

    @property
    def place(self) -> str:
        """The page's identifier: a private event's secret, or else the code."""
        return self.secret or self.code

    @property
    def title(self) -> str:
        """The event's name, or a title made from its variant."""
        variant = catalogue.card(self.variant).name
        return self.name or sentence(f"events.{self.kind}", variant=variant, code=self.code)

    @property
    def terms(self) -> str:
        """The event's terms as a person reads them."""
        variant, clock = catalogue.card(self.variant).name, parse_clock(self.clock).sentence
        weight = "rated" if self.rated else "casual"
        return sentence(f"challenges.{weight}", variant=variant, clock=clock)


EVENT_COLUMNS = columns_of(Event, EventRow)
_EVENT_QUERY = select(*EVENT_COLUMNS)
_BY_ID = _EVENT_QUERY.where(EventRow.id == bindparam("event"))
_LOCKED_QUERY = _BY_ID.with_for_update()
_BY_CODE = _EVENT_QUERY.where(EventRow.code == bindparam("place"))
_BY_SECRET = _EVENT_QUERY.where(EventRow.secret == bindparam("place"))
_SITE_EVENT_QUERY = _EVENT_QUERY.where(
    EventRow.variant == bindparam("variant"),
    EventRow.kind == bindparam("kind"),
    EventRow.usual,
    EventRow.state == "open",
)
_PLAYER_EVENTS_QUERY = (
    _EVENT_QUERY.join(EntrantRow, EntrantRow.event_id == EventRow.id)
    .where(
        EntrantRow.player_id == bindparam("player"),
        EntrantRow.withdrawn_at.is_(None),
        EventRow.ended_at.is_(None),
    )
    .order_by(EventRow.id)
)


def find_event(connection: Connection, code_or_secret: str) -> Event | None:
    """Return the event with this code or private secret, or None."""
    if not code_or_secret.isalnum() or not code_or_secret.isascii():  # PostgreSQL rejects a NUL character
        return None
    asked = {"place": code_or_secret}
    return one_or_none_of(Event, connection.execute(_BY_CODE, asked)) or one_or_none_of(
        Event, connection.execute(_BY_SECRET, asked)
    )


def load_event(connection: Connection, event_id: int) -> Event:
    return one_of(Event, connection.execute(_BY_ID, {"event": event_id}))


def lock_event(connection: Connection, event_id: int) -> Event:
    """Return an event, with its row locked until the transaction ends."""
    return one_of(Event, connection.execute(_LOCKED_QUERY, {"event": event_id}))


def lock_entries(connection: Connection, player_id: int | None) -> None:
    """Let a player enter or leave only one event at a time, so that the limits hold."""
    take_lock(connection, f"the events of {player_id}")


def list_player_events(connection: Connection, player_id: int) -> Sequence[Event]:
    """Return a player's events that are not over, oldest first."""
    return rows_of(Event, connection.execute(_PLAYER_EVENTS_QUERY, {"player": player_id}))


def get_site_event(connection: Connection, kind: EventKind, variant: str, now: datetime) -> Event:
    """Return the site's own open event of a variant, made if there is none."""
    take_lock(connection, f"the {kind} of {variant}")
    found = find_site_event(connection, kind, variant)
    return found or make(
        connection, now, kind=kind, variant=variant, clock=DEFAULT_CLOCK, rated=True, usual=True
    )


def find_site_event(connection: Connection, kind: EventKind, variant: str) -> Event | None:
    """Return the site's own open event of a variant, or None."""
    asked = {"kind": kind, "variant": variant}
    return one_or_none_of(Event, connection.execute(_SITE_EVENT_QUERY, asked))


def make(connection: Connection, now: datetime, **values: object) -> Event:
    """Create an event that players can enter, with these columns."""
    defaults = {"size": limits.SECTION_SIZE, "state": EventStage.OPEN, "made_at": now}
    made = insert(EventRow).values(defaults | values | {"code": draw_code(connection)}).returning(EventRow.id)
    return load_event(connection, connection.execute(made).scalar_one())


def change(connection: Connection, event_id: int, **values: object) -> None:
    connection.execute(update(EventRow).where(EventRow.id == event_id).values(**values))


def end(connection: Connection, event_id: int, state: EventStage, now: datetime) -> None:
    """End an event: nobody enters it or plays in it any more."""
    change(connection, event_id, state=state, ended_at=now, fills_at=None)


def require_event(connection: Connection, code_or_secret: str) -> Event:
    """Return the event with this code or secret, or raise Refused."""
    found = find_event(connection, code_or_secret)
    if found is None:
        raise Refused(sentence("events.none", code=code_or_secret[:40]))
    return found


class Entrant(NamedTuple):
    id: int
    player_id: int
    name: str
    is_by_name: bool  # whether everybody may read that name here
    number: int | None
    entered_at: datetime
    fills: bool
    house: bool
    level: int | None
    withdrawn_at: datetime | None
    leaving_from: datetime | None

    @property
    def bare_name(self) -> str:
        """The name without the mark of a bot."""
        return remove_bot_mark(self.name)

    @property
    def is_program(self) -> bool:
        return self.bare_name != self.name

    @property
    def is_person(self) -> bool:
        """Whether the entrant is none of the site's bots."""
        return not self.house

    @property
    def plays(self) -> bool:
        """Whether the player has not left."""
        return self.withdrawn_at is None


# These are subqueries for one row each, as a database that expects few players would go through all of them.
_NAME = select(PlayerRow.name).where(PlayerRow.id == EntrantRow.player_id).scalar_subquery()
_PUBLISHES = select(PlayerRow.publishes).where(PlayerRow.id == EntrantRow.player_id).scalar_subquery()
#: True if the player goes by their own name now and did at the start of each of their games here.
_IS_BY_NAME = func.coalesce(_PUBLISHES, publishing.NO).in_(publishing.BY_NAME) & ~(
    select(SeatRow.id)
    .join(EventGameRow, EventGameRow.game_id == SeatRow.game_id)
    .where(
        EventGameRow.event_id == EntrantRow.event_id,
        SeatRow.player_id == EntrantRow.player_id,
        SeatRow.publishes.not_in(publishing.BY_NAME),
    )
    .exists()
)
_ENTRY_ORDER = EntrantRow.entered_at, EntrantRow.id
_ENTRANTS_QUERY = (
    select(*columns_of(Entrant, EntrantRow, name=_NAME, is_by_name=_IS_BY_NAME))
    .where(EntrantRow.event_id == bindparam("event"))
    .order_by(*_ENTRY_ORDER)
)


class EventEntry(NamedTuple):
    """A player's entry in one of several events."""

    event_id: int
    player_id: int
    name: str
    is_by_name: bool
    withdrawn_at: datetime | None


_AnyEntrant = TypeVar("_AnyEntrant", Entrant, EventEntry)
_ENTRIES_QUERY = (
    select(*columns_of(EventEntry, EntrantRow, name=_NAME, is_by_name=_IS_BY_NAME))
    .where(EntrantRow.event_id.in_(bindparam("events", expanding=True)))
    .order_by(*_ENTRY_ORDER)
)
_NEWS = (
    update(EntrantRow)
    .where(EntrantRow.event_id == bindparam("event"), EntrantRow.withdrawn_at.is_(None), ~EntrantRow.house)
    .values(news_from=bindparam("now", type_=Moment))
)
_URGENT_NEWS = _NEWS.values(told_at=null())


def list_entrants(connection: Connection, event_id: int) -> Sequence[Entrant]:
    """Return all entrants of an event, in the order of entry."""
    return rows_of(Entrant, connection.execute(_ENTRANTS_QUERY, {"event": event_id}))


def list_entries(connection: Connection, events: Sequence[int]) -> Sequence[EventEntry]:
    """Return the entrants of several events, in the order of entry, under their public names."""
    found = rows_of(EventEntry, connection.execute(_ENTRIES_QUERY, {"events": list(events)}))
    return hide_names(connection, found)


def hide_names(connection: Connection, found: Sequence[_AnyEntrant]) -> list[_AnyEntrant]:
    """Replace the names of players who chose to be shown under a made-up name."""
    secret = publishing.load_secret(connection)
    return [
        each if each.is_by_name else each._replace(name=publishing.make_pen_name(secret, each.player_id))
        for each in found
    ]


def find_entrant(entrants: Sequence[Entrant], player_id: int) -> Entrant | None:
    return next((each for each in entrants if each.player_id == player_id), None)


def add_entrant(
    connection: Connection, event_id: int, player_id: int, now: datetime, **values: object
) -> None:
    entered = {"event_id": event_id, "player_id": player_id, "entered_at": now}
    connection.execute(insert(EntrantRow).values(entered | values))


def change_entrant(connection: Connection, entrant_id: int, **values: object) -> None:
    connection.execute(update(EntrantRow).where(EntrantRow.id == entrant_id).values(**values))


def mark_news(connection: Connection, event_id: int, now: datetime, *, at_once: bool = False) -> None:
    """Schedule an email to an event's players, at once or at most daily."""
    connection.execute(_URGENT_NEWS if at_once else _NEWS, {"event": event_id, "now": now})
