"""Deletes old data after the days in `corr/limits.py`: emails of games long over, emails about no game, and bounces."""

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
from corr.service.server import Server
from corr.store.locks import NOW
from corr.store.tables import (
    HAS_SITE_TEXT,
    EmailWordsRow,
    FailingMailboxRow,
    GameRow,
    InboxRow,
    IncomingTextRow,
    Moment,
    OutboxRow,
    QuotableRow,
    SeatRow,
    SiteInboxRow,
    SiteOutboxRow,
    SiteQuotableRow,
)

_DAY = timedelta(days=1)
_GAME_BATCH = 50
_EMAIL_BATCH = 200


def delete_expired(server: Server, now: datetime) -> int:
    """Delete some expired data; return how many games and other emails were cleared."""
    games = sum(_clear_game(server, game, now) for game in _list_due(server, _GAMES_DUE, {"now": now}))
    return games + sum(rule.clear_some(server, now) for rule in _EXPIRY_RULES)


def _list_due(server: Server, due: Select[int], asked: dict[str, object]) -> Sequence[int]:
    """Return the ids that this query finds due for deletion."""
    with server.store.asking() as connection:
        return connection.execute(due, asked).scalars().all()


# ---------------------------------------------------------------- emails about games

_GAMES_DUE = (
    select(GameRow.id).where(GameRow.kept_until <= NOW).order_by(GameRow.kept_until).limit(_GAME_BATCH)
)
_IS_DUE = (GameRow.id == bindparam("game")) & (GameRow.kept_until <= NOW)
_CLAIM_UPDATE = update(GameRow).where(_IS_DUE).values(kept_until=None)
_SEATS = select(SeatRow.id).where(SeatRow.game_id == bindparam("game"))
_IS_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
_POSTPONE_UPDATE = (
    update(GameRow)
    .where(GameRow.id == bindparam("game"), exists().where(OutboxRow.seat_id.in_(_SEATS), _IS_UNSENT))
    .values(kept_until=bindparam("tomorrow", type_=Moment))
)
_SENT_DELETE = delete(QuotableRow).where(
    QuotableRow.letter_id.in_(select(OutboxRow.id).where(OutboxRow.seat_id.in_(_SEATS), ~_IS_UNSENT))
)
_WORDS_DELETE = delete(EmailWordsRow).where(
    EmailWordsRow.letter_id.in_(
        select(OutboxRow.id).where(OutboxRow.seat_id.in_(_SEATS), OutboxRow.sent_at.is_not(None))
    )
)
_READ_DELETE = delete(IncomingTextRow).where(
    IncomingTextRow.letter_id.in_(
        select(InboxRow.id).where(InboxRow.seat_id.in_(_SEATS), InboxRow.read_at.is_not(None))
    )
)


def _clear_game(server: Server, game: int, now: datetime) -> bool:
    """Delete the emails of a game that is long over; return False if another worker did.

    Slips, orders and answers stay, because the finished game is shown from them. An unsent email may have no text
    yet, so it is cleared another day. One that was given up may be sent again, and keeps what it is made of.
    """
    with server.store.writing() as connection:
        if not connection.execute(_CLAIM_UPDATE, {"game": game, "now": now}).rowcount:
            return False
        for forget in (_SENT_DELETE, _WORDS_DELETE, _READ_DELETE):
            connection.execute(forget, {"game": game})
        connection.execute(_POSTPONE_UPDATE, {"game": game, "tomorrow": now + _DAY})
        return True


# ---------------------------------------------------------------- other emails

_BEFORE_PARAMETER = bindparam("before", type_=Moment)
_IDS_PARAMETER: BindParameter[int] = bindparam("these", expanding=True)


@dataclass(frozen=True, slots=True)
class _ExpiryRule:
    """Emails of one kind, and the age at which they are deleted."""

    span: timedelta
    due: Select[int]
    clear: Update | Delete

    def clear_some(self, server: Server, now: datetime) -> int:
        """Delete the oldest expired ones; return how many."""
        found = _list_due(server, self.due, {"before": now - self.span})
        if found:
            with server.store.writing() as connection:
                connection.execute(self.clear, {"these": list(found)})
        return len(found)


def _make_site_rule(span: timedelta, is_bounce: ColumnElement[bool]) -> _ExpiryRule:
    """Return the rule for emails to the site: for bounces, or for all others."""
    row = SiteInboxRow
    too_old = select(row.id).where(
        row.bounce.is_(is_bounce),
        HAS_SITE_TEXT,
        row.received_at < _BEFORE_PARAMETER,
        row.read_at.is_not(None),
    )
    due = too_old.order_by(row.received_at).limit(_EMAIL_BATCH)
    return _ExpiryRule(span, due, update(row).where(row.id.in_(_IDS_PARAMETER)).values(raw=b""))


_BOUNCES = _ExpiryRule(
    limits.BOUNCES_KEPT,
    select(IncomingTextRow.letter_id)
    .join(InboxRow)
    .where(IncomingTextRow.bounced_at < _BEFORE_PARAMETER, InboxRow.read_at.is_not(None))
    .order_by(IncomingTextRow.bounced_at)
    .limit(_EMAIL_BATCH),
    delete(IncomingTextRow).where(IncomingTextRow.letter_id.in_(_IDS_PARAMETER)),
)
# No index by age is needed, because the oldest come first.
_IS_STORED = SiteQuotableRow.letter_id > literal_column("0")  # so that the whole table is not scanned
_OLDEST = (
    select(SiteQuotableRow.letter_id)
    .where(_IS_STORED)
    .order_by(SiteQuotableRow.letter_id)
    .limit(_EMAIL_BATCH)
    .subquery()
)
_MADE_AT = select(SiteOutboxRow.made_at).where(SiteOutboxRow.id == _OLDEST.c.letter_id).scalar_subquery()
_SITE_OUTBOX_RULE = _ExpiryRule(
    limits.LETTERS_KEPT,
    select(_OLDEST.c.letter_id).where(_MADE_AT < _BEFORE_PARAMETER),
    delete(SiteQuotableRow).where(SiteQuotableRow.letter_id.in_(_IDS_PARAMETER)),
)
_BOUNCING_RULE = _ExpiryRule(
    limits.BOUNCES_KEPT,
    select(FailingMailboxRow.correspondent_id)
    .where(FailingMailboxRow.counted_at < _BEFORE_PARAMETER)
    .order_by(FailingMailboxRow.counted_at)
    .limit(_EMAIL_BATCH),
    delete(FailingMailboxRow).where(FailingMailboxRow.correspondent_id.in_(_IDS_PARAMETER)),
)
_EXPIRY_RULES = (
    _BOUNCING_RULE,
    _BOUNCES,
    _make_site_rule(limits.BOUNCES_KEPT, true()),
    _make_site_rule(limits.LETTERS_KEPT, false()),
    _SITE_OUTBOX_RULE,
)
