"""What is kept no longer: the letters of games that are long over, those about no game, and what came back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    Update,
    bindparam,
    exists,
    false,
    select,
    true,
    update,
)

from corr.desk import keeping
from corr.desk.house import House
from corr.store.claims import NOW
from corr.store.tables import Game, InboxRow, Moment, OutboxRow, SeatRow, SiteInboxRow, SiteOutboxRow, holds

_DAY = timedelta(days=1)
_GAMES = 50
_LETTERS = 200


def clear_some(house: House, now: datetime) -> int:
    """Clear some of what was kept for long enough; how many games and other letters it was."""
    games = sum(_clear_game(house, game, now) for game in _found(house, _GAMES_DUE, {"now": now}))
    return games + sum(shelf.clear_some(house, now) for shelf in _SHELVES)


def _found(house: House, due: Select[int], asked: dict[str, object]) -> Sequence[int]:
    with house.store.asking() as connection:
        return connection.execute(due, asked).scalars().all()


# ---------------------------------------------------------------- letters of games

_GAMES_DUE = select(Game.id).where(Game.kept_until <= NOW).order_by(Game.kept_until).limit(_GAMES)
_IS_DUE = (Game.id == bindparam("game")) & (Game.kept_until <= NOW)
_TAKE = update(Game).where(_IS_DUE).values(kept_until=None)
_SEATS = select(SeatRow.id).where(SeatRow.game_id == bindparam("game"))
_WAITS = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
_COME_AGAIN = (
    update(Game)
    .where(Game.id == bindparam("game"), exists().where(OutboxRow.seat_id.in_(_SEATS), _WAITS))
    .values(kept_until=bindparam("tomorrow", type_=Moment))
)
_FORGET_SENT = update(OutboxRow).where(OutboxRow.seat_id.in_(_SEATS), ~_WAITS).values(text=None)
_FORGET_READ = (
    update(InboxRow)
    .where(InboxRow.seat_id.in_(_SEATS), InboxRow.read_at.is_not(None))
    .values(raw=b"", recipients="[]")
)


def _clear_game(house: House, game: int, now: datetime) -> bool:
    """The slips, the orders and the answers stay: of them the finished game is told.

    What waits to be sent may have no text yet: it goes another day.
    """
    with house.store.writing() as connection:
        if not connection.execute(_TAKE, {"game": game, "now": now}).rowcount:
            return False
        for forget in (_FORGET_SENT, _FORGET_READ):
            connection.execute(forget, {"game": game})
        connection.execute(_COME_AGAIN, {"game": game, "tomorrow": now + _DAY})
        return True


# ---------------------------------------------------------------- other letters

_BEFORE = bindparam("before", type_=Moment)
_THESE: BindParameter[int] = bindparam("these", expanding=True)


@dataclass(frozen=True, slots=True)
class _Shelf:
    """Letters of one kind, which go when they are so old."""

    span: timedelta
    due: Select[int]
    clear: Update

    def clear_some(self, house: House, now: datetime) -> int:
        """Clear the oldest of what is too old; how many."""
        found = _found(house, self.due, {"before": now - self.span})
        if found:
            with house.store.writing() as connection:
                connection.execute(self.clear, {"these": list(found)})
        return len(found)


def _letters_in(
    kind: type[InboxRow | SiteInboxRow], span: timedelta, is_bounce: ColumnElement[bool], **values: object
) -> _Shelf:
    too_old = select(kind.id).where(
        kind.bounce.is_(is_bounce), holds(kind), kind.received_at < _BEFORE, kind.read_at.is_not(None)
    )
    due = too_old.order_by(kind.received_at).limit(_LETTERS)
    return _Shelf(span, due, update(kind).where(kind.id.in_(_THESE)).values(raw=b"", **values))


_SITE_LETTERS_OUT = _Shelf(
    keeping.LETTERS,
    select(SiteOutboxRow.id)
    .where(SiteOutboxRow.text.is_not(None), SiteOutboxRow.made_at < _BEFORE)
    .order_by(SiteOutboxRow.made_at)
    .limit(_LETTERS),
    update(SiteOutboxRow).where(SiteOutboxRow.id.in_(_THESE)).values(text=None),
)
_SHELVES = (
    _letters_in(InboxRow, keeping.BOUNCES, true(), recipients="[]"),
    _letters_in(SiteInboxRow, keeping.BOUNCES, true()),
    _letters_in(SiteInboxRow, keeping.LETTERS, false()),
    _SITE_LETTERS_OUT,
)
