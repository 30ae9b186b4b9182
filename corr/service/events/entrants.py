"""Who has entered an event, and what became of them there."""

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
    """Somebody who has entered an event."""

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
_PUBLISHES = select(Player.publishes).where(Player.id == EntrantRow.player_id).scalar_subquery()
#: Neither now nor when any of their games here began they stood under another name.
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
    """Who is in which event."""

    event_id: int
    player_id: int
    name: str
    is_by_name: bool
    withdrawn_at: datetime | None


_Named = TypeVar("_Named", Entrant, Entered)


def of_event(connection: Connection, event_id: int) -> Sequence[Entrant]:
    """All who have entered an event, in the order in which they came."""
    return rows_of(Entrant, connection.execute(_OF_EVENT, {"event": event_id}))


def of_events(connection: Connection, events: Sequence[int]) -> Sequence[Entered]:
    """Who is in each of some events, in the order in which they came, as everybody may call them."""
    found = rows_of(Entered, connection.execute(_OF_EVENTS, {"events": list(events)}))
    return unnamed(connection, found)


def unnamed(connection: Connection, found: Sequence[_Named]) -> list[_Named]:
    """The same, those who stand under another name being called by it."""
    secret = publishing.secret(connection)
    return [
        each if each.is_by_name else each._replace(name=publishing.made_up(secret, each.player_id))
        for each in found
    ]


def of_player(found: Sequence[Entrant], player_id: int) -> Entrant | None:
    """The entrant who is a player."""
    return next((each for each in found if each.player_id == player_id), None)


def change(connection: Connection, entrant_id: int, **values: object) -> None:
    """From now on it is otherwise with an entrant."""
    connection.execute(update(EntrantRow).where(EntrantRow.id == entrant_id).values(**values))


def tell(connection: Connection, event_id: int, now: datetime, *, at_once: bool = False) -> None:
    """Those who play in an event are told that it stands otherwise, at once or when they were told long enough ago."""
    connection.execute(_LAST_NEWS if at_once else _NEWS, {"event": event_id, "now": now})
