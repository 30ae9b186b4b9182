"""Who has entered an event, and what became of them there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, null, select, update

from corr.desk.people.names import without_mark
from corr.store.rows import rows_of
from corr.store.tables import EntrantRow, Moment, Player


class Entrant(NamedTuple):
    """Somebody who has entered an event."""

    id: int
    player_id: int
    name: str
    number: int | None
    entered_at: datetime
    fills: bool
    house: bool
    level: int | None
    withdrawn_at: datetime | None
    leaving_from: datetime | None

    @property
    def bare_name(self) -> str:
        """The name without what says that it is a program's."""
        return without_mark(self.name)

    @property
    def is_program(self) -> bool:
        return self.bare_name != self.name

    @property
    def is_person(self) -> bool:
        """Whether it is no house player."""
        return not self.house

    @property
    def plays(self) -> bool:
        """Whether they have not left."""
        return self.withdrawn_at is None


# By a question of its own, each for one row: a database that takes the players for few would go through all of them.
_NAME = select(Player.name).where(Player.id == EntrantRow.player_id).scalar_subquery()
_ENTRANT = select(
    EntrantRow.id,
    EntrantRow.player_id,
    _NAME.label("name"),
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
    select(EntrantRow.event_id, EntrantRow.player_id, _NAME.label("name"), EntrantRow.withdrawn_at)
    .where(EntrantRow.event_id.in_(bindparam("events", expanding=True)))
    .order_by(EntrantRow.entered_at, EntrantRow.id)
)
_PLAYS = (EntrantRow.event_id == bindparam("event")) & EntrantRow.withdrawn_at.is_(None) & ~EntrantRow.house
_NEWS = update(EntrantRow).where(_PLAYS).values(news_from=bindparam("now", type_=Moment))
_LAST_NEWS = update(EntrantRow).where(_PLAYS).values(news_from=bindparam("now", type_=Moment), told_at=null())


class Entered(NamedTuple):
    """Who is in which event."""

    event_id: int
    player_id: int
    name: str
    withdrawn_at: datetime | None


def of_event(connection: Connection, event_id: int) -> Sequence[Entrant]:
    """All who have entered an event, in the order in which they came."""
    return rows_of(Entrant, connection.execute(_OF_EVENT, {"event": event_id}))


def of_events(connection: Connection, events: Sequence[int]) -> Sequence[Entered]:
    """Who is in each of some events, in the order in which they came."""
    return rows_of(Entered, connection.execute(_OF_EVENTS, {"events": list(events)}))


def of_player(found: Sequence[Entrant], player_id: int) -> Entrant | None:
    """The entrant who is a player."""
    return next((each for each in found if each.player_id == player_id), None)


def change(connection: Connection, entrant_id: int, **values: object) -> None:
    """From now on it is otherwise with an entrant."""
    connection.execute(update(EntrantRow).where(EntrantRow.id == entrant_id).values(**values))


def tell(connection: Connection, event_id: int, now: datetime, *, at_once: bool = False) -> None:
    """Those who play in an event are told that it stands otherwise, at once or when they were told long enough ago."""
    connection.execute(_LAST_NEWS if at_once else _NEWS, {"event": event_id, "now": now})
