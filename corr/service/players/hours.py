"""Converts players' time settings to and from storage: weekends, vacations, reminders, quiet hours."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import NamedTuple

from corr.game.calendar import Calendar, Leave, Span
from corr.game.reminders import Reminding, ladder_of, quiet_of
from corr.game.time_habits import Habits
from corr.service.players import time_zones

_WEEKENDS = "weekends"
_BETWEEN = ";"


class Hours(NamedTuple):
    """A player's time settings as stored."""

    zone: str
    weekends: bool
    vacations: str
    remind: str
    quiet: str
    goes_on_leave: bool


@lru_cache(maxsize=10_000)
def habits_of(kept: Hours) -> Habits:
    """Parse stored time settings."""
    zone = time_zones.clock(kept.zone)
    return Habits(
        Leave(zone, kept.weekends, vacations_of(kept.vacations)),
        Reminding(ladder_of(kept.remind), quiet_of(kept.quiet, zone)),
        kept.goes_on_leave,
    )


def vacations_of(text: str) -> tuple[Span, ...]:
    """Parse stored vacations, in order."""
    return tuple(_span(each) for each in text.split())


def kept_vacations(spans: Iterable[Span]) -> str:
    """Format vacations for storage."""
    return " ".join(f"{span.start.isoformat()}/{span.end.isoformat()}" for span in sorted(spans))


def _span(text: str) -> Span:
    start, _, end = text.partition("/")
    return Span(datetime.fromisoformat(start), datetime.fromisoformat(end))


@lru_cache(maxsize=10_000)
def calendar_of(text: str) -> Calendar:
    """Parse the calendar by which the time of a turn runs."""
    return Calendar(tuple(_leave(each) for each in text.split(_BETWEEN))) if text else Calendar()


@lru_cache(maxsize=10_000)
def text_of(calendar: Calendar) -> str:
    """Format a calendar for storage with a game."""
    return _BETWEEN.join(
        " ".join(
            [_name(leave.zone), *([_WEEKENDS] if leave.weekends else []), kept_vacations(leave.vacations)]
        )
        for leave in calendar.leaves
    )


def _leave(text: str) -> Leave:
    zone, *rest = text.split()
    spans = rest[1:] if rest[:1] == [_WEEKENDS] else rest
    return Leave(time_zones.clock(zone), spans != rest, tuple(map(_span, spans)))


def place(kept: Hours) -> str:
    """Return the place that a player's zone is named after."""
    return time_zones.place(kept.zone)


def _name(zone: tzinfo) -> str:
    return getattr(zone, "key", time_zones.PLAIN)
