"""What goes wrong, each kind by a stream of chances of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

#: Commits and letters handed over, after which a worker may die.
_STEPS = 10


class Died(BaseException):
    """A worker is no more: nothing that it has not committed has happened."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each fault strikes, of so many chances."""

    death: float = 0.03
    busy: float = 0.02
    lost_knock: float = 0.1
    late_mail: float = 0.1
    doubled_mail: float = 0.05
    door_busy: float = 0.01
    refused: float = 0.02


USUAL = Rates()
CALM = Rates(0, 0, 0, 0, 0, 0, 0)


class Faults:
    """Whether a fault strikes here and now."""

    def __init__(self, seed: int, rates: Rates) -> None:
        self.rates = rates
        self._dice = {kind: Random(f"{seed} {kind}") for kind in Rates.__slots__}
        self._dies_in = self._busy_in = 0

    def strikes(self, kind: str) -> bool:
        rate: float = getattr(self.rates, kind)
        return self._dice[kind].random() < rate

    def dice(self, kind: str) -> Random:
        return self._dice[kind]

    def watch(self, engine: Engine) -> None:
        """From now on whoever commits may die before it, or be told that the database is busy."""
        event.listen(engine, "commit", self._commits)

    @contextmanager
    def around_a_task(self) -> Iterator[None]:
        """A worker does a task, and may die in it."""
        self._dies_in = self._step("death")
        self._busy_in = self._step("busy")
        try:
            yield
        finally:
            self._dies_in = self._busy_in = 0

    @contextmanager
    def at_the_door(self) -> Iterator[None]:
        """Something is brought in, and the database may be busy."""
        self._busy_in = int(self.strikes("door_busy"))
        try:
            yield
        finally:
            self._busy_in = 0

    def step(self) -> None:
        """A letter was handed over: whoever dies now has not noted it."""
        if self._dies_in:
            self._dies_in -= self._dies_in > 1
            if self._dies_in == 1:
                raise Died

    def _step(self, kind: str) -> int:
        return self._dice[kind].randint(2, _STEPS) if self.strikes(kind) else 0

    def _commits(self, _connection: Connection) -> None:
        """The dead commit no more, whatever they still try on their way out."""
        self.step()
        if self._busy_in:
            self._busy_in -= 1
            if not self._busy_in:
                reason = sqlite3.OperationalError("database is locked")
                raise OperationalError("COMMIT", None, reason)
