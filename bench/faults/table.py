"""Everybody at work during a run, and when it is time for what comes next."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import psycopg

from bench.faults.diary import Diary
from bench.faults.fate import Fate
from bench.faults.keeper import Keeper
from bench.faults.players import Players
from bench.faults.postmen import Postmen
from bench.faults.stack import Stack

_NUDGE = timedelta(minutes=1)
_PATIENCE = 240.0
_WAITS = (
    "select (select count(*) from inbox where read_at is null)"
    " + (select count(*) from outbox where sent_at is null and dead_at is null)"
)
_RUNNING = "select count(*) from games where state = 'running'"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done to which house."""

    stack: str
    kills: int
    games: int
    pause: float
    thinking: float
    seed: int


@dataclass
class Table:
    """Everybody at work during a run."""

    stack: Stack
    postmen: Postmen
    players: Players
    keeper: Keeper
    fate: Fate
    diary: Diary
    begun: float = field(default_factory=time.monotonic)

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Nudge the clock on twice a second until it is so, so that nobody waits for hours to pass."""
        end = time.monotonic() + _PATIENCE
        while not is_so() and time.monotonic() < end:
            self.keeper.keep_up(0.5)
            self.stack.clock.jump(_NUDGE)

    def are_games_finished(self) -> bool:
        return not self.players.unfinished() and self.is_idle()

    def is_idle(self) -> bool:
        return self.postmen.are_idle() and self._counts(_WAITS) == 0

    def is_all_over(self) -> bool:
        return self._counts(_RUNNING) == 0 and self.is_idle()

    def _counts(self, question: str) -> int:
        try:
            return int(str(self.stack.ask(question)[0][0]))
        except (sqlite3.OperationalError, psycopg.OperationalError):
            return -1
