"""Finds and changes the entrants of events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, func, null, select, update

from corr.service.players import publishing
from corr.service.players.names import without_mark
from corr.store.rows import rows_of
from corr.store.tables import EntrantRow, EventGame, Moment, Player, SeatRow


class Entrant(NamedTuple):
    """A player who has entered an event."""

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
        return without_mark(self.name)

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
_NAME = select(Player.name).where(Player.id == EntrantRow.player_id).scalar_subquery()
_PUBLISHES = select(Player.publishes).where(Player.id == EntrantRow.player_id).scalar_subquery()
#: True if the player goes by their own name now and did at the start of each of their games here.
_IS_BY_NAME = func.coalesce(_PUBLISHES, publishing.NO).in_(publishing.BY_NAME) & ~(
    select(SeatRow.id)
    .join(EventGame, EventGame.game_id == SeatRow.game_id)
    .where(
        EventGame.event_id == EntrantRow.event_id,
        SeatRow.player_id == EntrantRow.player_id,
        SeatRow.publishes.not_in(publishing.BY_NAME),
    )
    .exists()
)
_ENTRANT = select(
    EntrantRow.id,
    EntrantRow.player_id,
    _NAME.label("name"),
    _IS_BY_NAME.label("is_by_name"),
    EntrantRow.number,
    EntrantRow.entered_at,
    EntrantRow.fills,
    EntrantRow.house,
    EntrantRow.level,
    EntrantRow.withdrawn_at,
    EntrantRow.leaving_from,
)
_OF_EVENT = _ENTRANT.where(EntrantRow.event_id == bindparam("event")).order_by(
    EntrantRow.entered_at, EntrantRow.id
)
_OF_EVENTS = (
    select(
        EntrantRow.event_id,
        EntrantRow.player_id,
        _NAME.label("name"),
        _IS_BY_NAME.label("is_by_name"),
        EntrantRow.withdrawn_at,
    )
    .where(EntrantRow.event_id.in_(bindparam("events", expanding=True)))
    .order_by(EntrantRow.entered_at, EntrantRow.id)
)
_PLAYS = (EntrantRow.event_id == bindparam("event")) & EntrantRow.withdrawn_at.is_(None) & ~EntrantRow.house
_NEWS = update(EntrantRow).where(_PLAYS).values(news_from=bindparam("now", type_=Moment))
_LAST_NEWS = update(EntrantRow).where(_PLAYS).values(news_from=bindparam("now", type_=Moment), told_at=null())


class Entered(NamedTuple):
    """A player's entry in one of several events."""

    event_id: int
    player_id: int
    name: str
    is_by_name: bool
    withdrawn_at: datetime | None


_Named = TypeVar("_Named", Entrant, Entered)


def of_event(connection: Connection, event_id: int) -> Sequence[Entrant]:
    """Return all entrants of an event, in the order of entry."""
    return rows_of(Entrant, connection.execute(_OF_EVENT, {"event": event_id}))


def of_events(connection: Connection, events: Sequence[int]) -> Sequence[Entered]:
    """Return the entrants of several events, in the order of entry, under their public names."""
    found = rows_of(Entered, connection.execute(_OF_EVENTS, {"events": list(events)}))
    return unnamed(connection, found)


def unnamed(connection: Connection, found: Sequence[_Named]) -> list[_Named]:
    """Replace the names of players who go by a made-up name."""
    secret = publishing.secret(connection)
    return [
        each if each.is_by_name else each._replace(name=publishing.made_up(secret, each.player_id))
        for each in found
    ]


def of_player(found: Sequence[Entrant], player_id: int) -> Entrant | None:
    """Return the entrant who is this player, or None."""
    return next((each for each in found if each.player_id == player_id), None)


def change(connection: Connection, entrant_id: int, **values: object) -> None:
    """Change an entrant's columns."""
    connection.execute(update(EntrantRow).where(EntrantRow.id == entrant_id).values(**values))


def tell(connection: Connection, event_id: int, now: datetime, *, at_once: bool = False) -> None:
    """Mark news for an event's players, to be told at once or after the usual interval."""
    connection.execute(_LAST_NEWS if at_once else _NEWS, {"event": event_id, "now": now})
