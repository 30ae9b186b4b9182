"""Defines how long a player may think: days for each move and time banks (limits: `corr/limits.py`). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from corr import limits
from corr.words.errors import Refused

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DeploymentStatus:
    """What happened before a turn: whether both sides deploy, and how many deployments clashed."""

    deploys: bool = False
    clashes: int = 0


@dataclass(frozen=True, slots=True)
class Pace:
    """Days for each move, a bank, or both; with neither, a turn has no time limit."""

    days: int = 0
    bank: timedelta | None = None  # in each side's bank at the start
    increment: timedelta = timedelta()  # by which the bank grows with each move
    cap: timedelta | None = None  # up to which the bank grows; None for one that never grows

    def __str__(self) -> str:
        """Return the notation used in a challenge, such as `3d`."""
        if self.bank is None:
            return f"{self.days}d" if self.days else _UNTIMED_NAME
        bank = _abbreviate_span(self.bank)
        if self.cap is None:
            return f"{self.days}d+bank{bank}"
        return f"{bank}+{_abbreviate_span(self.increment)}/{_abbreviate_span(self.cap)}"

    @property
    def sentence(self) -> str:
        """The pace in words for a person."""
        days = "one day for each move" if self.days == 1 else f"{self.days} days for each move"
        if self.bank is None:
            return days if self.days else "no clock"
        bank = _describe_span(self.bank)
        if self.cap is None:
            return f"{days}, plus a time bank of {bank}"
        more, cap = _describe_span(self.increment), _describe_span(self.cap)
        return f"{bank} for all moves, plus {more} for each move (a clock never holds more than {cap})"

    @property
    def time_control(self) -> str:
        """The notation of a PGN file, in moves and seconds."""
        if self.days:
            return f"1/{self.days * 86_400}"
        return "-" if self.bank is None else f"{_seconds(self.bank)}+{_seconds(self.increment)}"

    def time(self, bank: timedelta | None) -> timedelta | None:
        """Return how long a turn may take with this bank; None if it has no limit."""
        days = timedelta(days=self.days)
        if self.bank is None:
            return days or None
        return days + (self.bank if bank is None else bank)

    def saved(self, bank: timedelta | None, left: timedelta) -> timedelta | None:
        """Return the bank after a turn that ended with this time left; None if the pace saves nothing."""
        if self.bank is None:
            return None
        if self.cap is None:
            return min(left, self.bank if bank is None else bank)
        return min(left + self.increment, self.cap)


@dataclass(frozen=True, slots=True)
class Clock:
    """A game's clock: its pace, what stops it, and who ends the game on time."""

    pace: Pace
    claimed: bool = False  # the opponent must claim the game on time
    steady: bool = False  # no weekend, vacation or pause stops the clock

    def __str__(self) -> str:
        words = [
            _LIVE_NAME if self.is_live else str(self.pace),
            *(word for word in _OPTION_FIELDS if getattr(self, _OPTION_FIELDS[word])),
        ]
        return " ".join(words)

    @property
    def sentence(self) -> str:
        """The clock in words for a person."""
        told = [self.pace.sentence]
        if self.is_live:
            told.append("played live on the site")
        if self.claimed:
            told.append("no win on time unless claimed")
        if self.steady:
            told.append("no weekends off, vacations or pauses")
        return ", ".join(told)

    @property
    def time_control(self) -> str:
        """The clock in the notation of a PGN file."""
        return self.pace.time_control

    @property
    def is_untimed(self) -> bool:
        """Whether a turn has no time limit."""
        return self.pace == _UNTIMED

    @property
    def is_live(self) -> bool:
        """Whether the game is played live, in one sitting on the web site."""
        return self.pace == _LIVE

    def time(self, bank: timedelta | None, used: DeploymentStatus) -> timedelta | None:
        """Return this turn's time; a deployment gets at most a week, and half as much after each clash."""
        time = self.pace.time(bank)
        if time is None or not used.deploys:
            return time
        if self.pace.bank is not None:
            time = min(time, limits.DEPLOYMENT_TIME)
        return time / (1 << used.clashes)


