"""Proves a finished game's record: its seals, its clock, the rules, and the player's emails."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from corr.game.clock import Clock, DeploymentStatus, parse_clock
from corr.proof.ruling_check import check_rulings
from corr.proof.verify import SIDES, InvalidRecord, Record, Time, Turn, check_record, format_turn_name
from corr.words.errors import Refused

_NONE, _SECOND = timedelta(), timedelta(seconds=1)
#: The tolerance for a bank: the record rounds it to whole seconds before and after a turn.
_ROUNDING = 2 * _SECOND


def check_clocks(record: Record) -> None:
    """Check the record's times; raise InvalidRecord for a turn that does not fit the clock."""
    first = record.turns[0].told
    try:
        clock = parse_clock(first["clock"])
        if clock.is_live and "sealed_from" in first:
            return
        for before, turn in zip(record.turns, record.turns[1:], strict=False):
            _check_allowed(clock, before, turn)
            _check_banks(clock, before, turn)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, Refused) as error:
        raise InvalidRecord("We can't read what the record says about time.") from error


def _check_allowed(clock: Clock, before: Turn, turn: Turn) -> None:
    """Check that a turn was allowed as much time as the game's clock gives."""
    if turn.time is None:
        if turn.told["time"] is not None and not clock.is_untimed:
            raise InvalidRecord(f"The record has no deadline for {format_turn_name(turn.name)}.")
        return
    rounds = turn.name.removeprefix("0.")
    used = (
        DeploymentStatus(deploys=True, clashes=int(rounds) - 1) if turn.mover is None else DeploymentStatus()
    )
    allowed = clock.time(_bank(before, turn.mover or SIDES[0]), used)
    if allowed is None or abs(turn.time.allowed - allowed) >= _SECOND:
        raise InvalidRecord(
            f"{format_turn_name(turn.name).capitalize()} allowed {turn.time.allowed}, but by the "
            f'clock "{clock}" it should be {allowed}.'
        )


def _check_banks(clock: Clock, before: Turn, turn: Turn) -> None:
    """Check that each side's time bank after a turn is what the clock gives."""
    for side in SIDES:
        was, is_now = _bank(before, side), _bank(turn, side)
        if was is None or is_now is None:
            continue
        least = most = was
        if side == turn.mover and turn.name != "end":
            if turn.time is None or turn.time.is_late:
                continue
            least, most = (clock.pace.saved(was, left) or _NONE for left in _time_left(turn, turn.time))
        if not least - _ROUNDING <= is_now <= most + _ROUNDING:
            raise InvalidRecord(
                f"After {format_turn_name(turn.name)} {side.capitalize()} had a different time bank "
                "than the clock gives."
            )


def _time_left(turn: Turn, time: Time) -> tuple[timedelta, timedelta]:
    """Return the least and the most time left after a turn, as records omit uncounted hours."""
    told = turn.told
    ended, spent = (datetime.fromisoformat(each) for each in (told["at"], told.get("spent") or told["came"]))
    stood = [since for why, since, until in time.steps if why == "pause" and until is None]
    ended, spent = min([ended, *stood]), min([spent, *stood])
    most = max(min(time.deadline - spent, max(time.allowed, time.deadline - ended)), _NONE)
    outage = sum((until - since for why, since, until in time.steps if why == "outage" and until), _NONE)
    return (_NONE if time.has("hours") else max(most - outage, _NONE)), most


def _bank(turn: Turn, side: str) -> timedelta | None:
    """Return a side's time bank after a turn; None if there is none."""
    banks: list[Any] = turn.told["banks"]
    return banks[SIDES.index(side)] * _SECOND if banks else None


class Proof(NamedTuple):
    """Whether a record holds, and a sentence that says so."""

    holds: bool
    sentence: str


def prove(
    record: Iterable[bytes], letters: Iterable[Iterable[bytes]] = (), most_orders: float = math.inf
) -> Proof:
    """Check a record's seals, times and rules, and its seals in the emails of mbox files."""
    try:
        read, sentence = check_record(record, letters)
        if read.is_timed:
            check_clocks(read)
        check_rulings(read, most_orders)
    except InvalidRecord as wrong:
        return Proof(holds=False, sentence=str(wrong))
    return Proof(
        holds=True, sentence=f"{sentence}; every ruling and every word of the umpire follows the rules."
    )
