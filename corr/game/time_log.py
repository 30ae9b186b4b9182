"""Records what a turn's deadline consists of: its start, its time, and what put it off. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

_MICROSECOND = timedelta(microseconds=1)


class DelayReason(StrEnum):
    """Why a deadline was put off."""

    TOLD = "told"  # the clock waited until the awaited players were told of the turn
    PAUSE = "pause"
    OUTAGE = "outage"
    OPERATOR = "operator"
    LEAVE = "leave"
    HOURS = "hours"  # from now on other weekends and vacations do not count
    ANEW = "anew"  # the turn has all of its time again


class DeadlineDelay(NamedTuple):
    """One reason and span by which a deadline was put off; without end while it lasts."""

    why: DelayReason
    since: datetime
    until: datetime | None


class TimeLog(NamedTuple):
    """Everything that makes up a deadline."""

    began: datetime
    allowed: timedelta | None  # None if there is no limit
    steps: tuple[DeadlineDelay, ...] = ()

    def put_off(self, reason: DelayReason, since: datetime, until: datetime) -> TimeLog:
        """Log why and how long the deadline was put off, unless it wasn't."""
        return self if since == until else self.noted(reason, since, until)

    def noted(self, reason: DelayReason, since: datetime, until: datetime | None) -> TimeLog:
        """Log a reason with its span, even if it is empty or has no end yet."""
        return self._replace(steps=(*self.steps, DeadlineDelay(reason, since, until)))

    def kept(self, at: datetime) -> list[Any]:
        """Encode the log for a database row, in few characters: microseconds after a given moment."""
        steps = [
            [each.why, (each.since - at) // _MICROSECOND, _span(each.since, each.until)]
            for each in self.steps
        ]
        allowed = None if self.allowed is None else self.allowed // _MICROSECOND
        return [(self.began - at) // _MICROSECOND, allowed, *steps]

    @property
    def told(self) -> dict[str, Any]:
        """The log as JSON for a game's record, with full dates."""
        return {
            "began": self.began.isoformat(),
            "allowed": None if self.allowed is None else self.allowed // _MICROSECOND,
            "steps": [
                [each.why, each.since.isoformat(), each.until.isoformat() if each.until else None]
                for each in self.steps
            ],
        }


def decode_time_log(kept: list[Any], at: datetime) -> TimeLog:
    """Decode what `kept` encoded, given the same moment."""
    began, allowed, *steps = kept
    whole = None if allowed is None else allowed * _MICROSECOND
    delays = []
    for why, since, span in steps:
        start = at + since * _MICROSECOND
        end = None if span is None else start + span * _MICROSECOND
        delays.append(DeadlineDelay(DelayReason(why), start, end))
    return TimeLog(at + began * _MICROSECOND, whole, tuple(delays))


def _span(since: datetime, until: datetime | None) -> int | None:
    """Return how many microseconds a span has; None if it has no end."""
    return None if until is None else (until - since) // _MICROSECOND
