"""Carries out what is due: delayed standing orders, ends of pauses, reminders and flags."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Label, bindparam, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from corr import limits
from corr.game.state import State
from corr.service.games import (
    automatic_vacation,
    deadlines,
    last_calls,
    lifecycle,
    next_turns,
    outages,
    pauses,
    pending_emails,
)
from corr.service.games.game_session import Sitting, sit_down
from corr.service.house import House
from corr.store.leases import NOW
from corr.store.rows import one_of
from corr.store.tables import Game, Moment, SeatRow
from corr.words.board import Side

log = logging.getLogger(__name__)

_BATCH = 200


def sweep(house: House, now: datetime) -> int:
    """Do what is due in all games, and return how many games it touched."""
    return sum(_sweep_one(house, game_id, now) for game_id in due(house, now))


def _sweep_one(house: House, game_id: int, now: datetime) -> bool:
    """Do what is due in a game, without letting a failure hold up the others."""
    try:
        with house.store.writing() as connection:
            sitting = sit_down(connection, game_id, now)
            is_settled = deadlines.settle(sitting)
            if is_settled:
                sitting.state = sitting.state.with_reminders(now)
            touched = bool(do(sitting, house))
            if touched or is_settled:
                sitting.close()
            return touched
    except OperationalError:
        raise
    except Exception:
        log.exception("could not check a game's deadlines; will try again", extra={"game": game_id})
        return False


def do(sitting: Sitting, house: House) -> str:
    """Do the first thing due in a game, and return its name; empty if none."""
    deeds: dict[str, Callable[[], bool]] = {
        "told": lambda: deadlines.tell(sitting),
        "played": lambda: next_turns.play_due(sitting),
        "resumed": lambda: pauses.end_due(sitting),
        "flagged": lambda: _flag(sitting, house.grace),
        "reminded": lambda: _remind(sitting),
    }
    return next((name for name, do in deeds.items() if do()), "")


def due(house: House, now: datetime) -> Sequence[int]:
    """Return the ids of games in which something may be due."""
    with house.store.asking() as connection:
        first = one_of(_First, connection.execute(_FIRST))
        until = now - house.grace
        is_steady = first.flags_from is None or first.flags_from <= until
        asked = {"until": until, "now": now, "soon": now - limits.LATE_LETTER}
        due = [
            *(first.delayed for _ in deadlines.DELAYED),
            _has_come(first.standing_due, now),
            _has_come(first.paused_until, now),
            is_steady and _has_come(first.deadline, until),
            _has_come(first.remind_at, now),
        ]
        questions = (question for is_due, question in zip(due, _QUESTIONS, strict=True) if is_due)
        found = (each for question in questions for each in connection.execute(question, asked).scalars())
        return tuple(dict.fromkeys(found))


def _has_come(hour: datetime | None, now: datetime) -> bool:
    return hour is not None and hour <= now


class _First(NamedTuple):
    deadline: datetime | None
    remind_at: datetime | None
    standing_due: datetime | None
    paused_until: datetime | None
    flags_from: datetime | None
    delayed: bool


def _first(
    hour: InstrumentedAttribute[datetime | None], *also: ColumnElement[bool]
) -> Label[datetime | None]:
    return select(func.min(hour)).where(hour.is_not(None), *also).scalar_subquery().label(hour.key)


_RUNS = Game.paused_at.is_(None)
_IS_FLAGGED = ~Game.clock.contains(" claim")
_FLAGS = select(Game.id).where(
    Game.deadline < bindparam("until", type_=Moment), _RUNS, _IS_FLAGGED, ~pending_emails.in_time()
)
_FLAGS = _FLAGS.order_by(Game.deadline)
#: While both are awaited, no unread email delays a reminder, whose hour would tell the opponent of that email.
_MAY_REMIND = Game.turn.is_(None) | ~pending_emails.in_time()
_REMINDERS = select(Game.id).join(SeatRow).where(SeatRow.remind_at <= NOW, _RUNS, _MAY_REMIND)
_REMINDERS = _REMINDERS.order_by(SeatRow.remind_at)
#: Queries for games in which something is due, one for each kind, each limited to a batch.
_QUESTIONS = tuple(
    question.limit(_BATCH)
    for question in (*deadlines.DELAYED, next_turns.DUE, pauses.DUE, _FLAGS, _REMINDERS)
)
#: PostgreSQL takes longer to plan those queries than to run them, so this one tells which are worth asking.
_FIRST = select(
    _first(Game.deadline, _RUNS, _IS_FLAGGED),
    _first(SeatRow.remind_at),
    _first(SeatRow.standing_due),
    _first(Game.paused_until),
    outages.FLAGS_FROM.label("flags_from"),
    deadlines.MAY_BE_DELAYED.label("delayed"),
)


def _flag(sitting: Sitting, grace: timedelta) -> bool:
    """Flag a side, unless an unread email came in time; a bot's time begins anew."""
    side = sitting.state.flagged(sitting.now - grace)
    if side is None or sitting.state.clock.claimed or pending_emails.has_any_in_time(sitting):
        return False
    if sitting.chairs[side].is_house:
        sitting.state = sitting.state.begin_anew(side, sitting.now)
    elif not (automatic_vacation.go(sitting, side) or last_calls.wait(sitting, side)):
        lifecycle.flag(sitting, side)
    return True


def _remind(sitting: Sitting) -> bool:
    """Send the reminders that are due, outside their readers' quiet hours.

    None goes out after the deadline, or while the awaited player's email is unread.
    """
    state, now = sitting.state, sitting.now
    due = state.to_remind(now)
    if not due or (state.turn and pending_emails.has_any_in_time(sitting)):
        return False
    if overdue := next((side for side in due if _is_overdue(state, side, now)), None):
        _tell_overdue(sitting, overdue)
        return True
    reminded = [side for side in due if state.has_rung(side, now) and not state.is_quiet(side, now)]
    sitting.state = state.remind(reminded, now)
    for side in reminded:
        if not state.is_due(side, now):
            last_calls.remind(sitting, side, is_wished=state.has_own_rung(side, now))
    return True


def _is_overdue(state: State, side: Side, now: datetime) -> bool:
    return state.clock.is_untimed or (state.clock.claimed and state.is_due(side, now))


def _tell_overdue(sitting: Sitting, side: Side) -> None:
    """Tell both that a side's time is over or a game rested too long.

    If they were told before, the game ends without a result.
    """
    if sitting.chairs[side].is_house:
        sitting.state = sitting.state.begin_anew(side, sitting.now)
    elif sitting.state.is_overdue(side):
        lifecycle.abandon(sitting, side)
    else:
        sitting.state = sitting.state.tell_overdue(side)
        for each in Side:
            sitting.write(each, "overdue")
