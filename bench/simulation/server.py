"""The real server with its tables and tasks, under an unreliable clock, mail server and wake-ups."""

from __future__ import annotations

import heapq
import itertools
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import ColumnElement, Connection, ScalarSelect, bindparam, event, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from bench.driver import Diary, server_at
from bench.mail import Received
from corr import limits
from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope
from corr.service.admin import statistics
from corr.service.games import outages
from corr.store.tables import GameRow, InboxRow, Moment, OutageRow, OutboxRow, SeatRow
from corr.worker_wakeup import Work
from worker.tasks import make_tasks

BEGINS = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
_SIGN_EVERY = timedelta(minutes=1)
#: Points after commits and sent emails, where a worker may die.
_STEPS = 10
Action = Callable[[], None]


class World:
    """The queue of future actions; the server's clock shows the time with an error."""

    def __init__(self) -> None:
        self.moment, self.error = BEGINS, timedelta()
        self._numbers = itertools.count()
        self._coming: list[tuple[datetime, int, Action]] = []

    def clock(self) -> datetime:
        return self.moment + self.error

    def at(self, moment: datetime, deed: Action) -> None:
        """Schedule an action at a moment, or now if that is past."""
        heapq.heappush(self._coming, (max(moment, self.moment), next(self._numbers), deed))

    def after(self, span: timedelta, deed: Action) -> None:
        self.at(self.moment + span, deed)

    def until(self, end: datetime) -> Iterator[Action]:
        """Run the actions at their moments, up to an end."""
        while self._coming and self._coming[0][0] <= end:
            self.moment, _, deed = heapq.heappop(self._coming)
            yield deed

    @contextmanager
    def stopwatch(self) -> Iterator[None]:
        """Replace the server's stopwatch, so that a run is the same on any machine."""
        real, begins = time.monotonic, self.moment
        time.monotonic = lambda: (self.moment - begins) / timedelta(seconds=1)
        try:
            yield
        finally:
            time.monotonic = real


class Died(BaseException):
    """A worker has died: what it hadn't committed is lost."""


@dataclass(frozen=True, slots=True)
class Rates:
    """The probability of each fault."""

    death: float = 0.03
    busy: float = 0.02
    lost_knock: float = 0.1
    late_mail: float = 0.1
    doubled_mail: float = 0.05
    door_busy: float = 0.01
    refused: float = 0.02


USUAL, CALM = Rates(), Rates(0, 0, 0, 0, 0, 0, 0)


class Faults:
    """Decides whether a fault strikes; each kind has its own random stream."""

    def __init__(self, seed: int, rates: Rates) -> None:
        self.rates = rates
        self.dice = {kind: Random(f"{seed} {kind}") for kind in Rates.__slots__}
        self._dies_in = self._busy_in = 0

    def strikes(self, kind: str) -> bool:
        rate: float = getattr(self.rates, kind)
        return self.dice[kind].random() < rate

    @contextmanager
    def around_a_task(self) -> Iterator[None]:
        """A worker does a task, and may die in it or be told that the database is busy."""
        with self._between(self._step("death"), self._step("busy")):
            yield

    @contextmanager
    def at_the_door(self) -> Iterator[None]:
        """An email comes in, and the database may be busy."""
        with self._between(0, int(self.strikes("door_busy"))):
            yield

    @contextmanager
    def away(self) -> Iterator[None]:
        """Who only watches the server, amid its work, is not struck."""
        held = self._dies_in, self._busy_in
        self._dies_in = self._busy_in = 0
        try:
            yield
        finally:
            self._dies_in, self._busy_in = held

    @contextmanager
    def _between(self, dies_in: int, busy_in: int) -> Iterator[None]:
        self._dies_in, self._busy_in = dies_in, busy_in
        try:
            yield
        finally:
            self._dies_in = self._busy_in = 0

    def step(self) -> None:
        """An email was sent: a worker that dies now hasn't recorded it."""
        if self._dies_in:
            self._dies_in -= self._dies_in > 1
            if self._dies_in == 1:
                raise Died

    def _step(self, kind: str) -> int:
        return self.dice[kind].randint(2, _STEPS) if self.strikes(kind) else 0

    def commits(self, _connection: Connection) -> None:
        """Dead workers commit nothing, whatever their cleanup still tries."""
        self.step()
        if self._busy_in:
            self._busy_in -= 1
            if not self._busy_in:
                raise OperationalError("COMMIT", None, sqlite3.OperationalError("database is locked"))


