"""Kills processes, breaks servers, fills the disk and moves the clock, and starts what is down again."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from random import Random

import psycopg

from bench.driver import Diary
from bench.faults.players import Players
from bench.faults.server import Server
from tests.support.procfile import Exit
from tests.support.waiting import wait_until

_RESTS = (0.0, 0.0, 0.5, 2.0)
_FORWARD = tuple(timedelta(minutes=minutes) for minutes in (1.5, 5, 30, 300, 58 * 60))
_LONGEST_BACK = 5 * 60
_SPARE = timedelta(hours=6)
_KILLS_A_TROUBLE = 12


class Keeper:
    """Starts processes again when they are down, as any runner of a Procfile does."""

    def __init__(self, server: Server, dice: Random, diary: Diary) -> None:
        self.ended_by_themselves: Counter[str] = Counter()
        self._server, self._dice, self._diary = server, dice, diary
        self._due: dict[int, float] = {}

    def keep_up(self, seconds: float) -> None:
        """Let time pass, and start again what is down, at once or after a moment."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for number, part in enumerate(self._server.parts):
                if part.is_running():
                    continue
                if number not in self._due:
                    self._due[number] = time.monotonic() + self._dice.choice(_RESTS)
                    if not part.was_ended:
                        self.ended_by_themselves[part.name] += 1
                        self._diary.note(f"{part.name} ended by itself", status=part.status())
                if time.monotonic() >= self._due[number]:
                    del self._due[number]
                    part.start()
            time.sleep(min(left, 0.05))


class Strikes:
    """Strikes a server a number of times, while the keeper restarts what is down."""

    def __init__(self, server: Server, players: Players, keeper: Keeper, dice: Random, diary: Diary) -> None:
        self.kills: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self.ends: list[Exit] = []
        self._server, self._players, self._keeper = server, players, keeper
        self._dice, self._diary = dice, diary
        self._one_at_a_time = threading.Lock()
        self._pool = ThreadPoolExecutor(1, "troubles")
        self._under_way: list[Future[None]] = []

    def strike(self, kills: int, pause: float) -> None:
        """Do this many kills, and other faults in proportion, each kind at least once."""
        strikes = list(self._all(kills))
        for strike in self._dice.sample(strikes, len(strikes)):
            strike()
            self._keeper.keep_up(self._dice.expovariate(1 / pause))
        while not all(trouble.done() for trouble in self._under_way):
            self._keeper.keep_up(0.2)
        for trouble in self._under_way:
            trouble.result()

    def _all(self, kills: int) -> Iterator[Callable[[], None]]:
        ways = list(self._server.kills(self._dice).items())
        for number in range(kills):
            yield partial(self._kill, *ways[number % len(ways)])
        troubles = {"process told to stop": self._stop, **self._server.troubles(self._dice)}
        at_once = {"clock forward": self._forward, "clock back": self._back}
        # Faults that last come one after another, while kills go on.
        later = {name: partial(self._begin, trouble) for name, trouble in troubles.items()}
        for _ in range(max(1, kills // _KILLS_A_TROUBLE)):
            for name, trouble in (at_once | later).items():
                yield partial(self._happen, name, trouble)

    def _kill(self, name: str, kill: Callable[[], bool]) -> None:
        """Try until there was a process to kill."""
        while not self._alone(kill):
            self._keeper.keep_up(0.1)
        self.kills[name] += 1
        self._diary.note(name)

    def _alone(self, kill: Callable[[], bool]) -> bool:
        with self._one_at_a_time:
            return kill()

    def _happen(self, name: str, trouble: Callable[[], None]) -> None:
        self.troubles[name] += 1
        self._diary.note(name)
        trouble()

    def _begin(self, trouble: Callable[[], None]) -> None:
        self._under_way.append(self._pool.submit(trouble))

    def _stop(self) -> None:
        """SIGTERM to the process that has run longest, in the middle of its work, as for a new version."""
        wait_until(lambda: any(part.has_started() for part in self._server.parts), "a process has started")
        with self._one_at_a_time:
            at_work = [part for part in self._server.parts if part.has_started()]
            if at_work:
                self.ends.append(min(at_work, key=lambda part: part.begun).stop())

    def _forward(self) -> None:
        """Move the clock, but not so far that a player runs out of time."""
        room = self._room()
        self._server.clock.jump(
            self._dice.choice([span for span in _FORWARD if span <= room] or _FORWARD[:1])
        )

    def _back(self) -> None:
        self._server.clock.jump(-timedelta(seconds=self._dice.randint(30, _LONGEST_BACK)))

    def _room(self) -> timedelta:
        playing = set(self._players.unfinished())
        try:
            rows = self._server.ask("select code, deadline from games where deadline is not null")
        except (sqlite3.OperationalError, psycopg.OperationalError):
            return _FORWARD[0]
        now = self._server.clock.microseconds()
        left = [timedelta(microseconds=deadline - now) - _SPARE for code, deadline in rows if code in playing]
        return min(left, default=_FORWARD[-1])
