"""Starts a turn's clock once its player heard of it by email or page; reports late emails (when: `corr/limits.py`)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Select, bindparam, exists, or_, select

from corr import limits
from corr.service.games import bounced_turns
from corr.service.games.game_session import GameSession
from corr.service.games.notice_times import (
    IS_SHARED_KIND,
    find_delivery_time,
    find_notice_times,
    turn_email_parameters,
)
from corr.store.tables import CorrespondentRow, FailingMailboxRow, GameRow, Moment, OutboxRow, SeatRow
from corr.words.board import Side
from corr.words.view import Stage

_IS_AWAITED = GameRow.turn.is_(None) | (SeatRow.side == GameRow.turn)
_GIVEN_UP_QUERY = select(OutboxRow.id).where(
    OutboxRow.seat_id == bindparam("seat"),
    OutboxRow.number == bindparam("telling"),
    OutboxRow.dead_at.is_not(None),
)


def account_for_time(session: GameSession) -> None:
    """Start the clock and count waits for late emails, before the clock is paused or changed."""
    start_clock(session)
    _count_waits(session)


def start_clock(session: GameSession) -> bool:
    """Start the turn's clock when all players to move have heard; return whether it starts now."""
    state = session.state
    if state.time.waits_from is None:
        return False
    session.state = state.settle(
        find_notice_times(session.connection, state, session.seat_states, session.now)
    )
    session.mark_turn()
    return session.state.time.waits_from is None


def start_bank_clock(session: GameSession, side: Side) -> datetime | None:
    """Start the clock before a time bank is charged; return when a late email arrived, if any."""
    if session.state.banks[side] is None:
        return None
    start_clock(session)
    return _find_delivery_time(session, side) if session.state.time.waits[side].is_untold else None


def _find_delivery_time(session: GameSession, side: Side) -> datetime | None:
    """Return when a side's email about this turn went out; None if it hasn't."""
    return find_delivery_time(session.connection, session.state, side, session.seat_states[side])


def report_delay(session: GameSession) -> bool:
    """Tell the players when a turn's email is late or arrives; return whether there was news."""
    return _report_late_email(session) or _report_spent_wait(session) or _report_delivery(session)


def _report_late_email(session: GameSession) -> bool:
    """Let the clock wait for a late email, and tell the opponent; False without one."""
    state = session.state
    if state.time.waits_from is None or state.paused:
        return False
    late = [side for side in state.awaited if _is_late(session, side)]
    in_vain = [side for side in late if _is_wait_spent(session, side)]
    for side in in_vain:
        session.state = session.state.end_wait(side)
    if in_vain:
        return True
    if late:
        _delay(session, late)
        start_clock(session)
    for side in late:
        if side.other not in state.awaited or not session.state.time.waits[side.other].delayed_from:
            session.write(side.other, "delay")
    return bool(late)


def _delay(session: GameSession, late: Collection[Side]) -> None:
    """Let the clock wait for these sides, within the yearly limit for bouncing mailboxes."""
    failing = [side for side in late if bounced_turns.is_failing(session, side)]
    most = {side: bounced_turns.remaining_wait(session, side) for side in failing}
    since = session.state.time.waits_from
    assert since
    session.state = session.state.delay(late)
    for side in failing:
        if since + most[side] < session.now:
            session.state = session.state.limit_wait(side, since + most[side])


def _is_late(session: GameSession, side: Side) -> bool:
    """Whether a side's turn email has just become late: given up, or unsent for too long."""
    time = session.state.time
    wait = time.waits[side]
    if wait.letter is None or wait.delayed_from or _find_delivery_time(session, side):
        return False
    assert time.waits_from
    letter = turn_email_parameters(session.state, side, session.seat_states[side])
    is_given_up = session.connection.execute(_GIVEN_UP_QUERY, letter).scalar_one_or_none() is not None
    return is_given_up or session.now - time.waits_from >= limits.LATE_EMAIL_AFTER


def _is_wait_spent(session: GameSession, side: Side) -> bool:
    """Whether a player whose emails bounce has used up the yearly time that games wait."""
    return bounced_turns.is_failing(session, side) and not bounced_turns.remaining_wait(session, side)


