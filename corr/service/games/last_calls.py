"""Sends last calls, so that no player loses on time before two emails told of the turn, whatever they chose."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, exists, select

from corr import limits
from corr.game import turn_reminders
from corr.service.games import bounced_turns
from corr.service.games.game_session import GameSession
from corr.service.players import time_format
from corr.service.players.mail_preferences import OFF
from corr.store.rows import rows_of
from corr.store.tables import OutboxRow, QuotableRow, SlipRow
from corr.words.board import Side
from corr.words.view import Stage

#: These emails do not count: a waiting flag would reveal to the opponent that the player had written.
_UNCOUNTED_KINDS = ("answer", "doubted")
#: The emails that told of a turn. One that its reader did not want was never composed, so it has no text.
_TURN_EMAILS_QUERY = (
    select(
        OutboxRow.sent_at.is_not(None).label("is_done"),
        OutboxRow.dead_at.is_not(None).label("is_given_up"),
        exists(select(QuotableRow.letter_id).where(QuotableRow.letter_id == OutboxRow.id)).label("is_made"),
    )
    .join(SlipRow, (SlipRow.seat_id == OutboxRow.seat_id) & (SlipRow.number == OutboxRow.slip))
    .where(SlipRow.step == OutboxRow.step, SlipRow.seat_id == bindparam("seat"))
    .where(SlipRow.ply == bindparam("ply"), OutboxRow.kind.not_in(_UNCOUNTED_KINDS))
)


class _TurnEmailRow(NamedTuple):
    is_done: bool
    is_given_up: bool
    is_made: bool

    @property
    def went_out(self) -> bool:
        return self.is_done and self.is_made


def remind(session: GameSession, side: Side, *, is_wished: bool) -> None:
    """Write a reminder that the player wants, or that the guarantee of last calls needs."""
    wanted = turn_reminders.count_last_calls(session.state, side, session.now)
    if wanted and _count_expected(session, side, is_wished=is_wished) < wanted:
        _write(session, side, last_call=True)
    elif is_wished:
        _write(session, side)


def _write(session: GameSession, side: Side, **words: bool) -> None:
    """Write a reminder whose subject says how much time is left."""
    deadline = session.state.time.deadline
    assert deadline
    left = time_format.time_left((deadline - session.now).total_seconds())
    session.write(side, "reminder", left=left, **words)


def _count_expected(session: GameSession, side: Side, *, is_wished: bool) -> int:
    """Count the emails that told, or will tell, of the turn without a last call."""
    told = sum(
        each.went_out or not (each.is_done or each.is_given_up) for each in _load_turn_emails(session, side)
    )
    if session.seat_states[side].mailing == OFF:
        return told
    return told + is_wished + turn_reminders.count_reminders_left(session.state, side, session.now)


def postpone_flag(session: GameSession, side: Side) -> bool:
    """Postpone a flag while emails about the turn are stuck, and send another; return success."""
    # The wait counts against the limit for late emails. If the turn's own email was late, the game has waited
    # already.
    state = session.state
    if state.stage is not Stage.RUNNING or state.clock.is_live or state.time.earliest is not None:
        return False
    tellings = _load_turn_emails(session, side)
    if sum(each.went_out for each in tellings) >= len(limits.LAST_CALL_FRACTIONS) or all(
        each.is_done for each in tellings
    ):
        return False
    left = state.time.waits[side].ended(session.now).left
    span = min(limits.LAST_CALL_WAIT, left, bounced_turns.remaining_wait(session, side))
    if not span:
        return False
    session.state = state.extend_after_last_call(side, span, session.now)
    _write(session, side, last_call=True)
    return True


def _load_turn_emails(session: GameSession, side: Side) -> list[_TurnEmailRow]:
    turn = {"seat": session.seat_states[side].id, "ply": session.state.ply}
    return rows_of(_TurnEmailRow, session.connection.execute(_TURN_EMAILS_QUERY, turn))
