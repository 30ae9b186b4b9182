"""Defines how long a player may think and what is saved. Pure: it knows no moment and no calendar."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from corr import limits
from corr.words.errors import Refused

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DeploymentStatus:
    """What happened before a turn: whether both sides deploy, and how many deployments clashed."""

    deploys: bool = False
    clashes: int = 0


class TimeControl(Protocol):
    """How a game gives time to its players."""

    def __str__(self) -> str:
        """Return the notation used in a challenge, such as `3d`."""

    @property
    def sentence(self) -> str:
        """Return the pace in words for a person."""

    @property
    def time_control(self) -> str:
        """Return the notation of a PGN file, in moves and seconds."""

    @property
    def bank(self) -> timedelta | None:
        """The time in each side's bank at the start; None if the pace saves nothing."""

    def time(self, bank: timedelta | None) -> timedelta | None:
        """Return how long a turn may take with this bank; None if it has no limit."""

    def saved(self, bank: timedelta | None, left: timedelta) -> timedelta | None:
        """Return the bank after a turn that ended with this time left."""


@dataclass(frozen=True, slots=True)
class DaysPerMove:
    """A number of days for each move; unused time is not saved."""

    days: int

    def __str__(self) -> str:
        return f"{self.days}d"

    @property
    def sentence(self) -> str:
        return "one day for each move" if self.days == 1 else f"{self.days} days for each move"

    @property
    def time_control(self) -> str:
        return f"1/{self.days * 86_400}"

    @property
    def bank(self) -> None:
        return None

    def time(self, bank: timedelta | None) -> timedelta:  # noqa: ARG002  # a pace of the protocol
        return timedelta(days=self.days)

    def saved(self, bank: timedelta | None, left: timedelta) -> None:  # noqa: ARG002  # likewise
        return None


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank for the whole game that grows with each move, up to a cap."""

    bank: timedelta
    increment: timedelta
    cap: timedelta

    def __str__(self) -> str:
        return (
            f"{_abbreviate_span(self.bank)}+{_abbreviate_span(self.increment)}/{_abbreviate_span(self.cap)}"
        )

    @property
    def sentence(self) -> str:
        bank, more, cap = _describe_span(self.bank), _describe_span(self.increment), _describe_span(self.cap)
        return f"{bank} for all moves, plus {more} for each move (a clock never holds more than {cap})"

    @property
    def time_control(self) -> str:
        return f"{_seconds(self.bank)}+{_seconds(self.increment)}"

    def time(self, bank: timedelta | None) -> timedelta:
        return self.bank if bank is None else bank

    def saved(self, bank: timedelta | None, left: timedelta) -> timedelta:  # noqa: ARG002  # a pace of the protocol
        return min(left + self.increment, self.cap)


@dataclass(frozen=True, slots=True)
class DaysWithBank:
    """A number of days for each move, plus a bank that never grows."""

    days: int
    bank: timedelta

    def __str__(self) -> str:
        return f"{self.days}d+bank{_abbreviate_span(self.bank)}"

    @property
    def sentence(self) -> str:
        return f"{DaysPerMove(self.days).sentence}, plus a time bank of {_describe_span(self.bank)}"

    @property
    def time_control(self) -> str:
        return f"1/{self.days * 86_400}"

    def time(self, bank: timedelta | None) -> timedelta:
        return timedelta(days=self.days) + (self.bank if bank is None else bank)

    def saved(self, bank: timedelta | None, left: timedelta) -> timedelta:
        return min(left, self.bank if bank is None else bank)


@dataclass(frozen=True, slots=True)
class NoTimeLimit:
    """No time limit."""

    def __str__(self) -> str:
        return _UNTIMED_NAME

    @property
    def sentence(self) -> str:
        return "no clock"

    @property
    def time_control(self) -> str:
        return "-"

    @property
    def bank(self) -> None:
        return None

    def time(self, bank: timedelta | None) -> None:  # noqa: ARG002  # a pace of the protocol
        return None

    def saved(self, bank: timedelta | None, left: timedelta) -> None:  # noqa: ARG002  # likewise
        return None


@dataclass(frozen=True, slots=True)
class Clock:
    """A game's clock: its pace, what stops it, and who ends the game on time."""

    pace: TimeControl
    claimed: bool = False  # the opponent must claim the game on time
    steady: bool = False  # no weekend, vacation or pause stops the clock

    def __str__(self) -> str:
        words = [
            _LIVE_NAME if self.is_live else str(self.pace),
            *(word for word in _WORDS if getattr(self, _WORDS[word])),
        ]
        return " ".join(words)

    @property
    def sentence(self) -> str:
        """The clock in words for a person."""
        told = [self.pace.sentence]
        if self.is_live:
            told.append("played live on the site")
        if self.claimed:
            told.append("time-outs claimed by the other side")
        if self.steady:
            told.append("without weekends off, vacations and pauses")
        return ", ".join(told)

    @property
    def time_control(self) -> str:
        """The clock in the notation of a PGN file."""
        return self.pace.time_control

    @property
    def is_untimed(self) -> bool:
        """Whether a turn has no time limit."""
        return isinstance(self.pace, NoTimeLimit)

    @property
    def is_live(self) -> bool:
        """Whether the game is played live, in one sitting on the web site."""
        return self.pace == _LIVE

    def time(self, bank: timedelta | None, used: DeploymentStatus) -> timedelta | None:
        """Return this turn's time; a deployment gets at most a week, and half as much after each clash."""
        time = self.pace.time(bank)
        if time is None or not used.deploys:
            return time
        return min(time, self._deployment) / (1 << used.clashes)

    @property
    def _deployment(self) -> timedelta:
        time = self.pace.time(None)
        return time if time and self.pace.bank is None else limits.DEPLOYMENT_TIME


