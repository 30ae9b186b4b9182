"""Starts a turn's clock once its player heard of the turn, by a delivered email or an opened page."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Select, bindparam, exists, or_, select

from corr import limits
from corr.service.games import bounced_turns
from corr.service.games.game_session import Sitting
from corr.service.games.notice_times import IS_KNOWN_TO_BOTH, handed_over, heard, telling
from corr.store.tables import CorrespondentRow, FailingMailbox, Game, Moment, OutboxRow, SeatRow
from corr.words.board import Side
from corr.words.view import Stage

_AWAITED = Game.turn.is_(None) | (SeatRow.side == Game.turn)
_GIVEN_UP = select(OutboxRow.id).where(
    OutboxRow.seat_id == bindparam("seat"),
    OutboxRow.number == bindparam("telling"),
    OutboxRow.dead_at.is_not(None),
)


def reckon(sitting: Sitting) -> None:
    """Account for the time until now, before the clock is paused, resumed or changed."""
    settle(sitting)
    _count_waiting(sitting)


def settle(sitting: Sitting) -> bool:
    """Start the clock from when every awaited player heard; return whether this started it."""
    state = sitting.state
    if state.time.waits_from is None:
        return False
    sitting.state = state.settle(heard(sitting.connection, state, sitting.chairs, sitting.now))
    sitting.mark_turn()
    return sitting.state.time.waits_from is None


def settle_for_bank(sitting: Sitting, side: Side) -> datetime | None:
    """Settle a turn charged to a bank, and return when its late email was delivered."""
    if sitting.state.banks[side] is None:
        return None
    settle(sitting)
    return _handed_over(sitting, side) if sitting.state.time.waits[side].is_untold else None


def _handed_over(sitting: Sitting, side: Side) -> datetime | None:
    return handed_over(sitting.connection, sitting.state, side, sitting.chairs[side])


# ---------------------------------------------------------------- telling the opponent


def tell(sitting: Sitting) -> bool:
    """Tell the opponent of a late email, and both on delivery; return whether it did."""
    return _tell_of_trouble(sitting) or _tell_of_less_time(sitting) or _tell_of_its_end(sitting)


def _tell_of_trouble(sitting: Sitting) -> bool:
    """Let the clock wait for a player whose email is late, though not for ever."""
    state = sitting.state
    if state.time.waits_from is None or state.paused:
        return False
    late = [side for side in state.awaited if _is_late(sitting, side)]
    in_vain = [side for side in late if _is_waited_for_in_vain(sitting, side)]
    for side in in_vain:
        sitting.state = sitting.state.wait_no_longer(side)
    if in_vain:
        return True
    if late:
        _delay(sitting, late)
        settle(sitting)
    for side in late:
        if side.other not in state.awaited or not sitting.state.time.waits[side.other].delayed_from:
            sitting.write(side.other, "delay")
    return bool(late)


def _delay(sitting: Sitting, late: Collection[Side]) -> None:
    """Let the clock wait, but end a wait that already exceeds its yearly limit."""
    failing = [side for side in late if bounced_turns.is_failing(sitting, side)]
    most = {side: bounced_turns.may_wait(sitting, side) for side in failing}
    since = sitting.state.time.waits_from
    assert since
    sitting.state = sitting.state.delay(late)
    for side in failing:
        if since + most[side] < sitting.now:
            sitting.state = sitting.state.wait_no_further(side, since + most[side])


def _is_late(sitting: Sitting, side: Side) -> bool:
    time = sitting.state.time
    wait = time.waits[side]
    if wait.letter is None or wait.delayed_from or _handed_over(sitting, side):
        return False
    assert time.waits_from
    letter = telling(sitting.state, side, sitting.chairs[side])
    is_given_up = sitting.connection.execute(_GIVEN_UP, letter).scalar_one_or_none() is not None
    return is_given_up or sitting.now - time.waits_from >= limits.LATE_LETTER


def _is_waited_for_in_vain(sitting: Sitting, side: Side) -> bool:
    """Whether games have used up a year's wait for a player whose emails bounce."""
    return bounced_turns.is_failing(sitting, side) and not bounced_turns.may_wait(sitting, side)


