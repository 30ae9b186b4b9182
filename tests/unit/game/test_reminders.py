"""When a player is reminded of a turn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from corr.game.reminder_times import QuietHours, ReminderSettings, parse_quiet_hours, parse_reminders
from corr.words.errors import Refused

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
PARIS, HAVANA = ZoneInfo("Europe/Paris"), ZoneInfo("America/Havana")


def all_of(reminders: ReminderSettings, begun: datetime, whole: timedelta) -> list[datetime]:
    """Return all reminders of a turn whose player doesn't move."""
    found, after, reminded = [], begun, None
    while reminder := reminders.next_reminder(begun + whole, whole, after, reminded):
        if reminders.newest_due(begun + whole, whole, reminder.at) != reminded:
            found.append(reminder.at)
            reminded = reminders.newest_due(begun + whole, whole, reminder.at)
        after = reminder.at
    return found


@pytest.mark.parametrize(
    ("spans", "days", "hours"),
    [
        ("usual", 10, [120, 192]),
        ("3d 1d 6h", 10, [168, 216, 234]),
        ("6h 1d", 10, [216, 234]),
        ("3d 1d", 2, [24]),  # reminders before the turn are left out
        ("1d 24h", 2, [24]),
        ("off", 10, []),
    ],
)
def test_the_hours_of_all_reminders(spans: str, days: int, hours: list[int]):
    assert all_of(ReminderSettings(parse_reminders(spans)), NOON, days * DAY) == [
        NOON + each * HOUR for each in hours
    ]


@pytest.mark.parametrize(
    ("whole", "quiet", "hours"),
    [
        (72, None, [57.6, 64.8]),
        (72, QuietHours(22, 7), [57.6, 57 + 5 / 6]),
        # Both fall into one night: one comes before it, the other during it.
        (72, QuietHours(20, 8), [55 + 5 / 6, 64.8]),
        # The later one would come before the earlier one.
        (72.375, QuietHours(22, 7), [57.9, 65.1375]),
    ],
)
def test_the_hours_of_the_last_calls(whole: float, quiet: QuietHours | None, hours: list[float]):
    reminders, deadline = ReminderSettings((), quiet), NOON + whole * HOUR
    found, after, reminded = [], NOON, None
    while reminder := reminders.next_reminder(deadline, whole * HOUR, after, reminded):
        found.append(reminder.at)
        after, reminded = reminder.at, reminder.before

    assert found == [NOON + each * HOUR for each in hours]
    assert [len(reminders.due_last_calls(deadline, whole * HOUR, at)) for at in (NOON, *found)] == [0, 1, 2]


def test_a_last_call_comes_in_quiet_hours_if_it_would_come_before_the_turn():
    evening = datetime(2026, 11, 24, 23, tzinfo=UTC)

    reminder = ReminderSettings((), QuietHours(22, 12)).next_reminder(
        evening + 12 * HOUR, 12 * HOUR, evening, None
    )

    assert reminder
    assert reminder.at == evening + 9.6 * HOUR


@pytest.mark.parametrize(
    ("quiet", "planned", "sent"),
    [
        (QuietHours(22, 7), "2026-11-25 23:00", "2026-11-25 21:50"),
        (QuietHours(22, 7), "2026-11-26 06:59", "2026-11-25 21:50"),
        (QuietHours(22, 7), "2026-11-26 07:00", "2026-11-26 07:00"),
        (QuietHours(22, 7), "2026-11-25 21:55", "2026-11-25 21:55"),
        (QuietHours(0, 8), "2026-11-26 03:00", "2026-11-25 23:50"),
        (QuietHours(16, 24), "2026-11-25 20:00", "2026-11-25 15:50"),
        (QuietHours(22, 7, PARIS), "2026-11-25 21:30", "2026-11-25 20:50"),
        (QuietHours(22, 7, HAVANA), "2026-11-26 04:00", "2026-11-26 02:50"),
    ],
)
def test_a_reminder_in_quiet_hours_comes_before_them(quiet: QuietHours, planned: str, sent: str):
    at = datetime.fromisoformat(planned).replace(tzinfo=UTC)
    reminder = ReminderSettings((6 * HOUR,), quiet).next_reminder(at + 6 * HOUR, 5 * DAY, NOON, 7 * HOUR)
    assert reminder
    assert reminder.at == datetime.fromisoformat(sent).replace(tzinfo=UTC)


def test_reminders_of_the_same_night_are_merged():
    night = ReminderSettings((9 * HOUR, 6 * HOUR, 4 * HOUR), QuietHours(22, 7))
    begun, whole = NOON, 20 * HOUR  # until eight in the morning
    assert all_of(night, begun, whole) == [datetime(2026, 11, 24, 21, 50, tzinfo=UTC)]


def test_a_reminder_is_not_repeated_if_the_deadline_moves():
    reminders = ReminderSettings((2 * DAY, DAY))
    due = reminders.newest_due(NOON + 5 * DAY, 5 * DAY, NOON + 3 * DAY)
    assert due == 2 * DAY
    reminder = reminders.next_reminder(NOON + 9 * DAY, 5 * DAY, NOON + 3 * DAY, due)
    assert reminder
    assert reminder.at == NOON + 8 * DAY


@pytest.mark.parametrize(
    ("left", "waits"), [(5 * HOUR, None), (8 * HOUR, datetime(2026, 11, 25, 7, tzinfo=UTC))]
)
def test_a_late_reminder_waits_for_the_morning_if_there_is_time(left: timedelta, waits: datetime | None):
    night = datetime(2026, 11, 25, 0, tzinfo=UTC)
    assert ReminderSettings(None, QuietHours(22, 7)).quiet_until(night + left, night) == waits


@pytest.mark.parametrize(
    ("read", "text", "why"),
    [
        (parse_reminders, "1m", "between 30 minutes"),
        (parse_reminders, "40d", "and 30 days"),
        (parse_reminders, "1d 2d 3d 4d 5d 6d 7d", "7 reminders"),
        (lambda text: parse_quiet_hours(text, UTC), "25-7", "isn't a range of hours"),
        (lambda text: parse_quiet_hours(text, UTC), "24-7", "isn't a range of hours"),
        (lambda text: parse_quiet_hours(text, UTC), "7-7", "too short or too long"),
        (lambda text: parse_quiet_hours(text, UTC), "0-24", "too short or too long"),
        (lambda text: parse_quiet_hours(text, UTC), "7-6", "too short or too long"),
    ],
)
def test_invalid_settings_are_refused(read, text: str, why: str):
    with pytest.raises(Refused, match=why):
        read(text)


def test_valid_settings_are_read():
    assert parse_reminders("1d 3d 6h") == (3 * DAY, DAY, 6 * HOUR)
    assert parse_quiet_hours("22-7", PARIS) == QuietHours(22, 7, PARIS)
    assert (parse_reminders("usual"), parse_quiet_hours("off", UTC)) == (None, None)
