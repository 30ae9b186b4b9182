"""From when on a turn's time runs: from when its side was told of it, seven days a game later at most. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

#: For so long, over all its turns, a game waits until a side is told.
MOST = timedelta(days=7)
#: After so long without having been handed over a letter is late, and the other side is told.
SOON = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Time:
    """A turn's deadline; what it were if all had been told at once; since when it waits until they are."""

    deadline: datetime | None
    earliest: datetime | None
    waits_from: datetime | None


@dataclass(frozen=True, slots=True)
class Told:
    """One side, as both know of it: whether it is awaited, whether its letter is under way, since when it was late."""

    awaited: bool
    waits: bool
    delayed_from: datetime | None
    held: timedelta

    @property
    def is_delayed(self) -> bool:
        return self.awaited and self.delayed_from is not None


@dataclass(frozen=True, slots=True)
class Shown:
    """What one side is shown of a turn's time: its deadline, and how late the other side is told of the turn."""

    deadline: datetime | None
    delay: str = ""
    until: datetime | None = None


def left(held: timedelta) -> timedelta:
    """For how long a game still waits for a side that it has waited for already."""
    return max(MOST - held, timedelta())


def waited(since: datetime, told: datetime, most: timedelta) -> timedelta:
    """For how long a turn's time did not run."""
    return min(max(told - since, timedelta()), most)


def shown(time: Time, own: Told, other: Told, now: datetime) -> Shown:
    """What a side is shown that is told of its turn now, if it was not before.

    Where a letter was late, only its reader learns when the time began: that may have been by opening a page.
    While both deploy, letters alone begin it, and both are shown the one time.
    """
    late = [each for each in (own, other) if each.is_delayed]
    if time.earliest is None or not late:
        return Shown(time.earliest if time.earliest and time.waits_from else time.deadline)
    news = _of_the_other(other) if other in late and not own.is_delayed else Shown(None)
    if not own.awaited:
        return news
    if time.waits_from is None:
        return replace(news, deadline=time.deadline)
    most = max(left(each.held) for each in late)
    wait = waited(time.waits_from, now, most)
    return replace(news, deadline=time.earliest + (_in_hours(wait) if other.awaited else wait))


def _of_the_other(other: Told) -> Shown:
    assert other.delayed_from
    until = other.delayed_from + left(other.held) if other.waits else None
    return Shown(None, "waits" if other.waits else "late", until)


def _in_hours(span: timedelta) -> timedelta:
    """So that a page which both look at changes once an hour only."""
    return span - span % timedelta(hours=1)
