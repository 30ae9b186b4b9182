"""What a turn's deadline is made of: when the turn began, how long it may take, and what put it off. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

_MICROSECOND = timedelta(microseconds=1)


class Why(StrEnum):
    """Why a deadline was put off."""

    TOLD = "told"  # the time waited until the players it is for were told of the turn
    PAUSE = "pause"
    OUTAGE = "outage"
    OPERATOR = "operator"
    LEAVE = "leave"
    HOURS = "hours"  # from now on weekends and vacations do not count, or others
    ANEW = "anew"  # all of the turn's time is left again


class Step(NamedTuple):
    """A deadline was put off by so much, and why; what goes on has no end."""

    why: Why
    since: datetime
    until: datetime | None


class TimeLog(NamedTuple):
    """All that a deadline is made of."""

    began: datetime
    allowed: timedelta | None  # none where there is no end to it
    steps: tuple[Step, ...] = ()

    def put_off(self, why: Why, since: datetime, until: datetime) -> TimeLog:
        """One more step, if anything was put off by it."""
        return self if since == until else self.noted(why, since, until)

    def noted(self, why: Why, since: datetime, until: datetime | None) -> TimeLog:
        """One more step."""
        return self._replace(steps=(*self.steps, Step(why, since, until)))

    def kept(self, at: datetime) -> list[Any]:
        """As rows have it, in few letters: microseconds from a moment on."""
        steps = [
            [each.why, (each.since - at) // _MICROSECOND, _span(each.since, each.until)]
            for each in self.steps
        ]
        allowed = None if self.allowed is None else self.allowed // _MICROSECOND
        return [(self.began - at) // _MICROSECOND, allowed, *steps]

    @property
    def told(self) -> dict[str, Any]:
        """As a record has it."""
        return {
            "began": self.began.isoformat(),
            "allowed": None if self.allowed is None else self.allowed // _MICROSECOND,
            "steps": [
                [each.why, each.since.isoformat(), each.until.isoformat() if each.until else None]
                for each in self.steps
            ],
        }


def of_kept(kept: list[Any], at: datetime) -> TimeLog:
    """The log that a row has."""
    began, allowed, *steps = kept
    whole = None if allowed is None else allowed * _MICROSECOND
    return TimeLog(at + began * _MICROSECOND, whole, tuple(_steps(steps, at)))


def _steps(kept: list[Any], at: datetime) -> Iterator[Step]:
    for why, since, span in kept:
        began = at + since * _MICROSECOND
        yield Step(Why(why), began, None if span is None else began + span * _MICROSECOND)


def _span(since: datetime, until: datetime | None) -> int | None:
    return None if until is None else (until - since) // _MICROSECOND
