"""Computes a turn's deadline; its clock waits until the player was told (at most: `corr/limits.py`). Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from corr import limits
from corr.game.late_notice import Wait, stopped_span
from corr.game.time_log import DelayReason, TimeLog
from corr.game.time_off import FULL_CALENDAR, Calendar, Span
from corr.words.board import Pair, Side


@dataclass(frozen=True, slots=True)
class ShownTime:
    """What one side sees of a turn's time: its deadline, and how late the other side's email is."""

    deadline: datetime | None
    delay: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class TurnTime:
    """A turn's deadline, if any, and how its clock waits for the sides to move; methods return changed copies."""

    deadline: datetime | None = None
    earliest: datetime | None = None  # the deadline if all sides had been told at once; None if they were
    waits_from: datetime | None = None  # since when the clock waits for the awaited sides to be told
    paused_at: datetime | None = None  # since when the clock is stopped
    outage: Span | None = None  # when the server was down in this turn, which does not count
    calendar: Calendar = FULL_CALENDAR
    waits: Pair[Wait] = field(default=Pair(Wait(), Wait()))
    is_new: bool = False  # whether the emails that tell of the turn have no numbers yet
    # How the deadline came about; None for a turn that began before logs were kept.
    log: TimeLog | None = field(default=None, compare=False)

    @property
    def can_expire(self) -> bool:
        """Whether all awaited sides have been told, or the game has waited as long as it may."""
        return self.waits_from is None or self.earliest is not None

    def clock_moment(self, now: datetime) -> datetime:
        """Return now, or the moment at which the clock was stopped."""
        return self.paused_at or now

    def last_running_moment(self, moment: datetime) -> datetime:
        """Return a moment, or the earlier one at which the clock was stopped."""
        return min(moment, self.paused_at or moment)

    def begun(self, span: timedelta | None, calendar: Calendar, now: datetime) -> TurnTime:
        """Start a turn's time and end the waits of the last turn; a stopped clock stays stopped."""
        until = self.clock_moment(now)
        waits = Pair(self.waits.white.ended(until), self.waits.black.ended(until))
        return TurnTime(
            None if span is None else calendar.after(now, span),
            paused_at=now if self.paused_at else None,
            calendar=calendar,
            waits=waits,
            is_new=True,
            log=_log_hours(TimeLog(now, span), calendar, now),
        )

    def anew(self, before: TurnTime, now: datetime) -> TurnTime:
        """Continue the log of the turn's earlier time, after the turn has got all its time again."""
        log = before.log and _log_hours(before.log.noted(DelayReason.ANEW, now, now), self.calendar, now)
        return replace(self, log=log)

    def final_log(self, came: datetime | None) -> TimeLog | None:
        """Return the final log of a turn, including what goes on as its last order comes."""
        log = self.log
        if log and self.waits_from and self.earliest and self._late:
            log = log.put_off(DelayReason.TOLD, self.waits_from, self.waits_from + max(self._late))
        elif log and self.waits_from and came and self.deadline and came > self.deadline:
            log = log.noted(DelayReason.TOLD, self.waits_from, None)
        return log.noted(DelayReason.PAUSE, self.paused_at, None) if log and self.paused_at else log

    def waiting(self, letters: Mapping[Side, int], now: datetime) -> TurnTime:
        """Wait for each of these sides until its email goes out, if the game may still wait for it."""
        if self.deadline is None:
            return self
        may_wait = [side for side in letters if self.waits[side].left]
        if not may_wait:
            return self
        waits = self._change_waits(may_wait, lambda side, wait: replace(wait, letter=letters[side]))
        return replace(self, waits=waits, waits_from=now)

    def _change_waits(self, sides: Iterable[Side], change: Callable[[Side, Wait], Wait]) -> Pair[Wait]:
        """Return both sides' waits, with those of these sides changed."""
        waits = self.waits
        for side in sides:
            waits = waits.with_value(side, change(side, waits[side]))
        return waits

    def shown(self, side: Side, awaited: Collection[Side], now: datetime) -> ShownTime:
        """Return what a side sees when it is told of its turn now, if not before."""
        # Only the reader of a late email learns when the clock started: perhaps when they opened a page. While both
        # deploy, only emails start it, and both see the same time.
        late = [each for each in awaited if self.waits[each].delayed_from]
        if self.earliest is None or not late:
            return ShownTime(self.earliest if self.earliest and self.waits_from else self.deadline)
        news = self._delay(side.other) if late == [side.other] else ShownTime(None)
        if side not in awaited:
            return news
        if self.waits_from is None or self._has_begun(now):
            return replace(news, deadline=self.deadline)
        wait = now - self.waits_from
        if side.other in awaited:
            wait -= wait % timedelta(hours=1)  # so that a page both sides see changes only once an hour
        return replace(news, deadline=self._earliest_after(wait))

    def _delay(self, late: Side) -> ShownTime:
        """Return how late a side's email is, as the opponent sees it."""
        wait = self.waits[late]
        assert wait.delayed_from
        if wait.letter is None:
            return ShownTime(None, "late")
        return ShownTime(None, "waits", wait.delayed_from + wait.left)

    def paused(self, now: datetime) -> TurnTime:
        return replace(self, paused_at=now)

    def resumed(self, now: datetime) -> TurnTime:
        assert self.paused_at
        return replace(self.stopped(DelayReason.PAUSE, self.paused_at, now), paused_at=None)

    def stopped(self, reason: DelayReason, since: datetime, until: datetime) -> TurnTime:
        """Take out a span in which the clock was stopped: the time left stays, and waits go on."""
        span = until - since

        def put_off(deadline: datetime | None) -> datetime | None:
            return self.calendar.put_off(max(deadline, since), since, until) if deadline else None

        waits = self._change_waits(
            Side, lambda _, wait: replace(wait, delayed_from=_later(wait.delayed_from, span))
        )
        log = self.log and self.log.noted(reason, since, until)
        if self._has_begun(since):
            deadline, earliest = put_off(self.deadline), put_off(self.earliest)
            return replace(self, deadline=deadline, earliest=earliest, waits=waits, log=log)
        assert self.waits_from
        return replace(self._with_wait_from(self.waits_from + span, self.calendar), waits=waits, log=log)

    def credited(self, outage: Span) -> TurnTime:
        """Give back the time the server was down in this turn."""
        # After the system clock was set back, an outage has no length, and an earlier one may lie in the future.
        before = self.outage
        if outage.start == outage.end:
            return self if before is None or before.end <= outage.end else replace(self, outage=None)
        if self.paused_at or self.deadline is None or self.deadline <= outage.start:
            return self
        whole = Span(before.start, outage.end) if before and before.end == outage.start else outage
        return replace(self.stopped(DelayReason.OUTAGE, *outage), outage=whole)

    def left_at(self, since: datetime) -> timedelta:
        """Return the time left at a moment, which may lie within or before the last outage."""
        assert self.deadline
        left = self.calendar.counted(since, self.deadline)
        if self.outage and since < self.outage.end:
            left -= self.calendar.counted(max(since, self.outage.start), self.outage.end)
        return left

    def change_calendar(self, calendar: Calendar, now: datetime) -> TurnTime:
        """Change to another calendar from now on, keeping the time left."""
        since = self.clock_moment(now)

        def moved(deadline: datetime | None) -> datetime | None:
            if deadline is None or deadline <= since:
                return deadline
            return calendar.after(since, self.calendar.counted(since, deadline))

        if self._has_begun(since):
            by_it = replace(self, deadline=moved(self.deadline), earliest=moved(self.earliest))
        else:
            assert self.waits_from
            by_it = self._with_wait_from(self.waits_from, calendar)
        log = self.log and self.log.noted(DelayReason.HOURS, since, since)
        return replace(by_it, calendar=calendar, log=log)

    def _has_begun(self, now: datetime) -> bool:
        """Whether the clock runs at a moment: it waits for nobody, or has waited as long as it may."""
        return self.waits_from is None or (bool(self._late) and self.waits_from + max(self._late) <= now)

    @property
    def _late(self) -> list[timedelta]:
        """How long the clock waits for each side whose email is known to be late."""
        return [each.left for each in (self.waits.white, self.waits.black) if each.delayed_from]

    def _with_wait_from(self, waits_from: datetime, calendar: Calendar) -> TurnTime:
        """Begin the wait at another moment or by another calendar, and recompute the deadline."""
        earliest = self.earliest or self.deadline
        if earliest is None:
            return replace(self, waits_from=waits_from)
        assert self.waits_from
        whole = self.calendar.counted(self.waits_from, earliest)
        return replace(
            self,
            deadline=calendar.after(waits_from + max(self._late, default=timedelta()), whole),
            earliest=calendar.after(waits_from, whole) if self.earliest else None,
            waits_from=waits_from,
        )

    def with_time_left(self, span: timedelta, calendar: Calendar, now: datetime) -> TurnTime:
        """Leave this much time from now on, by a calendar; the awaited sides were told of the turn."""
        waits = Pair(self.waits.white.ended(now), self.waits.black.ended(now))
        log = self.log and _log_hours(self.log.put_off(DelayReason.LEAVE, now, now + span), calendar, now)
        return TurnTime(calendar.after(now, span), calendar=calendar, waits=waits, log=log)

    def extended(self, span: timedelta, now: datetime) -> TurnTime:
        """Add time to this turn, counted from now if it had run out."""
        assert self.deadline
        since = self.clock_moment(now)
        log = self.log and self.log.put_off(DelayReason.OPERATOR, since, since + span)
        deadline = max(self.deadline, since) + span
        return replace(self, deadline=deadline, earliest=_later(self.earliest, span), log=log)

    def settled(self, awaited: Iterable[Side], heard: Mapping[Side, datetime]) -> TurnTime:
        """Start the clock if all sides to move have heard of their turn."""
        waiting = [side for side in awaited if self.waits[side].letter]
        if self.waits_from is None or any(side not in heard for side in waiting):
            return self
        told = max((heard[side] for side in waiting), default=self.waits_from)
        most = max((self.waits[side].left for side in waiting), default=limits.LATE_EMAIL_WAIT)
        wait = stopped_span(self.waits_from, told, most)
        has_begun = self._has_begun(told)
        deadline = self.deadline if has_begun else self._earliest_after(wait)
        until = self.waits_from + (max(self._late) if has_begun else wait)
        log = self.log and self.log.put_off(DelayReason.TOLD, self.waits_from, until)
        running = replace(self, deadline=deadline, waits_from=None, log=log)
        if any(self.waits[side].delayed_from for side in awaited):
            return running
        waits = self._change_waits(waiting, lambda _, told: Wait(held=told.held + wait))
        return replace(running, earliest=None, waits=waits)

    def wait_after_bounce(
        self, side: Side, letter: int, since: datetime, whole: timedelta, now: datetime, most: timedelta
    ) -> TurnTime:
        """Give back the time a side lost since the email about its turn, which bounced, and wait again."""
        # This counts as waiting, so `most` and the wait that is left limit it, and the whole turn limits the time left.
        wait, until = self.waits[side], self.clock_moment(now)
        if self.deadline is None or self.waits_from or not wait.left:
            return self
        begun = max(since, until - min(wait.left, most))
        left = max(min(self.left_at(begun), whole), self.left_at(until))
        held = wait.held + max(until - begun, timedelta())
        waits = self.waits.with_value(side, Wait(letter, held=held))
        deadline = self.calendar.after(until, left)
        log = self.log and self.log.put_off(DelayReason.TOLD, until - (deadline - self.deadline), until)
        return replace(self, deadline=deadline, earliest=None, waits_from=until, waits=waits, log=log)

    def without_wait(self, side: Side) -> TurnTime:
        """Stop waiting for this side, keeping the total wait."""
        return replace(self, waits=self.waits.with_value(side, Wait(held=self.waits[side].held)))

    def delayed(self, awaited: Iterable[Side], late: Iterable[Side]) -> TurnTime:
        """Wait, within the limit, until it is known when the readers of late emails were told."""
        waits = self._change_waits(late, lambda _, wait: replace(wait, delayed_from=self.waits_from))
        return self._wait_for_last_side(awaited, waits)

    def limit_wait(self, awaited: Iterable[Side], side: Side, until: datetime) -> TurnTime:
        """Let the game wait for a side until a moment and no longer."""
        return self._wait_for_last_side(
            awaited, self.waits.with_value(side, self.waits[side].use_up_wait(until))
        )

    def _wait_for_last_side(self, awaited: Iterable[Side], waits: Pair[Wait]) -> TurnTime:
        """Put the deadline off by the longest wait for an awaited side."""
        most = max(waits[side].left for side in awaited if waits[side].delayed_from)
        earliest = self.earliest or self.deadline
        return replace(self, deadline=self._earliest_after(most), earliest=earliest, waits=waits)

    def counted(self, delivered_at: Mapping[Side, datetime], now: datetime) -> TurnTime:
        """Count how long the game waited for these sides, whose emails went out late."""
        until = self.clock_moment(now)
        waits = self._change_waits(
            delivered_at, lambda side, wait: wait.counted(min(delivered_at[side], until))
        )
        return replace(self, waits=waits)

    def mark_told(self, sides: Iterable[Side]) -> TurnTime:
        """Note that these sides know that their emails are no longer late."""
        return replace(self, waits=self._change_waits(sides, lambda _, wait: replace(wait, letter=None)))

    def sealed(self, side: Side, now: datetime) -> TurnTime:
        """End the wait for the first of two sides to write; only the other is still awaited."""
        # An order shows that its side was told of the turn.
        own, until = self.waits[side], self.clock_moment(now)
        time = replace(self, waits=self.waits.with_value(side, own.ended(until)))
        is_held_up = own.delayed_from and not self.waits[side.other].is_untold
        if not (is_held_up and self.earliest and self.waits_from):
            return time
        wait = stopped_span(self.waits_from, until, own.left)
        log = self.log and self.log.put_off(DelayReason.TOLD, self.waits_from, self.waits_from + wait)
        return replace(time, earliest=self._earliest_after(wait), waits_from=self.waits_from + wait, log=log)

    def _earliest_after(self, wait: timedelta) -> datetime:
        """Return the deadline if the awaited side was told of the turn after this wait."""
        earliest = self.earliest or self.deadline
        assert earliest
        assert self.waits_from
        return self.calendar.put_off(earliest, self.waits_from, self.waits_from + wait)


def _log_hours(log: TimeLog, calendar: Calendar, now: datetime) -> TimeLog:
    """Log that weekends or vacations don't count from now on, if any are set."""
    return log.noted(DelayReason.HOURS, now, now) if calendar.leaves else log


def _later(moment: datetime | None, span: timedelta) -> datetime | None:
    return moment + span if moment else None