def _report_spent_wait(session: GameSession) -> bool:
    """Stop waiting for players whose yearly limit is used up, and tell opponents; True if any."""
    state = session.state
    if state.time.waits_from is None or state.paused:
        return False
    waiting = [side for side in state.awaited if state.time.waits[side].can_wait_longer(session.now)]
    untold = [side for side in waiting if not _find_delivery_time(session, side)]
    in_vain = [side for side in untold if _is_wait_spent(session, side)]
    for side in in_vain:
        session.state = session.state.limit_wait(side, session.now)
        session.write(side.other, "delay")
    return bool(in_vain)


def _report_delivery(session: GameSession) -> bool:
    """After a late email arrived, tell both players that the clock runs; False if none arrived."""
    reached = _count_waits(session)
    if not reached:
        return False
    session.state = session.state.mark_told(reached)
    for side in Side:
        session.write(side, "delay")
    return True


def _count_waits(session: GameSession) -> Collection[Side]:
    """Add up how long the game waited for late emails that have arrived; return their sides."""
    state = session.state
    untold = [side for side in state.awaited if state.time.waits[side].is_untold]
    delivered = {side: moment for side in untold if (moment := _find_delivery_time(session, side))}
    if delivered:
        session.state = state.count_waiting(delivered, session.now)
    return delivered


_IS_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
_IS_LATE = _IS_UNSENT & (OutboxRow.made_at <= bindparam("soon", type_=Moment))


def _select_untold(letter: ColumnElement[bool]) -> Select[int]:
    """Build a query for games with a turn email that meets this condition and isn't reported as late yet."""
    return (
        select(SeatRow.game_id)
        .join_from(OutboxRow, SeatRow, SeatRow.id == OutboxRow.seat_id)
        .join(GameRow, GameRow.id == SeatRow.game_id)
        .where(letter, SeatRow.telling == OutboxRow.number, SeatRow.delayed_from.is_(None))
        .where(_IS_AWAITED, GameRow.waits_from.is_not(None), GameRow.paused_at.is_(None))
    )


_SENT_EMAILS = (
    select(OutboxRow.id)
    .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.number >= SeatRow.telling)
    .where(OutboxRow.sent_at.is_not(None))
)
_IS_DELIVERED = exists(_SENT_EMAILS.where(IS_SHARED_KIND | (OutboxRow.number == SeatRow.telling)))
_IS_HEARD = exists(_SENT_EMAILS) | (SeatRow.opened == SeatRow.telling)
_CAN_START_CLOCK = GameRow.waits_from.is_not(None) & (GameRow.state != Stage.DEPLOYING) & _IS_HEARD
_IS_DELAYED = (SeatRow.game_id == GameRow.id) & _IS_AWAITED & SeatRow.delayed_from.is_not(None)
_HAS_REACHED_DELAYED = exists(
    select(SeatRow.id).where(_IS_DELAYED, SeatRow.telling.is_not(None), or_(_IS_DELIVERED, _CAN_START_CLOCK))
)
_HAS_NO_DELAYED = GameRow.waits_from.is_not(None) & ~exists(select(SeatRow.id).where(_IS_DELAYED))
_REACHED_QUERY = select(GameRow.id).where(
    GameRow.earliest.is_not(None), GameRow.paused_at.is_(None), or_(_HAS_REACHED_DELAYED, _HAS_NO_DELAYED)
)
_IS_BOUNCING = exists(
    select(FailingMailboxRow.correspondent_id)
    .join(CorrespondentRow, CorrespondentRow.id == FailingMailboxRow.correspondent_id)
    .where(CorrespondentRow.player_id == SeatRow.player_id)
)
_BOUNCING_QUERY = select(GameRow.id).where(
    GameRow.earliest.is_not(None),
    GameRow.paused_at.is_(None),
    GameRow.waits_from.is_not(None),
    exists(select(SeatRow.id).where(_IS_DELAYED, SeatRow.telling.is_not(None), _IS_BOUNCING)),
)
#: Queries for games with a late email, with one that arrived at last, or with a wait that may be used up.
DELAY_QUERIES = (
    _select_untold(_IS_LATE),
    _select_untold(OutboxRow.dead_at.is_not(None)),
    _REACHED_QUERY,
    _BOUNCING_QUERY,
)
#: Whether there may be any such game: an email waits or was given up, or a side was told of a late one.
HAS_POSSIBLE_DELAYS = or_(
    exists(select(OutboxRow.id).where(_IS_UNSENT)),
    exists(select(OutboxRow.id).where(OutboxRow.dead_at.is_not(None))),
    exists(select(GameRow.id).where(GameRow.earliest.is_not(None), GameRow.paused_at.is_(None))),
)
