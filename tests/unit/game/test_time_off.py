"""What counts of a player's time, beside a slow reference that goes by minutes."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from corr.game.time_off import FULL_CALENDAR, Calendar, Span, TimeOff, midnight

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
#: Summer time by the hour, by half an hour, at midnight, on either side of the date line, and none.
ZONES = ("UTC", "Europe/Paris", "America/Havana", "Australia/Lord_Howe", "Pacific/Kiritimati", "Etc/GMT+12")


def at(text: str, zone: str = "UTC") -> datetime:
    """A moment that is written as a clock in a zone shows it."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def weekends(zone: str) -> TimeOff:
    return TimeOff(ZoneInfo(zone), weekends=True)


def away(first: str, end: str, zone: str = "UTC") -> TimeOff:
    return TimeOff(vacations=(Span(at(first, zone), at(end, zone)),))


@pytest.mark.parametrize(
    ("leaves", "begun", "span", "over"),
    [
        ((), at("2026-11-24 12:00"), 3 * DAY, at("2026-11-27 12:00")),
        # Fri 27 Nov in Paris, and the Monday after it.
        ((weekends("Europe/Paris"),), at("2026-11-27 12:00"), DAY, at("2026-11-30 12:00")),
        # What ends as the weekend begins is over by then.
        ((weekends("Europe/Paris"),), at("2026-11-27 12:00"), 11 * HOUR, at("2026-11-27 23:00")),
        # In a weekend nothing counts before Monday.
        ((weekends("UTC"),), at("2026-11-28 12:00"), HOUR, at("2026-11-30 01:00")),
        ((weekends("UTC"),), at("2026-11-28 12:00"), 0 * HOUR, at("2026-11-28 12:00")),
        # The weekend in which summer time begins has 47 hours, and the one in which it ends has 49.
        ((weekends("Europe/Paris"),), at("2026-03-27 22:00"), 2 * HOUR, at("2026-03-29 23:00")),
        ((weekends("Europe/Paris"),), at("2026-10-23 21:00"), 2 * HOUR, at("2026-10-26 00:00")),
        # Monday begins at +14 while it is Sunday morning at UTC, and at -12 on Monday noon.
        ((weekends("Pacific/Kiritimati"),), at("2026-11-27 09:00"), 2 * HOUR, at("2026-11-29 11:00")),
        ((weekends("Etc/GMT+12"),), at("2026-11-28 11:00"), 2 * HOUR, at("2026-11-30 13:00")),
        # Over the turn of the year, with a weekend in it.
        ((away("2026-12-24", "2027-01-03"),), at("2026-12-23"), 2 * DAY, at("2027-01-04")),
        # Two who are awaited: nothing counts while either is away.
        (
            (weekends("UTC"), away("2026-11-30", "2026-12-02")),
            at("2026-11-27 12:00"),
            DAY,
            at("2026-12-02 12:00"),
        ),
    ],
)
def test_when_time_is_over(leaves: tuple[TimeOff, ...], begun: datetime, span: timedelta, over: datetime):
    assert Calendar(leaves).after(begun, span) == over


def test_what_is_left_is_left_after_the_time_stood():
    calendar = Calendar((weekends("UTC"),))
    deadline = at("2026-12-01 12:00")  # a Tuesday
    assert calendar.put_off(deadline, at("2026-11-27 12:00"), at("2026-12-04 12:00")) == at(
        "2026-12-08 12:00"
    )
    assert FULL_CALENDAR.put_off(deadline, at("2026-11-30"), at("2026-12-02")) == at("2026-12-03 12:00")


@pytest.mark.parametrize(
    ("day", "zone", "begins"),
    [
        (date(2026, 3, 8), "America/Havana", at("2026-03-08 05:00")),  # its first hour is not there
        (date(2026, 11, 1), "America/Havana", at("2026-11-01 04:00")),  # and here it comes twice
        (date(2026, 3, 29), "Europe/Paris", at("2026-03-28 23:00")),
    ],
)
def test_when_a_day_begins(day: date, zone: str, begins: datetime):
    assert midnight(day, ZoneInfo(zone)) == begins


# ---------------------------------------------------------------- beside the reference


def counts(leaves: tuple[TimeOff, ...], moment: datetime) -> bool:
    """Whether the minute that begins at a moment counts."""
    return not any(
        (leave.weekends and moment.astimezone(leave.zone).weekday() >= 5)
        or any(span.start <= moment < span.end for span in leave.vacations)
        for leave in leaves
    )


def over_by_minutes(leaves: tuple[TimeOff, ...], moment: datetime, minutes: int) -> datetime:
    while minutes:
        minutes -= counts(leaves, moment)
        moment += MINUTE
    return moment


FIRST = at("2026-01-01")
MINUTES = some.integers(0, 366 * 24 * 60)
SPANS = some.tuples(MINUTES, some.integers(1, 20 * 24 * 60)).map(
    lambda told: Span(FIRST + told[0] * MINUTE, FIRST + (told[0] + told[1]) * MINUTE)
)
LEAVES = some.builds(
    TimeOff,
    some.sampled_from(ZONES).map(ZoneInfo),
    some.booleans(),
    some.lists(SPANS, max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None)
@given(some.lists(LEAVES, max_size=2).map(tuple), MINUTES, some.integers(0, 5 * 24 * 60))
@example((weekends("America/Havana"),), 94_000, 4_000)
def test_time_is_over_when_it_is_by_the_minutes(leaves: tuple[TimeOff, ...], begun: int, minutes: int):
    moment = FIRST + begun * MINUTE
    over = over_by_minutes(leaves, moment, minutes)
    calendar = Calendar(leaves)
    assert calendar.after(moment, minutes * MINUTE) == over
    assert calendar.counted(moment, over) == minutes * MINUTE
