"""Books vacations, counts their days (limits: `corr/limits.py`), and starts one when a player's time would run out."""

from __future__ import annotations

from calendar import isleap
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from sqlalchemy import Connection

from corr import limits
from corr.game.reminder_times import NEVER
from corr.game.time_off import Span, midnight
from corr.service.players import times
from corr.service.players.times import StoredTimeSettings, format_vacations, parse_vacations
from corr.text.messages import sentence
from corr.words.errors import Refused

_DAY, _MOMENT = timedelta(days=1), timedelta(microseconds=1)
#: A day without its year that is longer ago than this is next year's.
_LONG_PAST, _YEARS_OF_A_LEAP, _LEAP_YEAR, _LEAP_DAY = timedelta(days=183), 9, 2024, (2, 29)
_VACATION_RETENTION = timedelta(days=400)


class Vacation(NamedTuple):
    """A vacation as its player sees it."""

    first: str
    last: str
    is_running: bool


def set_automatic_vacation(connection: Connection, player_id: int, *, on: bool, now: datetime) -> str:
    """Set whether a vacation starts when time would run out; return a confirmation to show."""
    times.store_hours(
        connection, player_id, times.lock_hours(connection, player_id)._replace(goes_on_leave=on), now
    )
    return sentence("hours.leave_on") if on else sentence("hours.leave_off")


def start_vacation(connection: Connection, player_id: int, now: datetime) -> StoredTimeSettings | None:
    """Start a player's automatic vacation; return their new settings, None if no days are left."""
    kept = times.lock_hours(connection, player_id)
    first = today(kept, now)
    for days in range(limits.LEAVE_DAYS, 0, -1):
        try:
            gone = _add_vacation(kept, first, first + (days - 1) * _DAY, now)
        except Refused:
            continue
        times.store_hours(connection, player_id, gone, now)
        return gone
    return None


def list_vacations(stored: StoredTimeSettings, now: datetime) -> list[Vacation]:
    """List a player's vacations that are not over."""
    return [
        Vacation(
            times.word_local_day(span.start, stored.zone),
            times.word_local_day(span.end - _MOMENT, stored.zone),
            is_running=span.start <= now,
        )
        for span in parse_vacations(stored.vacations)
        if span.end > now
    ]


def days_left(stored: StoredTimeSettings, now: datetime) -> int:
    """Return how many vacation days are left this year."""
    return _count_left(stored, today(stored, now).year)


def change(stored: StoredTimeSettings, given: str, now: datetime) -> tuple[StoredTimeSettings, str]:
    """Book a vacation, `2026-12-24 2027-01-02` or `24 Dec - 2 Jan`, or end all; return settings and confirmation."""
    if given == NEVER:
        return _end_vacations(stored, now)
    begins, ends = given.split(" - ") if " - " in given else given.split()
    first = _complete_day(begins, today(stored, now) - _LONG_PAST)
    last = _complete_day(ends, first)
    booked = _add_vacation(stored, first, last, now)
    days = (last - first).days + 1
    return booked, sentence(
        "hours.vacation", days=days, left=_count_left(booked, first.year), year=first.year
    )


def _complete_day(written: str, earliest: date) -> date:
    """Return a day as written, or if its year is missing the first such day from the earliest on."""
    if "-" in written:
        return date.fromisoformat(written)
    named = datetime.strptime(f"{written} {_LEAP_YEAR}", "%d %b %Y")  # noqa: DTZ007  # a day, without a time
    is_leap_day = (named.month, named.day) == _LEAP_DAY
    years = (earliest.year + after for after in range(_YEARS_OF_A_LEAP))
    days = (date(year, named.month, named.day) for year in years if isleap(year) or not is_leap_day)
    return next(day for day in days if day >= earliest)


def _add_vacation(stored: StoredTimeSettings, first: date, last: date, now: datetime) -> StoredTimeSettings:
    """Return the settings with a vacation added; raise Refused if past, overlapping or too long."""
    zone, this_day = times.load_zone(stored.zone), today(stored, now)
    if last < first:
        raise Refused(sentence("hours.ends_before"))
    if first < this_day:
        raise Refused(sentence("hours.is_past", today=this_day.isoformat()))
    if last > this_day + limits.VACATION_AHEAD:
        raise Refused(sentence("hours.far_away"))
    span = Span(max(midnight(first, zone), now), midnight(last + _DAY, zone))
    spans = [each for each in parse_vacations(stored.vacations) if each.end > now - _VACATION_RETENTION]
    if any(each.start < span.end and span.start < each.end for each in spans):
        raise Refused(sentence("hours.overlaps"))
    booked = stored._replace(vacations=format_vacations([*spans, span]))
    for year in range(first.year, last.year + 1):
        if _count_left(booked, year) < 0:
            raise Refused(sentence("hours.too_long", left=_count_left(stored, year), year=year))
    return booked


def _end_vacations(stored: StoredTimeSettings, now: datetime) -> tuple[StoredTimeSettings, str]:
    """End all vacations now, counting what has begun; return settings and confirmation. Refused if there is none."""
    spans = parse_vacations(stored.vacations)
    if all(span.end <= now for span in spans):
        raise Refused(sentence("hours.no_vacation"))
    left = [Span(span.start, min(span.end, now)) for span in spans if span.start < now]
    return stored._replace(vacations=format_vacations(left)), sentence("hours.vacation_off")


def _count_left(stored: StoredTimeSettings, year: int) -> int:
    """Return how many vacation days a player can still book in a year."""
    zone = times.load_zone(stored.zone)
    return limits.VACATION_DAYS - sum(_days(span, zone, year) for span in parse_vacations(stored.vacations))


def _days(span: Span, zone: tzinfo, year: int) -> int:
    """Count the days of a year that a vacation covers."""
    first = max(span.start.astimezone(zone).date(), date(year, 1, 1))
    last = min((span.end - _MOMENT).astimezone(zone).date(), date(year, 12, 31))
    return max((last - first).days + 1, 0)


def today(stored: StoredTimeSettings, now: datetime) -> date:
    """Return today's date in the player's time zone."""
    return now.astimezone(times.load_zone(stored.zone)).date()
