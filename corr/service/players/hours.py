"""Converts players' time settings to and from storage: weekends, vacations, reminders, quiet hours."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import NamedTuple

from corr.game.calendar import Calendar, Span, TimeOff
from corr.game.reminders import ReminderSettings, parse_quiet_hours, parse_reminders
from corr.game.time_habits import TimeSettings
from corr.service.players import time_zones

_WEEKENDS = "weekends"
_SEPARATOR = ";"


class PlayerHours(NamedTuple):
    """A player's time settings as stored."""

    zone: str
    weekends: bool
    vacations: str
    remind: str
    quiet: str
    goes_on_leave: bool


@lru_cache(maxsize=10_000)
def parse_habits(kept: PlayerHours) -> TimeSettings:
    """Parse stored time settings."""
    zone = time_zones.load_zone(kept.zone)
    return TimeSettings(
        TimeOff(zone, kept.weekends, parse_vacations(kept.vacations)),
        ReminderSettings(parse_reminders(kept.remind), parse_quiet_hours(kept.quiet, zone)),
        kept.goes_on_leave,
    )


def parse_vacations(text: str) -> tuple[Span, ...]:
    """Parse stored vacations, in order."""
    return tuple(_span(each) for each in text.split())


def format_vacations(spans: Iterable[Span]) -> str:
    """Format vacations for storage."""
    return " ".join(f"{span.start.isoformat()}/{span.end.isoformat()}" for span in sorted(spans))


def _span(text: str) -> Span:
    start, _, end = text.partition("/")
    return Span(datetime.fromisoformat(start), datetime.fromisoformat(end))


@lru_cache(maxsize=10_000)
def parse_calendar(text: str) -> Calendar:
    """Parse the calendar by which the time of a turn runs."""
    return Calendar(tuple(_parse_leave(each) for each in text.split(_SEPARATOR))) if text else Calendar()


@lru_cache(maxsize=10_000)
def format_calendar(calendar: Calendar) -> str:
    """Format a calendar for storage with a game."""
    return _SEPARATOR.join(
        " ".join(
            [_name(leave.zone), *([_WEEKENDS] if leave.weekends else []), format_vacations(leave.vacations)]
        )
        for leave in calendar.leaves
    )


def _parse_leave(text: str) -> TimeOff:
    zone, *rest = text.split()
    spans = rest[1:] if rest[:1] == [_WEEKENDS] else rest
    return TimeOff(time_zones.load_zone(zone), spans != rest, tuple(map(_span, spans)))


def _name(zone: tzinfo) -> str:
    return getattr(zone, "key", time_zones.DEFAULT_ZONE)
