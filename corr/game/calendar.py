"""What does not count of a player's time: weekends and vacations, in the player's own zone. Pure."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_SATURDAY = 5


class Span(NamedTuple):
    """From one moment to another."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Leave:
    """When one player is away: at weekends, or not; and on vacation."""

    zone: tzinfo = UTC
    weekends: bool = False
    vacations: tuple[Span, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether the player is ever away."""
        return self.weekends or bool(self.vacations)

    def off(self, since: datetime) -> Iterator[Span]:
        """When the player is away after a moment, in order; a weekend may lie in a vacation."""
        weekends = _weekends(self.zone, since) if self.weekends else ()
        yield from heapq.merge(sorted(each for each in self.vacations if each.end > since), weekends)


def _weekends(zone: tzinfo, since: datetime) -> Iterator[Span]:
    """All weekends that end after a moment. The last days that there are have none."""
    day = since.astimezone(zone).date()
    saturday = day + timedelta(days=_SATURDAY - day.weekday())
    while saturday <= date.max - 2 * _WEEK:
        yield Span(midnight(saturday, zone), midnight(saturday + 2 * _DAY, zone))
        saturday += _WEEK


def midnight(day: date, zone: tzinfo) -> datetime:
    """When a day begins somewhere."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Calendar:
    """What counts of the time of whoever is awaited: nothing while any of them is away."""

    leaves: tuple[Leave, ...] = field(default=())

    def after(self, moment: datetime, span: timedelta) -> datetime:
        """When so much more has counted since a moment."""
        at, left = moment, span
        for off in self._off(moment):
            if at + left <= off.start or not left:
                break
            left -= max(off.start - at, timedelta())
            at = max(at, off.end)
        return at + left

    def counted(self, since: datetime, until: datetime) -> timedelta:
        """How much counts between two moments; nothing where the second is not the later one."""
        at, counted = since, timedelta()
        for off in self._off(since):
            if off.start >= until:
                break
            counted += max(off.start - at, timedelta())
            at = max(at, off.end)
        return counted + max(until - at, timedelta())

    def put_off(self, deadline: datetime, since: datetime, until: datetime) -> datetime:
        """A deadline where the time stood between two moments: what was left is left."""
        return self.after(until, self.counted(since, deadline))

    def _off(self, since: datetime) -> Iterator[Span]:
        """When the time does not count, in order; spans may overlap."""
        return heapq.merge(*(leave.off(since) for leave in self.leaves))


#: Of whom every hour counts.
EVERY_HOUR = Calendar()
