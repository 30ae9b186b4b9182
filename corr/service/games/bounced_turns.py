"""Handles bounced emails about a turn: its clock waits (limit: `corr/limits.py`) as if the email had never gone out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, or_, select, update

from corr import limits
from corr.game.late_notice import Wait
from corr.service.games.game_session import GameSession
from corr.service.games.notice_times import IS_SHARED_KIND
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import GameRow, Moment, OutboxRow, SeatRow, SlipRow
from corr.words.board import Side

_IS_THIS_EMAIL = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.number == bindparam("letter"))
_EMAIL_PLY = (
    select(SlipRow.ply)
    .where(SlipRow.seat_id == OutboxRow.seat_id, SlipRow.number == OutboxRow.slip)
    .where(SlipRow.step == OutboxRow.step)
    .correlate(OutboxRow)
    .scalar_subquery()
)
_SENT_QUERY = select(OutboxRow.id, OutboxRow.kind, OutboxRow.sent_at, _EMAIL_PLY.label("ply")).where(
    _IS_THIS_EMAIL, OutboxRow.sent_at.is_not(None)
)
_BOUNCED_UPDATE = (
    update(OutboxRow)
    .where(OutboxRow.id == bindparam("it"))
    .values(sent_at=None, dead_at=bindparam("now", type_=Moment), trouble=bindparam("why"))
)
_OTHER_NEWS_QUERY = (
    select(OutboxRow.id)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.number > bindparam("letter"))
    .where(OutboxRow.sent_at.is_not(None), IS_SHARED_KIND)
    .limit(1)
)
_IS_RECENT = or_(GameRow.ended_at.is_(None), GameRow.ended_at > bindparam("since", type_=Moment))
_OTHER_WAITS_QUERY = (
    select(SeatRow.telling, SeatRow.delayed_from, SeatRow.held, GameRow.paused_at)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(SeatRow.player_id == bindparam("player"), SeatRow.id != bindparam("seat"), _IS_RECENT)
    .where(or_(SeatRow.held > timedelta(), SeatRow.delayed_from.is_not(None)))
)


class _WaitRow(NamedTuple):
    telling: int | None
    delayed_from: datetime | None
    held: timedelta
    paused_at: datetime | None


class _SentRow(NamedTuple):
    id: int
    kind: str
    sent_at: datetime
    ply: int | None


def record_bounce(session: GameSession, side: Side, letter: int, why: str) -> bool:
    """Mark a sent email as bounced, and let a turn it announced wait; False if already marked."""
    this = {"seat": session.seat_states[side].id, "letter": letter}
    sent = one_or_none_of(_SentRow, session.connection.execute(_SENT_QUERY, this))
    if sent is None:
        return False
    session.connection.execute(_BOUNCED_UPDATE, {"it": sent.id, "now": session.now, "why": why})
    tells_of_the_turn = sent.kind == "turn" and sent.ply == session.state.ply
    if not tells_of_the_turn:
        return True
    other_news = session.connection.execute(_OTHER_NEWS_QUERY, this).scalar_one_or_none()
    if other_news is None and (most := remaining_wait(session, side)):
        session.state = session.state.mark_untold(side, letter, sent.sent_at, session.now, most)
    return True


def is_failing(session: GameSession, side: Side) -> bool:
    """Whether emails to a player's mailbox bounced lately."""
    main = mailboxes.load_main_mailbox(session.connection, session.seat_states[side].player_id)
    return bouncing_mailboxes.is_bouncing(session.connection, main)


def remaining_wait(session: GameSession, side: Side) -> timedelta:
    """Return how much longer this player's games may wait for undelivered emails, by a yearly limit."""
    seat = session.seat_states[side]
    asked = {"seat": seat.id, "player": seat.player_id, "since": session.now - limits.A_YEAR}
    others = rows_of(_WaitRow, session.connection.execute(_OTHER_WAITS_QUERY, asked))
    waited = session.state.time.waits[side].so_far(session.state.time.clock_moment(session.now))
    for row in others:
        waited += Wait(row.telling, row.delayed_from, row.held).so_far(row.paused_at or session.now)
    return max(limits.BOUNCING_MAILBOX_WAIT - waited, timedelta())
