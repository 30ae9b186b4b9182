"""Sends last calls, so that no player loses on time before two emails told of the turn, whatever they chose."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, exists, select

from corr import limits
from corr.service.games import bounced_turns
from corr.service.games.game_session import Sitting
from corr.service.games.seats import seat_by_id
from corr.service.players import time_format
from corr.service.players.mail_preferences import OFF
from corr.store.rows import rows_of
from corr.store.tables import OutboxRow, Quotable, SlipRow
from corr.words.board import Side
from corr.words.view import Stage

#: These emails do not count: a waiting flag would reveal to the opponent that the player had written.
_NO_TELLINGS = ("answer", "doubted")
#: The emails that told of a turn. One that its reader did not want was never composed, so it has no text.
_TELLINGS = (
    select(
        OutboxRow.sent_at.is_not(None).label("is_done"),
        OutboxRow.dead_at.is_not(None).label("is_given_up"),
        exists(select(Quotable.letter_id).where(Quotable.letter_id == OutboxRow.id)).label("is_made"),
    )
    .join(SlipRow, (SlipRow.seat_id == OutboxRow.seat_id) & (SlipRow.number == OutboxRow.slip))
    .where(SlipRow.step == OutboxRow.step, SlipRow.seat_id == bindparam("seat"))
    .where(SlipRow.ply == bindparam("ply"), OutboxRow.kind.not_in(_NO_TELLINGS))
)


class _Telling(NamedTuple):
    is_done: bool
    is_given_up: bool
    is_made: bool

    @property
    def went_out(self) -> bool:
        return self.is_done and self.is_made


def remind(sitting: Sitting, side: Side, *, is_wished: bool) -> None:
    """Write a reminder that the player wants, or that the guarantee of last calls needs."""
    wanted = sitting.state.last_calls(side, sitting.now)
    if wanted and _expected(sitting, side, is_wished=is_wished) < wanted:
        _write(sitting, side, last_call=True)
    elif is_wished:
        _write(sitting, side)


def _write(sitting: Sitting, side: Side, **words: bool) -> None:
    """Write a reminder whose subject says how much time is left."""
    deadline = sitting.state.time.deadline
    assert deadline
    left = time_format.time_left((deadline - sitting.now).total_seconds())
    sitting.write(side, "reminder", left=left, **words)


def _expected(sitting: Sitting, side: Side, *, is_wished: bool) -> int:
    """Count the emails that told, or will tell, of the turn without a last call."""
    told = sum(each.went_out or not (each.is_done or each.is_given_up) for each in _tellings(sitting, side))
    if seat_by_id(sitting.connection, sitting.chairs[side].id).mailing == OFF:
        return told
    return told + is_wished + sitting.state.reminders_to_come(side, sitting.now)


def wait(sitting: Sitting, side: Side) -> bool:
    """Postpone a flag while emails about the turn are stuck, and send another; return success.

    The wait counts against the limit for late emails. If the turn's own email was late, the game has waited
    already.
    """
    state = sitting.state
    if state.stage is not Stage.RUNNING or state.clock.is_live or state.time.earliest is not None:
        return False
    tellings = _tellings(sitting, side)
    if sum(each.went_out for each in tellings) >= len(limits.LAST_CALLS) or all(
        each.is_done for each in tellings
    ):
        return False
    left = state.time.waits[side].ended(sitting.now).left
    span = min(limits.AFTER_LAST_CALL, left, bounced_turns.may_wait(sitting, side))
    if not span:
        return False
    sitting.state = state.wait_after_last_call(side, span, sitting.now)
    _write(sitting, side, last_call=True)
    return True


def _tellings(sitting: Sitting, side: Side) -> list[_Telling]:
    turn = {"seat": sitting.chairs[side].id, "ply": sitting.state.ply}
    return rows_of(_Telling, sitting.connection.execute(_TELLINGS, turn))