class Postbox:
    """The mail server that takes emails, and at times does not; each is shown to its reader at once."""

    def __init__(self, faults: Faults, deliver: Callable[[Received], None]) -> None:
        self._faults, self._deliver = faults, deliver
        self.is_down = False
        self.bounces_to: set[str] = set()

    def send(self, envelope: Envelope) -> Delivery:
        if self.is_down or self._faults.strikes("refused"):
            return Delivery(DeliveryFate.LATER, "451 not now")
        if envelope.recipient in self.bounces_to:
            return Delivery(DeliveryFate.NEVER, "550 5.1.1 no such user")
        self._deliver(Received(envelope.recipient, envelope.message))
        self._faults.step()
        return Delivery(DeliveryFate.SENT)

    def close(self) -> None:
        pass


class Knocks:
    """The knocks so far; delayed knocks count at once."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._asked: list[Work] = []

    def __call__(self, *works: Work) -> None:
        self._asked += [work for work in works if not self._faults.strikes("lost_knock")]

    def later(self, _seconds: float, *works: Work) -> None:
        self(*works)

    def answered(self) -> bool:
        """Whether there was a knock since the last call."""
        has_knocked = Work.LETTERS in self._asked
        self._asked.clear()
        return has_knocked


class Server:
    """A server whose workers die and restart."""

    def __init__(self, url: str, world: World, faults: Faults, deliver: Callable[[Received], None]) -> None:
        self.world, self.faults = world, faults
        self.diary = Diary(world.clock)
        self.post, self.knocks = Postbox(faults, deliver), Knocks(faults)
        self.server = server_at(url, world.clock, self.post)
        event.listen(self.server.store.engine, "commit", faults.commits)
        self.is_stopped = False
        self._signed_at = world.moment - _SIGN_EVERY
        self._hire()

    def _hire(self) -> None:
        self._tasks = make_tasks(self.server, self.knocks)  # type: ignore[arg-type]  # it knocks alike

    def sign(self) -> None:
        """Record a sweep, as if the server had just done one."""
        if not self.is_stopped and self.world.moment - self._signed_at >= _SIGN_EVERY:
            self._sign()

    def _sign(self) -> None:
        statistics.record_run(self.server, outages.SWEEP_SIGN, self.server.now())
        self._signed_at = self.world.moment

    def work(self, *works: Work) -> bool:
        """Do some tasks, each in a process that may die; return whether all were done."""
        done = [self._do(work) for work in works]
        while self.knocks.answered() and all(done):
            done.append(self._do(Work.LETTERS))
        return all(done)

    def _do(self, work: Work) -> bool:
        try:
            with self.faults.around_a_task():
                self._tasks[work]()
        except Died:
            self._hire()
            self.diary.note("died", of=work.value)
        except OperationalError:
            self.diary.note("busy", of=work.value)
        else:
            return True
        return False

    def stop(self) -> None:
        """Stop all workers; no more signs of life are recorded."""
        self._sign()
        self.is_stopped = True
        self.diary.note("stopped")

    def go_on(self) -> None:
        self.is_stopped = False
        self.diary.note("goes on")

    def next_due(self) -> datetime | None:
        """The next moment, by the server's clock, at which a sweep may find something to do."""
        now = self.server.now()
        asked = {"now": now, "lately": now - self.server.grace, "an_hour_ago": now - limits.LATE_EMAIL_AFTER}
        with self.server.store.asking() as connection:
            row = connection.execute(_DUE, asked).one()
        hours = [hour + late for hour, (_, late) in zip(row, _HOURS, strict=True) if hour is not None]
        return min((hour for hour in hours if hour > now), default=None)


def _first(column: InstrumentedAttribute[Any], since: str, *also: ColumnElement[bool]) -> ScalarSelect[Any]:
    later = column > bindparam(since, type_=Moment)
    return select(func.min(column)).where(later, *also).scalar_subquery()


_IS_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
_IS_UNREAD = InboxRow.read_at.is_(None)
_GRACE, _NONE = timedelta(minutes=2), timedelta()
#: The columns of what may be due, and the delay after their moments.
_HOURS = (
    (_first(GameRow.deadline, "lately"), _GRACE),
    (_first(OutageRow.flags_from, "lately"), _GRACE),
    (_first(OutboxRow.made_at, "an_hour_ago", _IS_UNSENT), limits.LATE_EMAIL_AFTER),
    (_first(SeatRow.remind_at, "now"), _NONE),
    (_first(GameRow.paused_until, "now"), _NONE),
    (_first(OutboxRow.due_at, "now", _IS_UNSENT), _NONE),
    (_first(OutboxRow.leased_until, "now", _IS_UNSENT), _NONE),
    (_first(InboxRow.leased_until, "now", _IS_UNREAD), _NONE),
    (_first(InboxRow.retry_at, "now", _IS_UNREAD), _NONE),
)
_DUE = select(*(hour.label(f"hour{number}") for number, (hour, _) in enumerate(_HOURS)))