_UNTIMED_NAME = "none"
#: Words that may follow the clock, and the fields they switch on.
_WORDS = {"claim": "claimed", "steady": "steady"}
_LIVE = Bank(timedelta(minutes=15), timedelta(seconds=5), timedelta(minutes=15))
_LIVE_NAME = "live"
_LIVE_SPELLINGS = (_LIVE_NAME, "15m+5s")
_SPAN = r"([1-9]\d{0,3})([dh])"
_BANK = re.compile(rf"{_SPAN}\+(\d{{1,4}})([dh])(?:/{_SPAN})?")
_DAYS = re.compile(r"([1-9]\d{0,3})d(?:\+bank([1-9]\d{0,3})d)?")


def parse_clock(text: str) -> Clock:
    """Parse a clock; raises Refused if the text is not one."""
    written, *words = text.split() or [""]
    unknown = next((word for word in words if word not in _WORDS), None)
    if unknown:
        raise Refused(f'"{unknown}" isn\'t an option of a clock. Write "claim", "steady" or neither.')
    return Clock(_parse_time_control(written), **{_WORDS[word]: True for word in words})


def parse_new_clock(text: str) -> Clock:
    """Parse a clock for a new game; raises Refused if it gives too much time."""
    clock = parse_clock(text)
    pace, why = clock.pace, ""
    if isinstance(pace, DaysPerMove | DaysWithBank) and pace.days > limits.CLOCK_DAYS:
        why = f"a move can have at most {limits.CLOCK_DAYS} days"
    elif isinstance(pace, DaysWithBank) and pace.bank > limits.BANK_CAP:
        why = f"a bank can have at most {_describe_span(limits.BANK_CAP)}"
    elif isinstance(pace, Bank) and not clock.is_live:
        why = _fault(pace)
    if why:
        raise Refused(f'"{text}" isn\'t a clock we offer: {why}.')
    return clock


def _fault(bank: Bank) -> str:
    if bank.bank < _DAY:
        return f'the bank needs at least one day; for live games write "{_LIVE_NAME}"'
    if bank.cap < bank.bank:
        return "the bank starts with more than its maximum"
    if bank.cap > limits.BANK_CAP:
        return f"a bank can have at most {_describe_span(limits.BANK_CAP)}"
    if bank.increment > limits.BANK_INCREMENT:
        return f"a move can add at most {_describe_span(limits.BANK_INCREMENT)}"
    return ""


def _parse_time_control(text: str) -> TimeControl:
    if text == _UNTIMED_NAME:
        return NoTimeLimit()
    if text in _LIVE_SPELLINGS:
        return _LIVE
    if found := _DAYS.fullmatch(text):
        days = int(found[1])
        return DaysWithBank(days, timedelta(days=int(found[2]))) if found[2] else DaysPerMove(days)
    if found := _BANK.fullmatch(text):
        bank = _span(found[1], found[2])
        cap = _span(found[5], found[6]) if found[5] else bank * 3 // 2
        return Bank(bank, _span(found[3], found[4]), cap)
    raise Refused(
        f'"{text}" isn\'t a clock. Write the days for each move, from "1d" to '
        f'"{limits.CLOCK_DAYS}d", or days plus a bank, "3d+bank10d". You can also write a '
        f'bank, what each move adds and its maximum, "30d+1d/45d"; or "{_UNTIMED_NAME}".'
    )


# ---------------------------------------------------------------- reading and writing spans of time

_UNITS = ((_DAY, "d", "day"), (timedelta(hours=1), "h", "hour"), (timedelta(minutes=1), "m", "minute"))
_SECOND = (timedelta(seconds=1), "s", "second")


def _span(count: str, unit: str) -> timedelta:
    return int(count) * (_DAY if unit == "d" else timedelta(hours=1))


def _seconds(span: timedelta) -> int:
    return span // timedelta(seconds=1)


def _format_span(span: timedelta, tell: Callable[[int, str, str], str]) -> str:
    """Tell a span in the largest unit that divides it."""
    length, short, long = next((unit for unit in _UNITS if span and not span % unit[0]), _SECOND)
    return tell(span // length, short, long)


def _abbreviate_span(span: timedelta) -> str:
    return _format_span(span, lambda count, short, _: f"{count}{short}") if span else "0d"


def _describe_span(span: timedelta) -> str:
    if not span:
        return "nothing"
    return _format_span(span, lambda count, _, long: f"{count} {long}{'' if count == 1 else 's'}")