def _tell_of_less_time(sitting: Sitting) -> bool:
    """Stop the wait for players whose yearly limit is used up, here or elsewhere."""
    state = sitting.state
    if state.time.waits_from is None or state.paused:
        return False
    waiting = [side for side in state.awaited if state.time.waits[side].may_go_on(sitting.now)]
    untold = [side for side in waiting if not _handed_over(sitting, side)]
    in_vain = [side for side in untold if _is_waited_for_in_vain(sitting, side)]
    for side in in_vain:
        sitting.state = sitting.state.wait_no_further(side, sitting.now)
        sitting.write(side.other, "delay")
    return bool(in_vain)


def _tell_of_its_end(sitting: Sitting) -> bool:
    """Tell the late player when the clock started, and the opponent that it runs."""
    reached = _count_waiting(sitting)
    if not reached:
        return False
    sitting.state = sitting.state.tell(reached)
    for side in Side:
        sitting.write(side, "delay")
    return True


def _count_waiting(sitting: Sitting) -> Collection[Side]:
    """Count the wait for untold sides whose late email was delivered, and return them."""
    state = sitting.state
    untold = [side for side in state.awaited if state.time.waits[side].is_untold]
    handed = {side: moment for side in untold if (moment := _handed_over(sitting, side))}
    if handed:
        sitting.state = state.count_waiting(handed, sitting.now)
    return handed


# ---------------------------------------------------------------- games with a late email

_UNDER_WAY = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
_LATE = _UNDER_WAY & (OutboxRow.made_at <= bindparam("soon", type_=Moment))


def _untold(letter: ColumnElement[bool]) -> Select[int]:
    """Select games whose turn email has this trouble, which nobody was told of yet."""
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
_IS_HANDED_OVER = exists(_WENT_OUT.where(IS_KNOWN_TO_BOTH | (OutboxRow.number == SeatRow.telling)))
_IS_HEARD = exists(_WENT_OUT) | (SeatRow.opened == SeatRow.telling)
_MAY_BE_SETTLED = Game.waits_from.is_not(None) & (Game.state != Stage.DEPLOYING) & _IS_HEARD
_DELAYED = (SeatRow.game_id == Game.id) & _AWAITED & SeatRow.delayed_from.is_not(None)
_IS_TOLD = exists(
    select(SeatRow.id).where(_DELAYED, SeatRow.telling.is_not(None), or_(_IS_HANDED_OVER, _MAY_BE_SETTLED))
)
_NOBODY_IS_LATE = Game.waits_from.is_not(None) & ~exists(select(SeatRow.id).where(_DELAYED))
_TOLD = select(Game.id).where(
    Game.earliest.is_not(None), Game.paused_at.is_(None), or_(_IS_TOLD, _NOBODY_IS_LATE)
)
_FAILS = exists(
    select(FailingMailbox.correspondent_id)
    .join(CorrespondentRow, CorrespondentRow.id == FailingMailbox.correspondent_id)
    .where(CorrespondentRow.player_id == SeatRow.player_id)
)
_WAITED_FOR = select(Game.id).where(
    Game.earliest.is_not(None),
    Game.paused_at.is_(None),
    Game.waits_from.is_not(None),
    exists(select(SeatRow.id).where(_DELAYED, SeatRow.telling.is_not(None), _FAILS)),
)
#: Queries for games with a late email, with one that arrived at last, or with a wait that may be used up.
DELAYED = (_untold(_LATE), _untold(OutboxRow.dead_at.is_not(None)), _TOLD, _WAITED_FOR)
#: Whether there may be any such game: an email waits or was given up, or a side was told of a late one.
MAY_BE_DELAYED = or_(
    exists(select(OutboxRow.id).where(_UNDER_WAY)),
    exists(select(OutboxRow.id).where(OutboxRow.dead_at.is_not(None))),
    exists(select(Game.id).where(Game.earliest.is_not(None), Game.paused_at.is_(None))),
)
