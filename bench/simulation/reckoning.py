"""A slow model of a player's time, written from docs/play.md alone, without the server's code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOTHING = timedelta()
_UNITS = {"w": 7 * DAY, "d": DAY, "h": HOUR, "m": timedelta(minutes=1)}
_SATURDAY = 5
#: More than any clock gives, or any vacation lasts.
_FOR_EVER = 400


@dataclass(frozen=True)
class Hours:
    """A player's time settings, and whether emails announce turns."""

    zone: str = "UTC"
    weekends: bool = False
    vacations: str = ""
    remind: str = "usual"
    quiet: str = "off"
    goes_on_leave: bool = False
    mailing: str = "each"

    def is_off(self, moment: datetime) -> bool:
        """Whether a moment is in a weekend or a vacation."""
        if self.weekends and moment.astimezone(_zone(self.zone)).weekday() >= _SATURDAY:
            return True
        return any(start <= moment < end for start, end in _spans(self.vacations))

    def breaks(self, day: date) -> Iterator[datetime]:
        """Moments around a day at which it may change whether it is off."""
        if self.weekends:
            yield datetime.combine(day, time(), _zone(self.zone)).astimezone(UTC)

    def is_quiet(self, moment: datetime) -> bool:
        if self.quiet == "off":
            return False
        first, last = map(int, self.quiet.split("-"))
        hour = moment.astimezone(_zone(self.zone)).hour
        return first <= hour < last if first < last else hour >= first or hour < last

    def before_quiet(self, moment: datetime) -> datetime:
        """Ten minutes before the quiet hours around a moment, or the moment itself outside them."""
        if not self.is_quiet(moment):
            return moment
        minute = moment.replace(second=0, microsecond=0)
        while self.is_quiet(minute - timedelta(minutes=1)):
            minute -= timedelta(minutes=1)
        return minute - timedelta(minutes=10)

    def after_quiet(self, moment: datetime) -> datetime:
        minute = moment.replace(second=0, microsecond=0)
        while self.is_quiet(minute):
            minute += timedelta(minutes=1)
        return minute

    def last_calls(self, deadline: datetime, whole: timedelta) -> dict[timedelta, datetime]:
        """When an email has told of a turn at the latest, and when another, by how long before the deadline."""
        calls, earliest = {}, deadline - whole
        for before in (whole / 5, whole / 10):
            at = self.before_quiet(deadline - before)
            calls[before] = earliest = at if at > earliest else deadline - before
        return calls

    def rungs(self, whole: timedelta) -> tuple[timedelta, ...]:
        """How long before a deadline this player is reminded, the longest first."""
        if self.remind == "usual":
            return whole / 2, whole / 5
        if self.remind == "off":
            return ()
        return tuple(
            sorted({int(each[:-1]) * _UNITS[each[-1]] for each in self.remind.split()}, reverse=True)
        )


@lru_cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


@lru_cache
def _spans(text: str) -> tuple[tuple[datetime, datetime], ...]:
    spans = (each.split("/") for each in text.split())
    return tuple((datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in spans)


class Piece(NamedTuple):
    """A stretch of time of which all counts, or nothing."""

    start: datetime
    end: datetime
    counts: bool


def pieces(hours: Hours | None, since: datetime) -> Iterator[Piece]:
    """Time from a moment on, cut at each midnight and where a vacation begins or ends."""
    if hours is None or not (hours.weekends or hours.vacations):
        yield Piece(since, since + _FOR_EVER * DAY, counts=True)
        return
    ends = [moment for span in _spans(hours.vacations) for moment in span]
    day, at = since.date() - DAY, since
    for _ in range(_FOR_EVER):
        midnight = datetime.combine(day, time(), UTC)
        cuts = [*hours.breaks(day), *(each for each in ends if midnight <= each < midnight + DAY)]
        for cut in sorted(cut for cut in cuts if cut > at):
            yield Piece(at, cut, counts=not hours.is_off(at))
            at = cut
        day += DAY
    yield Piece(at, at + _FOR_EVER * DAY, counts=True)


def counted(hours: Hours | None, since: datetime, until: datetime) -> timedelta:
    """How much of the time between two moments counts."""
    sum_ = NOTHING
    for piece in pieces(hours, since):
        if piece.start >= until:
            break
        if piece.counts:
            sum_ += min(piece.end, until) - piece.start
    return sum_


def after(hours: Hours | None, since: datetime, left: timedelta) -> datetime:
    """When this much more time has counted."""
    for piece in pieces(hours, since):
        if piece.counts:
            if left <= piece.end - piece.start:
                return piece.start + left
            left -= piece.end - piece.start
    raise ValueError("nobody has so much time")


@dataclass(frozen=True)
class Clock:
    """A game's clock as it is written."""

    written: str
    words: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, text: str) -> Clock:
        written, *words = text.split()
        return cls(written, tuple(words))

    @property
    def is_timed(self) -> bool:
        return self.written != "none"

    @property
    def has_bank(self) -> bool:
        return "+" in self.written

    def whole(self, bank: timedelta) -> timedelta:
        """How much time a turn has."""
        if "+bank" in self.written:
            return _span(self.written.partition("+")[0]) + bank
        return bank if self.has_bank else _span(self.written)

    def first_bank(self) -> timedelta:
        if "+bank" in self.written:
            return _span(self.written.partition("+bank")[2])
        return _span(self.written.partition("+")[0]) if self.has_bank else NOTHING

    def saved(self, bank: timedelta, left: timedelta) -> timedelta:
        """The bank after a turn with this much time left."""
        if "+bank" in self.written:
            return min(bank, left)
        if not self.has_bank:
            return NOTHING
        more, _, most = self.written.partition("+")[2].partition("/")
        return min(left + _span(more), _span(most))


def _span(text: str) -> timedelta:
    return int(text[:-1]) * _UNITS[text[-1]]
