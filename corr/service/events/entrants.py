"""Finds and changes the entrants of events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, func, insert, null, select, update

from corr.service.players import publishing
from corr.service.players.names import remove_bot_mark
from corr.store.rows import columns_of, rows_of
from corr.store.tables import EntrantRow, EventGameRow, Moment, PlayerRow, SeatRow


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
    """Replace the names of players who go by a made-up name."""
    secret = publishing.load_secret(connection)
    return [
        each if each.is_by_name else each._replace(name=publishing.make_pen_name(secret, each.player_id))
        for each in found
    ]


def find_entrant(found: Sequence[Entrant], player_id: int) -> Entrant | None:
    return next((each for each in found if each.player_id == player_id), None)


def add(connection: Connection, event_id: int, player_id: int, now: datetime, **values: object) -> None:
    entered = {"event_id": event_id, "player_id": player_id, "entered_at": now}
    connection.execute(insert(EntrantRow).values(entered | values))


def change(connection: Connection, entrant_id: int, **values: object) -> None:
    connection.execute(update(EntrantRow).where(EntrantRow.id == entrant_id).values(**values))


def mark_news(connection: Connection, event_id: int, now: datetime, *, at_once: bool = False) -> None:
    """Mark news for an event's players, to be told at once or after the usual interval."""
    connection.execute(_URGENT_NEWS if at_once else _NEWS, {"event": event_id, "now": now})
