"""Does what is due in games (waits: `corr/limits.py`): late-email notices, delayed orders, pauses, reminders, flags."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Label, bindparam, exists, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from corr import limits
from corr.game import turn_reminders
from corr.game.state import State
from corr.service.games import (
    bounced_turns,
    clock_start,
    lifecycle,
    outages,
    pauses,
    standing_orders,
    unread_emails,
)
from corr.service.games.game_session import GameSession, open_session
from corr.service.players import times, vacations
from corr.service.players.mail_preferences import OFF
from corr.service.server import Server
from corr.store.locks import NOW
from corr.store.rows import one_of, rows_of
from corr.store.tables import GameRow, Moment, OutboxRow, QuotableRow, SeatRow, SlipRow
from corr.words.board import Side
from corr.words.view import Stage

#: These emails do not count: a waiting flag would reveal to the opponent that the player had written.
_UNCOUNTED_KINDS = ("answer", "doubted")
#: The emails that told of a turn. One that its reader did not want was never composed, so it has no text.
_TURN_EMAILS_QUERY = (
    select(
        OutboxRow.kind,
        OutboxRow.sent_at.is_not(None).label("is_done"),
        OutboxRow.dead_at.is_not(None).label("is_given_up"),
        exists(select(QuotableRow.letter_id).where(QuotableRow.letter_id == OutboxRow.id)).label("is_made"),
    )
    .join(SlipRow, (SlipRow.seat_id == OutboxRow.seat_id) & (SlipRow.number == OutboxRow.slip))
    .where(SlipRow.step == OutboxRow.step, SlipRow.seat_id == bindparam("seat"))
    .where(SlipRow.ply == bindparam("ply"), OutboxRow.kind.not_in(_UNCOUNTED_KINDS))
)


class _TurnEmailRow(NamedTuple):
    kind: str
    is_done: bool
    is_given_up: bool
    is_made: bool

    @property
    def went_out(self) -> bool:
        """Whether the email was really composed and sent."""
        return self.is_done and self.is_made


def write_reminder(session: GameSession, side: Side, *, is_wanted: bool) -> None:
    """Email a last call if too few emails announced the turn, otherwise a reminder that the player wanted."""
    wanted = turn_reminders.count_last_calls(session.state, side, session.now)
    if wanted and _count_expected(session, side, is_wanted=is_wanted) < wanted:
        _write_with_time_left(session, side, last_call=True)
    elif is_wanted:
        _write_with_time_left(session, side)


def _write_with_time_left(session: GameSession, side: Side, **words: bool) -> None:
    """Write a reminder whose subject says how much time is left."""
    deadline = session.state.time.deadline
    assert deadline
    left = times.word_time_left((deadline - session.now).total_seconds())
    session.write(side, "reminder", left=left, **words)


def _count_expected(session: GameSession, side: Side, *, is_wanted: bool) -> int:
    """Count the emails, sent or still to come, that tell of the turn besides last calls."""
    told = sum(
        each.went_out or not (each.is_done or each.is_given_up) for each in _load_turn_emails(session, side)
    )
    if session.seat_states[side].mailing == OFF:
        return told
    return told + is_wanted + turn_reminders.count_reminders_left(session.state, side, session.now)


def postpone_flag(session: GameSession, side: Side) -> bool:
    """Give a side more time and email it again if too few emails told it of its turn; else return False.

    That happens if emails are stuck, or if quiet hours merged both last calls into one email.
    """
    # The wait counts as one for a late email, so a turn that has had such a wait gets no other.
    state = session.state
    if (
        state.stage is not Stage.RUNNING
        or state.lesson
        or state.clock.is_live
        or state.time.earliest is not None
    ):
        return False
    tellings = _load_turn_emails(session, side)
    is_told = sum(each.went_out for each in tellings) >= len(limits.LAST_CALL_FRACTIONS)
    is_stuck = not all(each.is_done for each in tellings)
    was_reminded = any(each.kind == "reminder" and each.went_out for each in tellings)
    if is_told or not (is_stuck or was_reminded):
        return False
    left = state.time.waits[side].ended(session.now).left
    span = min(limits.LAST_CALL_WAIT, left, bounced_turns.remaining_wait(session, side))
    if not span:
        return False
    session.state = state.extend_after_last_call(side, span, session.now)
    _write_with_time_left(session, side, last_call=True)
    return True


def _load_turn_emails(session: GameSession, side: Side) -> list[_TurnEmailRow]:
    turn = {"seat": session.seat_states[side].id, "ply": session.state.ply}
    return rows_of(_TurnEmailRow, session.connection.execute(_TURN_EMAILS_QUERY, turn))


def start_vacation(session: GameSession, side: Side) -> bool:
    """Start the automatic vacation of a side out of time; False if unwanted or used up."""
    state = session.state
    is_wanted = state.habits[side].goes_on_leave and state.stage is Stage.RUNNING
    if not is_wanted or state.clock.steady or state.clock.is_live:
        return False
    session.keep_state()
    gone = vacations.start_vacation(session.connection, session.seat_states[side].player_id, session.now)
    if gone is None:
        return False
    habits = state.habits.with_value(side, times.parse_time_settings(gone))
    session.state = replace(state, habits=habits).start_leave(session.now)
    for each in Side:
        session.write(each, "leave")
    return True


log = logging.getLogger(__name__)

_BATCH = 200


def sweep(server: Server, now: datetime) -> int:
    """Do what is due in all games, as workers regularly do; return how many changed."""
    return sum(_sweep_one(server, game_id, now) for game_id in list_due(server, now))


def _sweep_one(server: Server, game_id: int, now: datetime) -> bool:
    """Do what is due in a game, but only log failures; return whether it changed."""
    try:
        with server.store.writing() as connection:
            session = open_session(connection, game_id, now)
            is_settled = clock_start.start_clock(session)
            if is_settled:
                session.state = turn_reminders.with_reminders(session.state, now)
            touched = bool(do_next(session, server))
            if touched or is_settled:
                session.close()
            return touched
    except OperationalError:
        raise
    except Exception:
        log.exception("could not check a game's deadlines; will try again", extra={"game": game_id})
        return False


def do_next(session: GameSession, server: Server) -> str:
    """Do the first thing due in a game; return its name, such as "flagged", or ""."""
    deeds: dict[str, Callable[[], bool]] = {
        "told": lambda: clock_start.report_delay(session),
        "played": lambda: standing_orders.play_due(session),
        "resumed": lambda: pauses.end_due(session),
        "flagged": lambda: _flag(session, server.grace),
        "reminded": lambda: _remind(session),
    }
    return next((name for name, do in deeds.items() if do()), "")


def list_due(server: Server, now: datetime) -> Sequence[int]:
    """Return the ids of games in which something may be due."""
    with server.store.asking() as connection:
        first = one_of(_FirstDueRow, connection.execute(_FIRST_DUE_QUERY))
        until = now - server.grace
        is_steady = first.flags_from is None or first.flags_from <= until
        asked = {"until": until, "now": now, "soon": now - limits.LATE_EMAIL_AFTER}
        due = [
            *(first.delayed for _ in clock_start.DELAY_QUERIES),
            _is_past(first.standing_due, now),
            _is_past(first.paused_until, now),
            is_steady and _is_past(first.deadline, until),
            _is_past(first.remind_at, now),
        ]
        questions = (question for is_due, question in zip(due, _DUE_QUERIES, strict=True) if is_due)
        found = (each for question in questions for each in connection.execute(question, asked).scalars())
        return tuple(dict.fromkeys(found))


def _is_past(hour: datetime | None, now: datetime) -> bool:
    return hour is not None and hour <= now


class _FirstDueRow(NamedTuple):
    deadline: datetime | None
    remind_at: datetime | None
    standing_due: datetime | None
    paused_until: datetime | None
    flags_from: datetime | None
    delayed: bool


def _select_first(
    hour: InstrumentedAttribute[datetime | None], *also: ColumnElement[bool]
) -> Label[datetime | None]:
    """Build a subquery for the earliest of these times in all games that meet the conditions."""
    return select(func.min(hour)).where(hour.is_not(None), *also).scalar_subquery().label(hour.key)


_IS_RUNNING = GameRow.paused_at.is_(None)
_HAS_AUTOMATIC_FLAG = ~GameRow.clock.contains(" claim")
_FLAGS = select(GameRow.id).where(
    GameRow.deadline < bindparam("until", type_=Moment),
    _IS_RUNNING,
    _HAS_AUTOMATIC_FLAG,
    ~unread_emails.has_timely_email(),
)
_FLAGS = _FLAGS.order_by(GameRow.deadline)
#: While both are awaited, no unread email delays a reminder, whose hour would tell the opponent of that email.
_CAN_REMIND = GameRow.turn.is_(None) | ~unread_emails.has_timely_email()
_REMINDERS = select(GameRow.id).join(SeatRow).where(SeatRow.remind_at <= NOW, _IS_RUNNING, _CAN_REMIND)
_REMINDERS = _REMINDERS.order_by(SeatRow.remind_at)
#: Queries for games in which something is due, one for each kind, each limited to a batch.
_DUE_QUERIES = tuple(
    question.limit(_BATCH)
    for question in (
        *clock_start.DELAY_QUERIES,
        standing_orders.DUE_QUERY,
        pauses.DUE_QUERY,
        _FLAGS,
        _REMINDERS,
    )
)
#: PostgreSQL takes longer to plan those queries than to run them, so this one tells which are worth asking.
_FIRST_DUE_QUERY = select(
    _select_first(GameRow.deadline, _IS_RUNNING, _HAS_AUTOMATIC_FLAG),
    _select_first(SeatRow.remind_at),
    _select_first(SeatRow.standing_due),
    _select_first(GameRow.paused_until),
    outages.FLAGS_FROM.label("flags_from"),
    clock_start.HAS_POSSIBLE_DELAYS.label("delayed"),
)


def _flag(session: GameSession, grace: timedelta) -> bool:
    """Handle a side out of time: loss, vacation or more time; False if none is."""
    side = session.state.flagged(session.now - grace)
    if side is None or session.state.clock.claimed or unread_emails.has_any_in_time(session):
        return False
    if session.seat_states[side].is_house_bot:
        session.state = session.state.begin_anew(side, session.now)
    elif not (start_vacation(session, side) or postpone_flag(session, side)):
        lifecycle.flag(session, side)
    return True


def _remind(session: GameSession) -> bool:
    """Send the reminders that are due, outside their readers' quiet hours; False if none is due."""
    # None goes out after the deadline, or while the awaited player's email is unread.
    state, now = session.state, session.now
    due = turn_reminders.sides_to_remind(state, now)
    if not due or (state.turn and unread_emails.has_any_in_time(session)):
        return False
    if overdue := next((side for side in due if _is_overdue(state, side, now)), None):
        _tell_overdue(session, overdue)
        return True
    reminded = [
        side
        for side in due
        if turn_reminders.is_reminder_due(state, side, now)
        and not turn_reminders.quiet_until(state, side, now)
    ]
    session.state = turn_reminders.remind(state, reminded, now)
    for side in reminded:
        if not state.is_due(side, now):
            is_wanted = turn_reminders.has_own_reminder_due(state, side, now)
            write_reminder(session, side, is_wanted=is_wanted)
    return True


def _is_overdue(state: State, side: Side, now: datetime) -> bool:
    """Whether a side is overdue in a game without automatic flags (untimed, or by claim)."""
    return state.clock.is_untimed or (state.clock.claimed and state.is_due(side, now))


def _tell_overdue(session: GameSession, side: Side) -> None:
    """Tell both players that a side is overdue; if told before, end the game without result."""
    if session.seat_states[side].is_house_bot:
        session.state = session.state.begin_anew(side, session.now)
    elif turn_reminders.is_overdue(session.state, side):
        lifecycle.abandon(session, side)
    else:
        session.state = turn_reminders.note_overdue_told(session.state, side)
        for each in Side:
            session.write(each, "overdue")
