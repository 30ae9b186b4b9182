"""What comes due by itself: orders for the next turn that wait, reminders and flags.

After which part of a side's time it is reminded is `REMINDER` of `corr/limits.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Label, bindparam, func, select, union_all
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from corr import limits
from corr.desk.house import House
from corr.desk.table import course, hearing, next_turns, unheard
from corr.desk.table.sitting import Sitting, sit_down
from corr.store.claims import NOW
from corr.store.rows import one_of
from corr.store.tables import Game, Moment

log = logging.getLogger(__name__)

_BATCH = 200


def sweep(house: House, now: datetime) -> int:
    """Try what has waited for its hour, remind who is due a reminder, flag who has run out of time; how many games."""
    return sum(_sweep_one(house, game_id, now) for game_id in _due(house, now))


def _sweep_one(house: House, game_id: int, now: datetime) -> bool:
    """One game that cannot be judged must not hold up the others."""
    try:
        with house.store.writing() as connection:
            sitting = sit_down(connection, game_id, now)
            is_settled = hearing.settle(sitting)
            touched = (
                hearing.tell(sitting)
                or next_turns.play_due(sitting)
                or _flag(sitting, house.grace)
                or _remind(sitting)
            )
            if touched or is_settled:
                sitting.close()
            return touched
    except OperationalError:
        raise
    except Exception:
        log.exception("a game could not be swept", extra={"game": game_id})
        return False


def _due(house: House, now: datetime) -> Sequence[int]:
    with house.store.asking() as connection:
        first = one_of(_First, connection.execute(_FIRST))
        hours = (first.deadline, first.remind_at, first.standing_due)
        if not (first.delayed or any(hour and hour <= now for hour in hours)):
            return ()
        asked = {"until": now - house.grace, "now": now, "soon": now - limits.LATE_LETTER}
        return tuple(dict.fromkeys(connection.execute(_DUE, asked).scalars()))


class _First(NamedTuple):
    deadline: datetime | None
    remind_at: datetime | None
    standing_due: datetime | None
    delayed: bool


def _first(hour: InstrumentedAttribute[datetime | None]) -> Label[datetime | None]:
    return select(func.min(hour)).where(hour.is_not(None), _RUNS).scalar_subquery().label(hour.key)


_RUNS = Game.paused_at.is_(None)
_FLAGS = select(Game.id).where(Game.deadline < bindparam("until", type_=Moment), _RUNS, ~unheard.in_time())
_FLAGS = _FLAGS.order_by(Game.deadline)
#: While both are awaited, neither is to learn from its reminder's hour that the other has written.
_MAY_REMIND = Game.turn.is_(None) | ~unheard.in_time()
_REMINDERS = select(Game.id).where(Game.remind_at <= NOW, _RUNS, _MAY_REMIND)
_REMINDERS = _REMINDERS.order_by(Game.remind_at)
_DUE = union_all(
    *(
        select(each.limit(_BATCH).subquery())
        for each in (*hearing.DELAYED, next_turns.DUE, _FLAGS, _REMINDERS)
    ),
)
#: What PostgreSQL takes ten times as long to plan as to answer is asked only where something can come of it.
_FIRST = select(
    _first(Game.deadline),
    _first(Game.remind_at),
    next_turns.FIRST_DUE.label("standing_due"),
    hearing.MAY_BE_DELAYED.label("delayed"),
)


def _flag(sitting: Sitting, grace: timedelta) -> bool:
    """Never while an unread letter of a side that is awaited arrived before the deadline; a house player has time."""
    side = sitting.state.flagged(sitting.now - grace)
    if side is None or unheard.has_any_in_time(sitting):
        return False
    if sitting.chairs[side].is_house:
        sitting.state = sitting.state.begin_anew(side, sitting.now)
    else:
        course.flag(sitting, side)
    return True


def _remind(sitting: Sitting) -> bool:
    """Once a turn; not after the deadline, and not while the one that is awaited has written."""
    state = sitting.state
    if not state.reminds(sitting.now) or (state.turn and unheard.has_any_in_time(sitting)):
        return False
    assert state.time.deadline is not None
    sitting.state = state.remind()
    if sitting.now < state.time.deadline:
        for side in state.awaited:
            sitting.write(side, "reminder")
    return True
