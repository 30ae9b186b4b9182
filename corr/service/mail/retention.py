"""Deletes old data: emails of games long over, emails about no game, and bounces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Delete,
    Select,
    Update,
    bindparam,
    delete,
    exists,
    false,
    literal_column,
    select,
    true,
    update,
)

from corr import limits
from corr.service.house import House
from corr.store.leases import NOW
from corr.store.tables import (
    SITE_KEPT,
    FailingMailbox,
    Game,
    InboxRow,
    LetterWords,
    Moment,
    Original,
    OutboxRow,
    Quotable,
    SeatRow,
    SiteInboxRow,
    SiteOutboxRow,
    SiteQuotable,
)

_DAY = timedelta(days=1)
_GAMES = 50
_LETTERS = 200


def clear_some(house: House, now: datetime) -> int:
    """Delete some expired data; return how many games and other emails were cleared."""
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
_FORGET_SENT = delete(Quotable).where(
    Quotable.letter_id.in_(select(OutboxRow.id).where(OutboxRow.seat_id.in_(_SEATS), ~_WAITS))
)
_FORGET_WORDS = delete(LetterWords).where(
    LetterWords.letter_id.in_(
        select(OutboxRow.id).where(OutboxRow.seat_id.in_(_SEATS), OutboxRow.sent_at.is_not(None))
    )
)
_FORGET_READ = delete(Original).where(
    Original.letter_id.in_(
        select(InboxRow.id).where(InboxRow.seat_id.in_(_SEATS), InboxRow.read_at.is_not(None))
    )
)


def _clear_game(house: House, game: int, now: datetime) -> bool:
    """Delete the emails of a game that is long over.

    Slips, orders and answers stay, because the finished game is shown from them. An email that waits to be sent may
    have no text yet, so it is cleared another day. An email that was given up may be sent again, and keeps what it is
    made of.
    """
    with house.store.writing() as connection:
        if not connection.execute(_TAKE, {"game": game, "now": now}).rowcount:
            return False
        for forget in (_FORGET_SENT, _FORGET_WORDS, _FORGET_READ):
            connection.execute(forget, {"game": game})
        connection.execute(_COME_AGAIN, {"game": game, "tomorrow": now + _DAY})
        return True


# ---------------------------------------------------------------- other letters

_BEFORE = bindparam("before", type_=Moment)
_THESE: BindParameter[int] = bindparam("these", expanding=True)


@dataclass(frozen=True, slots=True)
class _Clearing:
    """Emails of one kind, and the age at which they are deleted."""

    span: timedelta
    due: Select[int]
    clear: Update | Delete

    def clear_some(self, house: House, now: datetime) -> int:
        """Delete the oldest expired ones; return how many."""
        found = _found(house, self.due, {"before": now - self.span})
        if found:
            with house.store.writing() as connection:
                connection.execute(self.clear, {"these": list(found)})
        return len(found)


def _site_letters_in(span: timedelta, is_bounce: ColumnElement[bool]) -> _Clearing:
    row = SiteInboxRow
    too_old = select(row.id).where(
        row.bounce.is_(is_bounce), SITE_KEPT, row.received_at < _BEFORE, row.read_at.is_not(None)
    )
    due = too_old.order_by(row.received_at).limit(_LETTERS)
    return _Clearing(span, due, update(row).where(row.id.in_(_THESE)).values(raw=b""))


_BOUNCES = _Clearing(
    limits.BOUNCES_KEPT,
    select(Original.letter_id)
    .join(InboxRow)
    .where(Original.bounced_at < _BEFORE, InboxRow.read_at.is_not(None))
    .order_by(Original.bounced_at)
    .limit(_LETTERS),
    delete(Original).where(Original.letter_id.in_(_THESE)),
)
# No index by age is needed, because the oldest come first.
_IS_KEPT = SiteQuotable.letter_id > literal_column("0")  # so that the whole table is not scanned
_OLDEST = (
    select(SiteQuotable.letter_id).where(_IS_KEPT).order_by(SiteQuotable.letter_id).limit(_LETTERS).subquery()
)
_MADE_AT = select(SiteOutboxRow.made_at).where(SiteOutboxRow.id == _OLDEST.c.letter_id).scalar_subquery()
_SITE_LETTERS_OUT = _Clearing(
    limits.LETTERS_KEPT,
    select(_OLDEST.c.letter_id).where(_MADE_AT < _BEFORE),
    delete(SiteQuotable).where(SiteQuotable.letter_id.in_(_THESE)),
)
_FAILING = _Clearing(
    limits.BOUNCES_KEPT,
    select(FailingMailbox.correspondent_id)
    .where(FailingMailbox.counted_at < _BEFORE)
    .order_by(FailingMailbox.counted_at)
    .limit(_LETTERS),
    delete(FailingMailbox).where(FailingMailbox.correspondent_id.in_(_THESE)),
)
_SHELVES = (
    _FAILING,
    _BOUNCES,
    _site_letters_in(limits.BOUNCES_KEPT, true()),
    _site_letters_in(limits.LETTERS_KEPT, false()),
    _SITE_LETTERS_OUT,
)
