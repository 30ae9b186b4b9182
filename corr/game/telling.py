"""From when on a turn's time runs: from when its side was told of it, seven days a game later at most. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from corr import limits
from corr.words.board import Pair, Side


@dataclass(frozen=True, slots=True)
class Wait:
    """How a game waits for one side: which letter tells of the turn, since when that is late, how long in all."""

    letter: int | None = None  # none where there is nothing to wait for
    delayed_from: datetime | None = None
    held: timedelta = timedelta()

    @property
    def is_untold(self) -> bool:
        """True while the letter is late and nobody was told that it went out."""
        return self.delayed_from is not None and self.letter is not None

    @property
    def left(self) -> timedelta:
        """For how long the game still waits for this side."""
        return max(limits.WAIT_FOR_LATE_LETTERS - self.held, timedelta())

    def counted(self, until: datetime) -> Wait:
        """As long as it has waited until a moment is counted."""
        assert self.delayed_from
        wait = waited(self.delayed_from, until, self.left)
        return replace(self, delayed_from=self.delayed_from + wait, held=self.held + wait)

    def ended(self, until: datetime) -> Wait:
        """Nobody waits for this side any more; for how long the game has waited is kept."""
        return Wait(held=(self.counted(until) if self.is_untold else self).held)


@dataclass(frozen=True, slots=True)
class Shown:
    """What one side is shown of a turn's time: its deadline, and how late the other side is told of the turn."""

    deadline: datetime | None
    delay: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Time:
    """A turn's time: its deadline, and when whoever is awaited is reminded; how it waits until they are told of it.

    Who is to be told of a new turn is known once the letters about it have their numbers.
    """

    deadline: datetime | None = None
    earliest: datetime | None = None  # the deadline if all had been told at once, where somebody was not
    waits_from: datetime | None = None  # since when it waits until who is awaited is told
    remind_at: datetime | None = None
    paused_at: datetime | None = None  # since when no time runs
    waits: Pair[Wait] = field(default=Pair(Wait(), Wait()))
    is_new: bool = False

    @property
    def may_run_out(self) -> bool:
        """Whether all who are awaited have been told, or the game has waited for them as long as it can."""
        return self.waits_from is None or self.earliest is not None

    def stands_at(self, now: datetime) -> datetime:
        """Now, or the moment at which the time was stopped."""
        return self.paused_at or now

    def begun(self, deadline: datetime | None, remind_at: datetime | None, now: datetime) -> Time:
        """A turn's time begins, and nobody need be told of the last turn; where it stands, it stands from now on."""
        until = self.stands_at(now)
        waits = Pair(self.waits.white.ended(until), self.waits.black.ended(until))
        paused_at = now if self.paused_at else None
        return Time(deadline, remind_at=remind_at, paused_at=paused_at, waits=waits, is_new=True)

    def waiting(self, letters: Mapping[Side, int], now: datetime) -> Time:
        """Each of these sides is told when its letter goes out, as far as the game still waits for it."""
        waits = self.waits
        for side, letter in letters.items():
            if waits[side].left:
                waits = waits.but(side, replace(waits[side], letter=letter))
        return self if waits is self.waits else replace(self, waits=waits, waits_from=now)

    def shown(self, side: Side, awaited: Collection[Side], now: datetime) -> Shown:
        """What a side is shown that is told of its turn now, if it was not before.

        Where a letter was late, only its reader learns when the time began: that may have been by opening a page.
        While both deploy, letters alone begin it, and both are shown the one time.
        """
        late = [each for each in awaited if self.waits[each].delayed_from]
        if self.earliest is None or not late:
            return Shown(self.earliest if self.earliest and self.waits_from else self.deadline)
        news = self._delay(side.other) if late == [side.other] else Shown(None)
        if side not in awaited:
            return news
        if self.waits_from is None:
            return replace(news, deadline=self.deadline)
        wait = waited(self.waits_from, now, max(self.waits[each].left for each in late))
        return replace(news, deadline=self.earliest + (_in_hours(wait) if side.other in awaited else wait))

    def _delay(self, late: Side) -> Shown:
        """How late a side is told of its turn, as the other is shown it."""
        wait = self.waits[late]
        assert wait.delayed_from
        return Shown(None, "waits", wait.delayed_from + wait.left) if wait.letter else Shown(None, "late")

    # ------------------------------------------------------------ it stands, runs on, or is more

    def paused(self, now: datetime) -> Time:
        """From now on no time runs."""
        return replace(self, paused_at=now)

    def resumed(self, now: datetime) -> Time:
        """The time runs again: what was left of it when it was stopped is left now."""
        assert self.paused_at
        span = now - self.paused_at
        return replace(
            self,
            deadline=max(self.deadline, self.paused_at) + span if self.deadline else None,
            earliest=_later(self.earliest, span),
            waits_from=_later(self.waits_from, span),
            remind_at=_later(self.remind_at, span),
            paused_at=None,
            waits=Pair(*(_put_off(self.waits[side], span) for side in Side)),
        )

    def extended(self, span: timedelta, now: datetime) -> Time:
        """More time for this turn; where it had run out, from now on."""
        assert self.deadline
        return replace(
            self,
            deadline=max(self.deadline, self.stands_at(now)) + span,
            earliest=_later(self.earliest, span),
            remind_at=_later(self.remind_at, span),
        )

    # ------------------------------------------------------------ it waits until somebody is told

    def settled(self, awaited: Iterable[Side], heard: Mapping[Side, datetime]) -> Time:
        """The time runs from when all who are awaited heard of their turn, if they did."""
        waiting = [side for side in awaited if self.waits[side].letter]
        if self.waits_from is None or any(side not in heard for side in waiting):
            return self
        told = max((heard[side] for side in waiting), default=self.waits_from)
        most = max((self.waits[side].left for side in waiting), default=limits.WAIT_FOR_LATE_LETTERS)
        wait = waited(self.waits_from, told, most)
        assert self.deadline
        running = replace(self._due((self.earliest or self.deadline) + wait), waits_from=None)
        if any(self.waits[side].delayed_from for side in awaited):
            return running
        waits = self.waits
        for side in waiting:
            waits = waits.but(side, Wait(held=waits[side].held + wait))
        return replace(running, earliest=None, waits=waits)

    def delayed(self, awaited: Iterable[Side], late: Iterable[Side]) -> Time:
        """Letters are late: the time waits, as long as it can, until it is known when their readers were told."""
        waits = self.waits
        for side in late:
            waits = waits.but(side, replace(waits[side], delayed_from=self.waits_from))
        earliest = self.earliest or self.deadline
        assert earliest
        most = max(waits[side].left for side in awaited if waits[side].delayed_from)
        return replace(self._due(earliest + most), earliest=earliest, waits=waits)

    def counted(self, handed_over: Mapping[Side, datetime], now: datetime) -> Time:
        """For how long the game has waited for these, whose letters went out late, is counted."""
        waits = self.waits
        for side, moment in handed_over.items():
            waits = waits.but(side, waits[side].counted(min(moment, self.stands_at(now))))
        return replace(self, waits=waits)

    def told(self, sides: Iterable[Side]) -> Time:
        """These know that their letters are no longer late."""
        waits = self.waits
        for side in sides:
            waits = waits.but(side, replace(waits[side], letter=None))
        return replace(self, waits=waits)

    def sealed(self, side: Side, now: datetime) -> Time:
        """Of two who were awaited this one has written, as one does who was told, and the other is awaited alone."""
        own, until = self.waits[side], self.stands_at(now)
        time = replace(self, waits=self.waits.but(side, own.ended(until)))
        is_held_up = own.delayed_from and not self.waits[side.other].is_untold
        if not (is_held_up and self.earliest and self.waits_from):
            return time
        wait = waited(self.waits_from, until, own.left)
        return replace(time, earliest=self.earliest + wait, waits_from=self.waits_from + wait)

    def _due(self, deadline: datetime) -> Time:
        """Another deadline; the reminder keeps its distance from it."""
        assert self.deadline
        return replace(self, deadline=deadline, remind_at=_later(self.remind_at, deadline - self.deadline))


def waited(since: datetime, told: datetime, most: timedelta) -> timedelta:
    """For how long a turn's time did not run."""
    return min(max(told - since, timedelta()), most)


def _later(moment: datetime | None, span: timedelta) -> datetime | None:
    return moment + span if moment else None


def _put_off(wait: Wait, span: timedelta) -> Wait:
    return replace(wait, delayed_from=_later(wait.delayed_from, span))


def _in_hours(span: timedelta) -> timedelta:
    """So that a page which both look at changes once an hour only."""
    return span - span % timedelta(hours=1)
