"""When a side has heard of its turn: a letter was handed over, or it opened its page. Until then no time runs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Select, bindparam, exists, func, or_, select

from corr.desk.sitting import Chair, Sitting
from corr.game import telling
from corr.store.tables import Game, Moment, OutboxRow, SeatRow
from corr.words import Side

_AWAITED = Game.turn.is_(None) | (SeatRow.side == Game.turn)
_OF_THE_TURN = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.number >= bindparam("telling"))
#: Letters after the one about the turn that come of nothing which their reader does unheard, as an answer would.
_IS_NEWS = OutboxRow.kind.in_(("turn", "delay", "decree", "restored"))
_WRITTEN_TO = select(func.min(OutboxRow.sent_at)).where(_OF_THE_TURN)
_HANDED_OVER = _WRITTEN_TO.where(_IS_NEWS | (OutboxRow.number == bindparam("telling")))
_GIVEN_UP = select(OutboxRow.id).where(
    OutboxRow.seat_id == bindparam("seat"),
    OutboxRow.number == bindparam("telling"),
    OutboxRow.dead_at.is_not(None),
)


def is_late(sitting: Sitting, side: Side, moment: datetime) -> bool:
    """True if a letter of a side that arrived at a moment came after its flag fell; both deploy by one time."""
    has_clock = (sitting.deploying or side in sitting.awaited) and not sitting.paused
    if not has_clock or sitting.deadline is None or moment <= sitting.deadline:
        return False
    settle(sitting)
    return may_fall(sitting) and moment > sitting.deadline


def may_fall(sitting: Sitting) -> bool:
    """Whether all who are awaited have been told, or the game has waited for them as long as it can."""
    return sitting.waits_from is None or sitting.earliest is not None


# ---------------------------------------------------------------- the time


def settle(sitting: Sitting) -> bool:
    """Let the time run from when all who are awaited were told, if they were; whether it does so now."""
    if sitting.waits_from is None:
        return False
    waiting = [chair for chair in _awaited(sitting) if chair.telling]
    heard = [moment for moment in (_heard(sitting, chair) for chair in waiting) if moment]
    if len(heard) < len(waiting):
        return False
    told = max(heard, default=sitting.waits_from)
    most = max((telling.left(chair.held) for chair in waiting), default=telling.MOST)
    wait = telling.waited(sitting.waits_from, told, most)
    assert sitting.deadline
    _put_off(sitting, (sitting.earliest or sitting.deadline) + wait)
    sitting.waits_from = None
    if not any(chair.delayed_from for chair in _awaited(sitting)):
        sitting.earliest = None
        for chair in waiting:
            chair.telling, chair.held = None, chair.held + wait
    return True


def _put_off(sitting: Sitting, deadline: datetime) -> None:
    """The reminder keeps its distance from the deadline."""
    assert sitting.deadline
    if sitting.remind_at:
        sitting.remind_at += deadline - sitting.deadline
    sitting.deadline = deadline


def _awaited(sitting: Sitting) -> Iterable[Chair]:
    return [sitting.chairs[side] for side in sitting.awaited]


def _heard(sitting: Sitting, chair: Chair) -> datetime | None:
    """When a side heard of its turn; that it opened its page or was answered counts where its letter is late.

    Not while they deploy: the time is that of both, and would tell the other side of it.
    """
    told = [_handed_over(sitting, chair)]
    if chair.delayed_from and not sitting.deploying:
        told += [chair.opened_at, _first(sitting, chair, _WRITTEN_TO)]
    known = [moment for moment in told if moment]
    return min(*known, sitting.paused_at or sitting.now) if known else None


def _handed_over(sitting: Sitting, chair: Chair) -> datetime | None:
    """When the first letter of this turn went out that the other side may be told of."""
    return _first(sitting, chair, _HANDED_OVER)


def _first(sitting: Sitting, chair: Chair, letters: Select[datetime | None]) -> datetime | None:
    asked = {"seat": chair.id, "telling": chair.telling}
    moment: datetime | None = sitting.connection.execute(letters, asked).scalar_one()
    return moment


# ---------------------------------------------------------------- what the other side is told


def tell(sitting: Sitting) -> bool:
    """Tell the other side of a letter that is late, and both once it is handed over; whether there was anything."""
    return _tell_of_trouble(sitting) or _tell_of_its_end(sitting)


def _tell_of_trouble(sitting: Sitting) -> bool:
    """The time waits for whom a letter does not reach, though not for ever."""
    if sitting.waits_from is None or sitting.paused:
        return False
    late = [side for side in sitting.awaited if _is_late(sitting, sitting.chairs[side])]
    for side in late:
        sitting.chairs[side].delayed_from = sitting.waits_from
    if late:
        _wait_as_long_as_can_be(sitting)
    for side in late:
        if side.other not in sitting.awaited or not sitting.chairs[side.other].delayed_from:
            sitting.write(side.other, "delay")
    return bool(late)


def _wait_as_long_as_can_be(sitting: Sitting) -> None:
    """Until it is known when whoever is awaited was told."""
    sitting.earliest = sitting.earliest or sitting.deadline
    assert sitting.earliest
    most = max(telling.left(chair.held) for chair in _awaited(sitting) if chair.delayed_from)
    _put_off(sitting, sitting.earliest + most)
    settle(sitting)


def _is_late(sitting: Sitting, chair: Chair) -> bool:
    if chair.telling is None or chair.delayed_from or _handed_over(sitting, chair):
        return False
    assert sitting.waits_from
    asked = {"seat": chair.id, "telling": chair.telling}
    is_given_up = sitting.connection.execute(_GIVEN_UP, asked).first() is not None
    return is_given_up or sitting.now - sitting.waits_from >= telling.SOON


def _tell_of_its_end(sitting: Sitting) -> bool:
    """Who was late is told from when its time runs, and the other side that it does."""
    told = [chair for chair in _awaited(sitting) if chair.delayed_from and chair.telling]
    handed = [(chair, moment) for chair in told if (moment := _handed_over(sitting, chair))]
    for chair, moment in handed:
        assert chair.delayed_from
        chair.held += telling.waited(chair.delayed_from, moment, telling.left(chair.held))
        chair.telling = None
    for side in Side if handed else ():
        sitting.write(side, "delay")
    return bool(handed)


# ---------------------------------------------------------------- which games there is something to tell of

_UNDER_WAY = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
_LATE = _UNDER_WAY & (OutboxRow.made_at <= bindparam("soon", type_=Moment))


def _untold(letter: ColumnElement[bool]) -> Select[int]:
    """Games in which the letter about the turn is as it should not be, and nobody was told of that."""
    return (
        select(SeatRow.game_id)
        .join_from(OutboxRow, SeatRow, SeatRow.id == OutboxRow.seat_id)
        .join(Game, Game.id == SeatRow.game_id)
        .where(letter, SeatRow.telling == OutboxRow.number, SeatRow.delayed_from.is_(None))
        .where(_AWAITED, Game.waits_from.is_not(None), Game.paused_at.is_(None))
    )


_WENT_OUT = (
    select(OutboxRow.id)
    .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.number >= SeatRow.telling)
    .where(OutboxRow.sent_at.is_not(None))
)
_IS_HANDED_OVER = exists(_WENT_OUT.where(_IS_NEWS | (OutboxRow.number == SeatRow.telling)))
_IS_HEARD = exists(_WENT_OUT) | (SeatRow.opened == SeatRow.telling)
_MAY_BE_SETTLED = Game.waits_from.is_not(None) & (Game.state != "deploying") & _IS_HEARD
_DELAYED = (SeatRow.game_id == Game.id) & _AWAITED & SeatRow.delayed_from.is_not(None)
_IS_TOLD = exists(
    select(SeatRow.id).where(_DELAYED, SeatRow.telling.is_not(None), or_(_IS_HANDED_OVER, _MAY_BE_SETTLED))
)
_NOBODY_IS_LATE = Game.waits_from.is_not(None) & ~exists(select(SeatRow.id).where(_DELAYED))
_TOLD = select(Game.id).where(
    Game.earliest.is_not(None), Game.paused_at.is_(None), or_(_IS_TOLD, _NOBODY_IS_LATE)
)
#: Games with a letter that is late, or no longer is.
DELAYED = (_untold(_LATE), _untold(OutboxRow.dead_at.is_not(None)), _TOLD)
