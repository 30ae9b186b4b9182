"""A worker process of a season: it ends games, sees to events and sweeps, while another does the same."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection as Pipe
from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from corr.answer_timing import AT_ONCE
from corr.service import worker_rounds
from corr.service.events import events, pyramids, sections, withdrawals
from corr.service.games import lifecycle, umpire_access
from corr.service.games.game_session import sit_down
from corr.service.games.pairing import Pairing
from corr.service.house import House
from corr.service.players import mailboxes
from corr.service.ratings import annulment
from corr.store.session import Store
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.view import Stage
from tests.support.crowd import DOMAIN, Hollow

#: So many games begin in one transaction, and so often one is tried that another transaction was in the way of.
_AT_ONCE, _TRIES = 20, 5


class Begin(NamedTuple):
    """Two begin a rated game."""

    white: int
    black: int
    variant: str
    clock: str


class End(NamedTuple):
    """A game ends: somebody resigns, both agree to a draw, or an operator says that it has no result."""

    game: int
    how: str


class Annul(NamedTuple):
    """An operator takes a rated game back."""

    game: int


class Enter(NamedTuple):
    """Somebody enters the section that fills at present, or the pyramid, of a variant."""

    player: int
    kind: str
    variant: str
    fills: bool


class Withdraw(NamedTuple):
    """Somebody leaves an event."""

    player: int
    event: int


class Challenge(NamedTuple):
    """Somebody challenges another in a pyramid."""

    player: int
    event: int
    whom: int


Deed = Begin | End | Annul | Enter | Withdraw | Challenge


class Work(NamedTuple):
    """What a worker does next, and what time it is."""

    now: datetime
    deeds: Sequence[Deed]


@dataclass
class Clock:
    """It is set by whoever gives work."""

    moment: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment


def house_at(url: str, clock: Clock) -> House:
    """The house of a season, whose letters go nowhere."""
    return House(Store(url), Hollow(), DOMAIN, timedelta(minutes=2), clock, pace=AT_ONCE, pause=AT_ONCE)


def main(url: str, pipe: Pipe) -> None:
    """Work until there is none any more; what was done is counted and sent back."""
    logging.getLogger("corr").addHandler(Complaints(pipe))
    logging.getLogger("corr").setLevel(logging.ERROR)
    clock = Clock()
    worker = Worker(house_at(url, clock))
    while work := pipe.recv():
        clock.moment = work.now
        worker.do(work)
        pipe.send(worker.counts)
        worker.counts = Counter()
    worker.house.store.close()


class Complaints(logging.Handler):
    """What goes wrong within the house is logged there and goes on; here it is told."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        self._pipe.send(f"{record.getMessage()}: {record.exc_info and record.exc_info[1]!r}")


@dataclass
class Worker:
    """Does what is to be done at a moment, and then what comes due by itself."""

    house: House
    counts: Counter[str] = field(default_factory=Counter)

    def do(self, work: Work) -> None:
        begins = [deed for deed in work.deeds if isinstance(deed, Begin)]
        others = [deed for deed in work.deeds if not isinstance(deed, Begin)]
        for first in range(0, len(begins), _AT_ONCE):
            self._begin(begins[first : first + _AT_ONCE])
        for deed in others[: len(others) // 2]:
            self._try(deed)
        self._safely(lambda: worker_rounds.sweep(self.house, work.now))
        for deed in others[len(others) // 2 :]:
            self._try(deed)
        self._safely(self._read_up)

    def _read_up(self) -> None:
        while worker_rounds.read_some(self.house, self.house.now()):
            pass

    def _begin(self, begins: Sequence[Begin]) -> None:
        def begin(connection: Connection) -> str:
            for each in begins:
                self._begin_one(connection, each)
            return "batches begun"

        self._safely(lambda: self._write(begin))

    def _begin_one(self, connection: Connection, deed: Begin) -> str:
        pairing = Pairing(Pair(deed.white, deed.black), deed.variant, deed.clock, rated=True)
        lifecycle.start(connection, pairing, self.house.now())
        return "begun"

    def _try(self, deed: Deed) -> None:
        self._safely(lambda: self._write(lambda connection: self._done(connection, deed)))

    def _done(self, connection: Connection, deed: Deed) -> str:
        """What came of it."""
        match deed:
            case End():
                return self._end(connection, deed)
            case Annul():
                return self._annul(connection, deed)
            case Enter():
                return self._enter(connection, deed)
            case Withdraw():
                return self._withdraw(connection, deed)
            case Challenge():
                return self._challenge(connection, deed)
            case Begin():
                return self._begin_one(connection, deed)

    def _write(self, deed: Callable[[Connection], str]) -> None:
        try:
            with self.house.store.writing() as connection:
                done = deed(connection)
        except Refused:
            done = "refused"
        self.counts[done] += 1

    def _safely(self, deed: Callable[[], object]) -> None:
        """Where another transaction is in the way it is tried again, as the house's own tasks are."""
        for _ in range(_TRIES):
            try:
                deed()
            except OperationalError as busy:
                self.counts["deadlocks" if "deadlock" in str(busy) else "busy"] += 1
            else:
                return
        self.counts["given up"] += 1

    # ------------------------------------------------------------ games

    def _end(self, connection: Connection, deed: End) -> str:
        sitting = sit_down(connection, deed.game, self.house.now())
        if sitting.state.stage is Stage.OVER:
            return "over already"
        asked = connection, deed.game, sitting.variant
        if deed.how == "void":
            judgement = umpire_access.abandon(*asked, Side.WHITE)
        else:
            judgement = (
                umpire_access.agree(*asked)
                if deed.how == "draw"
                else umpire_access.resign(*asked, Side(deed.how).other)
            )
        assert judgement.outcome
        sitting.state = sitting.state.end(judgement.outcome, sitting.now)
        lifecycle.tell_both(sitting, judgement.slips)
        sitting.close()
        return "voided" if deed.how == "void" else "ended"

    def _annul(self, connection: Connection, deed: Annul) -> str:
        sit_down(connection, deed.game, self.house.now())
        if not annulment.stands(connection, deed.game):
            return "not rated"
        annulment.annul(connection, deed.game)
        return "annulled"

    # ------------------------------------------------------------ events

    def _enter(self, connection: Connection, deed: Enter) -> str:
        who, now = mailboxes.of_player(connection, deed.player), self.house.now()
        if deed.kind == events.Kind.PYRAMID:
            pyramids.enter(connection, who, deed.variant, now)
        else:
            sections.enter_usual(connection, who, deed.variant, now, fills=deed.fills)
        return f"entered {deed.kind}"

    def _withdraw(self, connection: Connection, deed: Withdraw) -> str:
        event = events.by_id(connection, deed.event)
        withdrawals.withdraw(connection, deed.player, event, self.house.now())
        return "withdrawn"

    def _challenge(self, connection: Connection, deed: Challenge) -> str:
        who, event = mailboxes.of_player(connection, deed.player), events.by_id(connection, deed.event)
        pyramids.challenge(connection, who, event, deed.whom)
        return "challenged"
