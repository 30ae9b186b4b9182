"""Time off: which of a player's hours count, compared with a slow reference by minutes."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from corr.game.time_off import FULL_CALENDAR, Calendar, Span, TimeOff, midnight

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
#: Daylight saving by an hour, by half an hour, at midnight, on either side of the date line, and none.
ZONES = ("UTC", "Europe/Paris", "America/Havana", "Australia/Lord_Howe", "Pacific/Kiritimati", "Etc/GMT+12")


def at(text: str, zone: str = "UTC") -> datetime:
    """Return the moment when a clock in this zone shows this time."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def weekends(zone: str) -> TimeOff:
    return TimeOff(ZoneInfo(zone), weekends=True)


def away(first: str, end: str, zone: str = "UTC") -> TimeOff:
    return TimeOff(vacations=(Span(at(first, zone), at(end, zone)),))


@pytest.mark.parametrize(
    ("times_off", "begun", "span", "over"),
    [
        ((), at("2026-11-24 12:00"), 3 * DAY, at("2026-11-27 12:00")),
        # Friday 27 November in Paris, and the Monday after it.
        ((weekends("Europe/Paris"),), at("2026-11-27 12:00"), DAY, at("2026-11-30 12:00")),
        # Time that ends exactly when the weekend begins is over by then.
        ((weekends("Europe/Paris"),), at("2026-11-27 12:00"), 11 * HOUR, at("2026-11-27 23:00")),
        # During a weekend nothing counts before Monday.
        ((weekends("UTC"),), at("2026-11-28 12:00"), HOUR, at("2026-11-30 01:00")),
        ((weekends("UTC"),), at("2026-11-28 12:00"), 0 * HOUR, at("2026-11-28 12:00")),
        # The weekend in which daylight saving begins has 47 hours, and the one in which it ends has 49.
        ((weekends("Europe/Paris"),), at("2026-03-27 22:00"), 2 * HOUR, at("2026-03-29 23:00")),
        ((weekends("Europe/Paris"),), at("2026-10-23 21:00"), 2 * HOUR, at("2026-10-26 00:00")),
        # Monday begins at Sunday 10:00 UTC in zone +14, and at Monday 12:00 UTC in zone -12.
        ((weekends("Pacific/Kiritimati"),), at("2026-11-27 09:00"), 2 * HOUR, at("2026-11-29 11:00")),
        ((weekends("Etc/GMT+12"),), at("2026-11-28 11:00"), 2 * HOUR, at("2026-11-30 13:00")),
        # Across New Year, with a weekend in it.
        ((away("2026-12-24", "2027-01-03"),), at("2026-12-23"), 2 * DAY, at("2027-01-04")),
        # Both are to move: nothing counts while either is away.
        (
            (weekends("UTC"), away("2026-11-30", "2026-12-02")),
            at("2026-11-27 12:00"),
            DAY,
            at("2026-12-02 12:00"),
        ),
    ],
)
def test_when_a_span_of_time_ends(
    times_off: tuple[TimeOff, ...], begun: datetime, span: timedelta, over: datetime
):
    assert Calendar(times_off).after(begun, span) == over


def test_putting_off_a_deadline_keeps_the_time_left():
    calendar = Calendar((weekends("UTC"),))
    deadline = at("2026-12-01 12:00")  # a Tuesday
    assert calendar.put_off(deadline, at("2026-11-27 12:00"), at("2026-12-04 12:00")) == at(
        "2026-12-08 12:00"
    )
    assert FULL_CALENDAR.put_off(deadline, at("2026-11-30"), at("2026-12-02")) == at("2026-12-03 12:00")


@pytest.mark.parametrize(
    ("day", "zone", "begins"),
    [
        (date(2026, 3, 8), "America/Havana", at("2026-03-08 05:00")),  # its first hour doesn't exist
        (date(2026, 11, 1), "America/Havana", at("2026-11-01 04:00")),  # its first hour comes twice
        (date(2026, 3, 29), "Europe/Paris", at("2026-03-28 23:00")),
    ],
)
def test_when_a_day_begins(day: date, zone: str, begins: datetime):
    assert midnight(day, ZoneInfo(zone)) == begins


# ---------------------------------------------------------------- compared with the reference


def counts(times_off: tuple[TimeOff, ...], moment: datetime) -> bool:
    """Return whether the minute that begins at a moment counts."""
    return not any(
        (time_off.weekends and moment.astimezone(time_off.zone).weekday() >= 5)
        or any(span.start <= moment < span.end for span in time_off.vacations)
        for time_off in times_off
    )


def over_by_minutes(times_off: tuple[TimeOff, ...], moment: datetime, minutes: int) -> datetime:
    while minutes:
        minutes -= counts(times_off, moment)
        moment += MINUTE
    return moment


FIRST = at("2026-01-01")
MINUTES = some.integers(0, 366 * 24 * 60)
SPANS = some.tuples(MINUTES, some.integers(1, 20 * 24 * 60)).map(
    lambda drawn: Span(FIRST + drawn[0] * MINUTE, FIRST + (drawn[0] + drawn[1]) * MINUTE)
)
TIMES_OFF = some.builds(
    TimeOff,
    some.sampled_from(ZONES).map(ZoneInfo),
    some.booleans(),
    some.lists(SPANS, max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None)
@given(some.lists(TIMES_OFF, max_size=2).map(tuple), MINUTES, some.integers(0, 5 * 24 * 60))
@example((weekends("America/Havana"),), 94_000, 4_000)
def test_a_span_ends_as_by_the_reference(times_off: tuple[TimeOff, ...], begun: int, minutes: int):
    moment = FIRST + begun * MINUTE
    over = over_by_minutes(times_off, moment, minutes)
    calendar = Calendar(times_off)
    assert calendar.after(moment, minutes * MINUTE) == over
    assert calendar.counted(moment, over) == minutes * MINUTE
