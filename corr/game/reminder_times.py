"""Decides when a player is reminded of a turn; the default times are in `corr/limits.py`. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from corr import limits
from corr.game.time_off import Span, TimeOff
from corr.words.errors import Refused

_DAY = timedelta(days=1)
_UNITS = {"w": 7 * _DAY, "d": _DAY, "h": timedelta(hours=1), "m": timedelta(minutes=1)}
USUAL, NEVER = "usual", "off"  # how default or switched-off quiet hours and reminders are written


class PlannedReminder(NamedTuple):
    """A reminder: when it is sent, and how long before the deadline the player wanted it."""

    at: datetime
    before: timedelta


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of a day, in a zone, in which no reminder is sent; they never fill a day."""

    first: int
    last: int
    zone: tzinfo = UTC

    def around(self, moment: datetime) -> Span | None:
        """Return the quiet hours that contain a moment; None if there are none."""
        today = moment.astimezone(self.zone).date()
        for day in (today, today - _DAY):
            last = day if self.first < self.last else day + _DAY
            quiet = Span(self._hour(day, self.first), self._hour(last, self.last))
            if quiet.start <= moment < quiet.end:
                return quiet
        return None

    def _hour(self, day: date, hour: int) -> datetime:
        """Return the moment of an hour of a day in the player's zone, in UTC."""
        shown = datetime.combine(day, time(), self.zone) + timedelta(hours=hour)
        return shown.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class ReminderSettings:
    """A player's reminders: how long before each deadline, or by parts of the time; and the quiet hours."""

    spans: tuple[timedelta, ...] | None = None
    quiet: QuietHours | None = None

    def next_reminder(
        self, deadline: datetime, whole: timedelta, after: datetime, reminded: timedelta | None
    ) -> PlannedReminder | None:
        """Return the next reminder after a moment, or the next last call; None if none is left."""
        # It must be nearer the deadline than the one used last.
        reminders = sorted((*self._own_reminders(deadline, whole), *self._last_calls(deadline, whole)))
        for each in reminders:
            if each.at > after and (reminded is None or each.before < reminded):
                return each
        return None

    def newest_due(self, deadline: datetime, whole: timedelta, now: datetime) -> timedelta | None:
        """Return the latest of the player's own reminders that is due, as time before the deadline."""
        return min(
            (each.before for each in self._own_reminders(deadline, whole) if each.at <= now), default=None
        )

    def due_last_calls(self, deadline: datetime, whole: timedelta, now: datetime) -> list[timedelta]:
        """Return the last calls (final emails about a turn) due by now, as times before the deadline."""
        return [each.before for each in self._last_calls(deadline, whole) if each.at <= now]

    def count_left(self, deadline: datetime, whole: timedelta, now: datetime) -> int:
        """Count the player's own reminders that are still to come."""
        return sum(each.at > now for each in self._own_reminders(deadline, whole))

    def quiet_until(self, deadline: datetime, now: datetime) -> datetime | None:
        """Return when quiet hours end for a late reminder, if enough time is left then; else None."""
        quiet = self.quiet.around(now) if self.quiet else None
        return quiet.end if quiet and quiet.end + limits.REMIND_AFTER_QUIET <= deadline else None

    def _own_reminders(self, deadline: datetime, whole: timedelta) -> Iterator[PlannedReminder]:
        """Yield the player's own reminders of a turn, the earliest first."""
        usual = tuple(whole * (1 - part) for part in limits.REMINDER_FRACTIONS)
        for before in sorted(usual if self.spans is None else self.spans, reverse=True):
            at = deadline - before
            yield PlannedReminder(self._before_quiet(at), before)

    def _last_calls(self, deadline: datetime, whole: timedelta) -> Iterator[PlannedReminder]:
        """Yield the last calls, before quiet hours unless the turn or another last call begins later."""
        earliest = deadline - whole
        for part in limits.LAST_CALL_FRACTIONS:
            before = whole * (1 - part)
            at = self._before_quiet(deadline - before)
            earliest = at if at > earliest else deadline - before
            yield PlannedReminder(earliest, before)

    def _before_quiet(self, at: datetime) -> datetime:
        """Move a reminder that falls into quiet hours to just before them."""
        quiet = self.quiet.around(at) if self.quiet else None
        return quiet.start - limits.REMIND_BEFORE_QUIET if quiet else at


def parse_reminders(text: str) -> tuple[timedelta, ...] | None:
    """Parse how long before a deadline to remind, `3d 1d 6h`; raises Refused if that is not possible."""
    if text == USUAL:
        return None
    spans = [] if text == NEVER else [int(each[:-1]) * _UNITS[each[-1]] for each in text.split()]
    if len(spans) > limits.MOST_REMINDERS:
        raise Refused(f"That is {len(spans)} reminders. A turn can have at most {limits.MOST_REMINDERS}.")
    if any(not limits.LATEST_REMINDER <= each <= limits.EARLIEST_REMINDER for each in spans):
        raise Refused("A reminder must come between 30 minutes and 30 days before the deadline.")
    return tuple(sorted(set(spans), reverse=True))


def parse_quiet_hours(text: str, zone: tzinfo) -> QuietHours | None:
    """Parse the hours in which no reminder is sent, `22-7`; raises Refused if that is not possible."""
    if text == NEVER:
        return None
    first, last = map(int, text.split("-"))
    if max(first, last) > _HOURS_A_DAY or first == _HOURS_A_DAY:
        raise Refused(f'"{text}" isn\'t a range of hours. Write two hours from 0 to 24, as in "quiet 22-7".')
    length = (last - first) % _HOURS_A_DAY
    if not 0 < length <= limits.QUIET_HOURS:
        raise Refused(
            f'"{text}" is too short or too long. Quiet hours can last from 1 to '
            f"{limits.QUIET_HOURS} hours a day."
        )
    return QuietHours(first, last, zone)


_HOURS_A_DAY = 24


@dataclass(frozen=True, slots=True)
class TimeSettings:
    leave: TimeOff = field(default=TimeOff())
    reminders: ReminderSettings = field(default=ReminderSettings())
    goes_on_leave: bool = False  # automatically, when the time would run out


DEFAULT_TIME_SETTINGS = TimeSettings()
