"""The real server with its tables and tasks, an unreliable clock, mail server and wake-ups."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, bindparam, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from bench.simulation.clock import World
from bench.simulation.diary import Diary
from bench.simulation.faults import Died, Faults
from bench.simulation.postbox import Postbox, Received
from corr import limits
from corr.answer_timing import AT_ONCE
from corr.service.admin import health
from corr.service.games import outages
from corr.service.house import House
from corr.store.session import Store
from corr.store.tables import Game, InboxRow, Moment, Outage, OutboxRow, SeatRow
from corr.worker_wakeup import Work
from worker.tasks import tasks_of

DOMAIN = "play.example"
_SIGN_EVERY = timedelta(minutes=1)


class Knocks:
    """Who has been asked to work; what is asked for later is asked for now."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._asked: list[Work] = []

    def __call__(self, *works: Work) -> None:
        self._asked += [work for work in works if not self._faults.strikes("lost_knock")]

    def later(self, _seconds: float, *works: Work) -> None:
        self(*works)

    def knock(self) -> None:
        """Something has been taken in."""
        self(Work.LETTERS)

    def answered(self) -> bool:
        """Whether anybody has knocked since this was asked last."""
        has_knocked = Work.LETTERS in self._asked
        self._asked.clear()
        return has_knocked


class Household:
    """A house whose workers die and begin anew."""

    def __init__(self, url: str, world: World, faults: Faults, deliver: Callable[[Received], None]) -> None:
        self.world, self.faults = world, faults
        self.diary = Diary(world.house_clock)
        self.post = Postbox(faults, deliver)
        self.house = House(
            Store(url),
            self.post,
            DOMAIN,
            timedelta(minutes=2),
            world.house_clock,
            pace=AT_ONCE,
            pause=AT_ONCE,
        )
        faults.watch(self.house.store.engine)
        self.knocks = Knocks(faults)
        self.stands = False
        self._signed_at = world.moment - _SIGN_EVERY
        self._hire()

    def _hire(self) -> None:
        self._tasks = tasks_of(self.house, self.knocks)  # type: ignore[arg-type]  # it knocks alike

    # ------------------------------------------------------------ work

    def sign(self) -> None:
        """As if the house had swept just now, as it does four times a minute."""
        if not self.stands and self.world.moment - self._signed_at >= _SIGN_EVERY:
            self._sign()

    def _sign(self) -> None:
        health.leave_sign(self.house, outages.SWEEP, self.house.now())
        self._signed_at = self.world.moment

    def work(self, *works: Work) -> bool:
        """Do some tasks, each in a process that may die; whether all were done."""
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

    def stand_still(self) -> None:
        """Nobody works, and nobody leaves a sign, from now on."""
        self._sign()
        self.stands = True
        self.diary.note("stopped")

    def go_on(self) -> None:
        self.stands = False
        self.diary.note("goes on")

    def next_due(self) -> datetime | None:
        """The next moment, by the house's clock, at which a sweep may find something to do."""
        now = self.house.now()
        asked = {"now": now, "lately": now - self.house.grace, "an_hour_ago": now - limits.LATE_LETTER}
        with self.house.store.asking() as connection:
            row = connection.execute(_DUE, asked).one()
        hours = [hour + late for hour, late in zip(row, _LATE, strict=True) if hour is not None]
        return min((hour for hour in hours if hour > now), default=None)


def _first(column: InstrumentedAttribute[Any], since: str, *also: ColumnElement[bool]) -> ScalarSelect[Any]:
    later = column > bindparam(since, type_=Moment)
    return select(func.min(column)).where(later, *also).scalar_subquery()


_IS_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
_IS_UNREAD = InboxRow.read_at.is_(None)
_GRACE = timedelta(minutes=2)
_NONE = timedelta()
#: What may be due, and how long after the hour that is kept.
_HOURS = (
    (_first(Game.deadline, "lately"), _GRACE),
    (_first(Outage.flags_from, "lately"), _GRACE),
    (_first(OutboxRow.made_at, "an_hour_ago", _IS_UNSENT), limits.LATE_LETTER),
    (_first(SeatRow.remind_at, "now"), _NONE),
    (_first(Game.paused_until, "now"), _NONE),
    (_first(OutboxRow.due_at, "now", _IS_UNSENT), _NONE),
    (_first(OutboxRow.leased_until, "now", _IS_UNSENT), _NONE),
    (_first(InboxRow.leased_until, "now", _IS_UNREAD), _NONE),
    (_first(InboxRow.retry_at, "now", _IS_UNREAD), _NONE),
)
_DUE = select(*(hour.label(f"hour{number}") for number, (hour, _) in enumerate(_HOURS)))
_LATE = tuple(late for _, late in _HOURS)
