"""Computes which time counts for a player: not weekends and vacations, in the player's own zone. Pure."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_SATURDAY = 5


class Span(NamedTuple):
    """A span of time from one moment to another."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class TimeOff:
    """A player's time off: vacations, and weekends if the player wants them."""

    zone: tzinfo = UTC
    weekends: bool = False
    vacations: tuple[Span, ...] = ()

    @property
    def is_any(self) -> bool:
        return self.weekends or bool(self.vacations)

    def off(self, since: datetime) -> Iterator[Span]:
        """Yield the spans of time off after a moment, in order; they may overlap."""
        weekends = _weekends(self.zone, since) if self.weekends else ()
        yield from heapq.merge(sorted(each for each in self.vacations if each.end > since), weekends)


def _weekends(zone: tzinfo, since: datetime) -> Iterator[Span]:
    day = since.astimezone(zone).date()
    saturday = day + timedelta(days=_SATURDAY - day.weekday())
    while saturday <= date.max - 2 * _WEEK:
        yield Span(midnight(saturday, zone), midnight(saturday + 2 * _DAY, zone))
        saturday += _WEEK


def midnight(day: date, zone: tzinfo) -> datetime:
    """Return the beginning of a day in a zone, as a moment in UTC."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Counts the time of the players the game waits for: none while any of them is away."""

    leaves: tuple[TimeOff, ...] = field(default=())

    def after(self, moment: datetime, span: timedelta) -> datetime:
        """Return the moment by which this much time has counted since another moment."""
        at, left = moment, span
        for off in self._off(moment):
            if at + left <= off.start or not left:
                break
            left -= max(off.start - at, timedelta())
            at = max(at, off.end)
        return at + left

    def counted(self, since: datetime, until: datetime) -> timedelta:
        """Return how much time counts between two moments, nothing if the second is earlier."""
        at, counted = since, timedelta()
        for off in self._off(since):
            if off.start >= until:
                break
            counted += max(off.start - at, timedelta())
            at = max(at, off.end)
        return counted + max(until - at, timedelta())

    def put_off(self, deadline: datetime, since: datetime, until: datetime) -> datetime:
        """Move a deadline whose clock stopped between two moments, so that the time left stays the same."""
        return self.after(until, self.counted(since, deadline))

    def _off(self, since: datetime) -> Iterator[Span]:
        """Yield all time off of these players after a moment, in order."""
        return heapq.merge(*(leave.off(since) for leave in self.leaves))


FULL_CALENDAR = Calendar()  # a calendar in which every hour counts
