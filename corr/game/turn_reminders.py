"""Decides which sides of a match are reminded of a turn or of an idle game (idle: `corr/limits.py`), and when. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from corr import limits
from corr.game.state import State
from corr.words.board import Pair, Side

_MOMENT = timedelta(microseconds=1)


def sides_to_remind(state: State, now: datetime) -> tuple[Side, ...]:
    """Return the sides due for a reminder."""
    # None is due while the turn's email is still to go out within its hour.
    due = (side for side in state.awaited if (at := state.remind_at[side]) and at <= now)
    return () if state.paused or not state.time.can_expire else tuple(due)


def is_reminder_due(state: State, side: Side, now: datetime) -> bool:
    """Whether the moment of an unused reminder or last call has come, by the current deadline."""
    return _is_unused(state, side, _newest_due(state, side, now))


def has_own_reminder_due(state: State, side: Side, now: datetime) -> bool:
    """Whether a reminder that the side itself asked for is due and was not sent."""
    return _is_unused(state, side, state.habits[side].reminders.newest_due(*_turn(state), now))


def count_last_calls(state: State, side: Side, now: datetime) -> int:
    """Count the last calls (final emails about a turn) that a side should have got with the newest due reminder.

    Quiet hours can put a reminder before an earlier one's moment, and after it no earlier one follows.
    """
    newest, (deadline, whole) = _newest_due(state, side, now), _turn(state)
    if newest is None:
        return 0
    return len(state.habits[side].reminders.due_last_calls(deadline, whole, max(now, deadline - newest)))


def count_reminders_left(state: State, side: Side, now: datetime) -> int:
    """Return how many of a side's own reminders are still to come."""
    return state.habits[side].reminders.count_left(*_turn(state), now)


def _is_unused(state: State, side: Side, reminder: timedelta | None) -> bool:
    """Whether a reminder is nearer the deadline than the last one that was sent."""
    reminded = state.reminded[side]
    return reminder is not None and (reminded is None or reminder < reminded)


def _newest_due(state: State, side: Side, now: datetime) -> timedelta | None:
    """Return how long before the deadline the latest due reminder or last call is."""
    settings = state.habits[side].reminders
    own, called = settings.newest_due(*_turn(state), now), settings.due_last_calls(*_turn(state), now)
    return min((*called, own) if own is not None else called, default=None)


def _turn(state: State) -> tuple[datetime, timedelta]:
    """Return the deadline of the turn, and its whole time."""
    assert state.time.deadline
    assert state.whole
    return state.time.deadline, state.whole


def remind(state: State, sides: Iterable[Side], now: datetime) -> State:
    """Note that these sides were reminded, so that none gets this reminder or an earlier one again."""
    reminded = state.reminded
    for side in sides:
        reminded = reminded.with_value(side, _newest_due(state, side, now))
    return replace(state, reminded=reminded)


def quiet_until(state: State, side: Side, now: datetime) -> datetime | None:
    """Return the end of the quiet hours for which a due reminder waits; None if it doesn't."""
    deadline = state.time.deadline
    return state.habits[side].reminders.quiet_until(deadline, now) if deadline else None


def with_reminders(state: State, now: datetime) -> State:
    """Set when each awaited side is reminded next, by the current deadline."""
    return replace(state, remind_at=Pair(*(_remind_at(state, side, now) for side in Side)))


def _remind_at(state: State, side: Side, now: datetime) -> datetime | None:
    """Return when a side is reminded next, or a turn without answer is acted on; None if never."""
    if side not in state.awaited or state.clock.is_live or state.paused:
        return None
    due = state.remind_at[side]
    if state.clock.is_untimed:
        return due or now + (limits.IDLE_GAME_END if is_overdue(state, side) else limits.IDLE_GAME_NOTICE)
    (deadline, whole), until = _turn(state), quiet_until(state, side, now)
    if due and until and (due <= now or due == until):
        return until
    after = due - _MOMENT if due and due <= now else now
    reminder = state.habits[side].reminders.next_reminder(deadline, whole, after, state.reminded[side])
    if reminder or not state.clock.claimed:
        return reminder.at if reminder else None
    return deadline + (limits.UNCLAIMED_LIFE if is_overdue(state, side) else limits.CLAIM_DELAY)


def is_overdue(state: State, side: Side) -> bool:
    """Whether a side was told that its time is over, or that a game without clock rests too long."""
    return state.reminded[side] == timedelta()


def note_overdue_told(state: State, side: Side) -> State:
    """Note that a side was told that it is overdue; next the game ends."""
    remind_at = state.remind_at.with_value(side, None)
    return replace(state, reminded=state.reminded.with_value(side, timedelta()), remind_at=remind_at)
