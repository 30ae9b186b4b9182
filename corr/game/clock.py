"""How long a player may think. Pure: the present moment is always an argument."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from corr import limits
from corr.words.errors import Refused


@dataclass(frozen=True, slots=True)
class Used:
    """What came before a turn: how many moves its side has made, and how often both deployed in vain."""

    moves: int = 0
    clashes: int = 0


class Clock(Protocol):
    """What every clock of a correspondence game can say."""

    def __str__(self) -> str:
        """The clock as it is written in a challenge, `3d`."""

    @property
    def sentence(self) -> str:
        """The clock as a person reads it."""

    @property
    def time_control(self) -> str:
        """The clock as a PGN file names it, moves and seconds."""

    def deadline(self, since: datetime, used: Used) -> datetime:
        """When the flag falls for a side whose turn began at a moment."""

    def reminder(self, since: datetime, used: Used) -> datetime:
        """When that side is reminded, once."""


@dataclass(frozen=True, slots=True)
class DaysPerMove:
    """So many days for each move; what is left over is not saved, and each clash halves the next deployment."""

    days: int

    def __str__(self) -> str:
        return f"{self.days}d"

    @property
    def sentence(self) -> str:
        return "one day for each move" if self.days == 1 else f"{self.days} days for each move"

    @property
    def time_control(self) -> str:
        return f"1/{self.days * 86_400}"

    def deadline(self, since: datetime, used: Used) -> datetime:
        return since + self._time(used)

    def reminder(self, since: datetime, used: Used) -> datetime:
        return since + self._time(used) * limits.REMINDER

    def _time(self, used: Used) -> timedelta:
        return timedelta(days=self.days) / (1 << used.clashes)


def clock_of(text: str) -> Clock:
    """The clock that a challenge names."""
    match = re.fullmatch(r"([1-9]\d{0,3})d", text)
    if not match or int(match[1]) > limits.CLOCK_DAYS:
        longest = DaysPerMove(limits.CLOCK_DAYS)
        raise Refused(f'"{text}" is no clock: write the days for each move, from "1d" to "{longest}"')
    return DaysPerMove(int(match[1]))
