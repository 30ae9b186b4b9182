"""Fate: kills processes, breaks servers, fills the disk and moves the clock, in an order left to dice."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from random import Random

import psycopg

from bench.faults.diary import Diary
from bench.faults.keeper import Keeper
from bench.faults.players import Players
from bench.faults.stack import Stack
from tests.support.procfile import End
from tests.support.waiting import wait_until

_FORWARD = (
    timedelta(seconds=90),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=5),
    timedelta(hours=58),
)
_LONGEST_BACK = 5 * 60
_SPARE = timedelta(hours=6)
_KILLS_A_TROUBLE = 12


class Fate:
    """Strikes a house a number of times, while the keeper looks after what is left."""

    def __init__(self, stack: Stack, players: Players, keeper: Keeper, dice: Random, diary: Diary) -> None:
        self.kills: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self.ends: list[End] = []
        self._stack, self._players, self._keeper = stack, players, keeper
        self._dice, self._diary = dice, diary
        self._moments = {"clock forward": self._forward, "clock back": self._back}
        self._one_at_a_time = threading.Lock()
        self._servers = ThreadPoolExecutor(1, "servers")
        self._under_way: list[Future[None]] = []

    def strike(self, kills: int, pause: float) -> None:
        """Deal out so many kills, and all else in proportion, each kind at least once."""
        blows = list(self._blows(kills))
        for blow in self._dice.sample(blows, len(blows)):
            blow()
            self._keeper.keep_up(self._dice.expovariate(1 / pause))
        while not all(trouble.done() for trouble in self._under_way):
            self._keeper.keep_up(0.2)
        for trouble in self._under_way:
            trouble.result()

    def _blows(self, kills: int) -> Iterator[Callable[[], None]]:
        ways = list(self._stack.kills(self._dice).items())
        for number in range(kills):
            yield partial(self._kill, *ways[number % len(ways)])
        for _ in range(max(1, kills // _KILLS_A_TROUBLE)):
            for name, jump in self._moments.items():
                yield partial(self._happen, name, jump)
            for name, trouble in self._stack.troubles(self._dice).items():
                yield partial(self._happen, name, partial(self._begin, trouble))
            yield partial(self._happen, "process told to stop", partial(self._begin, self._stop))

    def _kill(self, name: str, kill: Callable[[], bool]) -> None:
        """Try until there was a process to kill."""
        while not self._killed(kill):
            self._keeper.keep_up(0.1)
        self.kills[name] += 1
        self._diary.note(name)

    def _killed(self, kill: Callable[[], bool]) -> bool:
        with self._one_at_a_time:
            return kill()

    def _happen(self, name: str, trouble: Callable[[], None]) -> None:
        self.troubles[name] += 1
        self._diary.note(name)
        trouble()

    def _begin(self, trouble: Callable[[], None]) -> None:
        """Troubles of the servers last for a while: they come one after another, while kills go on."""
        self._under_way.append(self._servers.submit(trouble))

    def _stop(self) -> None:
        """SIGTERM to the process that has run longest, in the middle of its work, as for a new version."""
        wait_until(lambda: any(part.has_started() for part in self._stack.parts), "a process has started")
        with self._one_at_a_time:
            at_work = [part for part in self._stack.parts if part.has_started()]
            if at_work:
                self.ends.append(min(at_work, key=lambda part: part.begun).stop())

    # ------------------------------------------------------------ the clock

    def _forward(self) -> None:
        """As far as the dice say, but not so far that anybody who still plays runs out of time."""
        room = self._room()
        self._stack.clock.jump(self._dice.choice([span for span in _FORWARD if span <= room] or _FORWARD[:1]))

    def _back(self) -> None:
        self._stack.clock.jump(-timedelta(seconds=self._dice.randint(30, _LONGEST_BACK)))

    def _room(self) -> timedelta:
        playing = set(self._players.unfinished())
        try:
            rows = self._stack.ask("select code, deadline from games where deadline is not null")
        except (sqlite3.OperationalError, psycopg.OperationalError):
            return _FORWARD[0]
        now = self._stack.clock.microseconds()
        left = [timedelta(microseconds=deadline - now) - _SPARE for code, deadline in rows if code in playing]
        return min(left, default=_FORWARD[-1])