_UNTIMED, _UNTIMED_NAME = Pace(), "none"
#: Words that may follow the clock, and the fields they switch on.
_OPTION_FIELDS = {"claim": "claimed", "steady": "steady"}
_LIVE = Pace(0, timedelta(minutes=15), timedelta(seconds=5), timedelta(minutes=15))
_LIVE_NAME = "live"
_LIVE_SPELLINGS = (_LIVE_NAME, "15m+5s")
_SPAN = r"([1-9]\d{0,3})([dh])"
_BANK = re.compile(rf"{_SPAN}\+(\d{{1,4}})([dh])(?:/{_SPAN})?")
_DAYS = re.compile(r"([1-9]\d{0,3})d(?:\+bank([1-9]\d{0,3})d)?")


@lru_cache(maxsize=256)
def parse_clock(text: str) -> Clock:
    """Parse a clock; raises Refused if the text is not one."""
    written, *words = text.split() or [""]
    unknown = next((word for word in words if word not in _OPTION_FIELDS), None)
    if unknown:
        raise Refused(f'"{unknown}" isn\'t an option of a clock. Write "claim", "steady" or neither.')
    return Clock(_parse_pace(written), **{_OPTION_FIELDS[word]: True for word in words})


def parse_new_clock(text: str) -> Clock:
    """Parse a clock for a new game; raises Refused if it gives too much time."""
    clock = parse_clock(text)
    if why := "" if clock.is_live else _fault(clock.pace):
        raise Refused(f'"{text}" isn\'t a clock we offer: {why}.')
    return clock


def _fault(pace: Pace) -> str:
    """Say why we don't offer a pace for new games; empty if we do."""
    bank = pace.bank or timedelta()
    most = bank if pace.cap is None else pace.cap
    if pace.days > limits.CLOCK_DAYS:
        return f"a move can have at most {limits.CLOCK_DAYS} days"
    if pace.cap is not None and bank < _DAY:
        return f'the bank needs at least one day; for live games write "{_LIVE_NAME}"'
    if most < bank:
        return "the bank starts with more than its maximum"
    if most > limits.BANK_CAP:
        return f"a bank can have at most {_describe_span(limits.BANK_CAP)}"
    if pace.increment > limits.BANK_INCREMENT:
        return f"a move can add at most {_describe_span(limits.BANK_INCREMENT)}"
    return ""


def _parse_pace(text: str) -> Pace:
    if text == _UNTIMED_NAME:
        return _UNTIMED
    if text in _LIVE_SPELLINGS:
        return _LIVE
    if found := _DAYS.fullmatch(text):
        return Pace(int(found[1]), timedelta(days=int(found[2])) if found[2] else None)
    if found := _BANK.fullmatch(text):
        bank = _span(found[1], found[2])
        cap = _span(found[5], found[6]) if found[5] else bank * 3 // 2
        return Pace(0, bank, _span(found[3], found[4]), cap)
    raise Refused(
        f'"{text}" isn\'t a clock. Write the days for each move, "1d" to "{limits.CLOCK_DAYS}d", or add '
        f'days for the game: "3d+bank10d". "30d+1d/45d" is 30 days for all moves and 1 more '
        f'for each, up to 45; "{_UNTIMED_NAME}" means no clock.'
    )


_UNITS = ((_DAY, "d", "day"), (timedelta(hours=1), "h", "hour"), (timedelta(minutes=1), "m", "minute"))
_SECOND = (timedelta(seconds=1), "s", "second")


def _span(count: str, unit: str) -> timedelta:
    return int(count) * (_DAY if unit == "d" else timedelta(hours=1))


def _seconds(span: timedelta) -> int:
    return span // timedelta(seconds=1)


def _format_span(span: timedelta, tell: Callable[[int, str, str], str]) -> str:
    """Write a span in the largest unit that divides it."""
    length, short, long = next((unit for unit in _UNITS if span and not span % unit[0]), _SECOND)
    return tell(span // length, short, long)


def _abbreviate_span(span: timedelta) -> str:
    return _format_span(span, lambda count, short, _: f"{count}{short}") if span else "0d"


def _describe_span(span: timedelta) -> str:
    if not span:
        return "nothing"
    return _format_span(span, lambda count, _, long: f"{count} {long}{'' if count == 1 else 's'}")
