"""A season: what happens on each of its days is dealt out to two worker processes, which do it at the same time."""

from __future__ import annotations

import multiprocessing
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from random import Random
from typing import NamedTuple

from sqlalchemy import bindparam, select, update

from bench.seasons import worker
from bench.seasons.people import VARIANTS, Club, gather
from bench.seasons.worker import Annul, Begin, Challenge, Clock, Deed, End, Enter, Withdraw, Work, house_at
from corr.service.admin import health
from corr.service.games import outages
from corr.store.rows import rows_of
from corr.store.tables import (
    EntrantRow,
    EventRow,
    Game,
    OutboxRow,
    RatedGame,
    SeatRow,
    SiteOutboxRow,
)
from corr.words.view import Stage

WORKERS = 2
_BEGINS = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
_STEP = timedelta(hours=12)
#: Time for a move in games of no event: whoever lets it pass has not made a second one, and the game has no result.
_CLOCK = "20d"
#: Parts of all games: those that nobody plays, that an operator voids, that two workers end at once, that are annulled.
_STALLED, _VOIDED, _TWICE, _ANNULLED = 0.03, 0.02, 0.03, 0.005
#: A game lasts for so long, well within its clock in events too.
_LASTS = timedelta(days=6)
#: After so long without a further game the season is over at the latest.
_DAYS_AFTER = 60
#: Until what has ended is settled, and everybody was told.
_STEPS_AFTER = 3
#: How much happens about events, for each game that begins elsewhere.
_ENTERS, _CLIMBS, _CHALLENGES, _WITHDRAWS = 0.03, 0.006, 0.05, 0.004


@dataclass(frozen=True)
class Plan:
    """How large a season is."""

    seed: int
    games: int = 20_000
    people: int = 200
    events: float = 1.0  # how much happens about events, more or less than usually

    @property
    def steps(self) -> int:
        """Everybody has about one game a day."""
        return max(40, 2 * round(2 * self.games / self.people))


class _Began(NamedTuple):
    id: int
    variant: str
    side: str
    player_id: int


class _Entrant(NamedTuple):
    event_id: int
    kind: str
    state: str
    player_id: int


_BEGAN = (
    select(Game.id, Game.variant, SeatRow.side, SeatRow.player_id)
    .join(SeatRow, SeatRow.game_id == Game.id)
    .where(Game.id > bindparam("last"))
    .order_by(Game.id)
)
_GOES_ON = select(select(Game.id).where(Game.state != Stage.OVER).exists())
_RATED = select(RatedGame.game_id).where(RatedGame.uncounted == "").order_by(RatedGame.id)
_ENTRANTS = (
    select(EntrantRow.event_id, EventRow.kind, EventRow.state, EntrantRow.player_id)
    .join(EventRow, EventRow.id == EntrantRow.event_id)
    .where(EventRow.ended_at.is_(None), EntrantRow.withdrawn_at.is_(None), ~EntrantRow.house)
    .order_by(EntrantRow.id)
)
_SENT = tuple(update(kind).where(kind.sent_at.is_(None)) for kind in (OutboxRow, SiteOutboxRow))


@dataclass
class Season:
    """What is going to happen, and what has."""

    url: str
    plan: Plan
    counts: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = Clock(_BEGINS)
        self.house = house_at(self.url, self.clock)
        self._chance = Random(self.plan.seed)
        self._coming: dict[int, list[Deed]] = defaultdict(list)
        self._last, self._step, self._begun = 0, 0, 0

    def run(self) -> Club:
        """Play it from its first day until nothing goes on any more; who has played."""
        self.club = gather(self.house, self.plan.people, self._chance, self.clock())
        with _workers(self.url) as pipes:
            while self._step < self.plan.steps or self._goes_on():
                self._pass_half_a_day(pipes)
            for _ in range(_STEPS_AFTER):
                self._pass_half_a_day(pipes)
        return self.club

    def _pass_half_a_day(self, pipes: Sequence[Pipe]) -> None:
        self._pass_time()
        self._work(pipes, self._deeds())

    def _goes_on(self) -> bool:
        with self.house.store.asking() as connection:
            goes_on = connection.execute(_GOES_ON).scalar_one()
        return bool(goes_on) and self._step < self.plan.steps + 2 * _DAYS_AFTER

    def _pass_time(self) -> None:
        """Half a day later all letters were sent, and somebody swept all the while."""
        self.clock.moment += _STEP
        self._step += 1
        with self.house.store.writing() as connection:
            for sent in _SENT:
                connection.execute(sent.values(sent_at=self.clock() - _STEP))
        health.leave_sign(self.house, outages.SWEEP, self.clock())

    def _work(self, pipes: Sequence[Pipe], deeds: Sequence[Deed]) -> None:
        for number, pipe in enumerate(pipes):
            pipe.send(Work(self.clock(), deeds[number :: len(pipes)]))
        for pipe in pipes:
            while isinstance(said := pipe.recv(), str):
                self.complaints.append(said)
            self.counts += said

    # ------------------------------------------------------------ what happens

    def _deeds(self) -> list[Deed]:
        """All of half a day; what two workers are to do at once stands twice, side by side."""
        self._foresee()
        deeds = self._coming.pop(self._step, [])
        self._chance.shuffle(deeds)
        if self._step <= self.plan.steps:
            deeds += [*self._begin(), *self._annul(), *self._events()]
        twice = [deed for deed in deeds if isinstance(deed, End) and self._chance.random() < _TWICE]
        return [each for deed in twice for each in (deed, deed)] + deeds

    def _foresee(self) -> None:
        """How the games will end that have begun since this was asked last."""
        with self.house.store.asking() as connection:
            began = rows_of(_Began, connection.execute(_BEGAN, {"last": self._last}))
        games: dict[int, dict[str, _Began]] = defaultdict(dict)
        for seat in began:
            games[seat.id][seat.side] = seat
        for number, seats in games.items():
            self._last = number
            if not self._is_stalled(seats["white"]):
                after = self._chance.randint(1, _LASTS // _STEP)
                self._coming[self._step + after].append(
                    End(number, self._how(seats["white"], seats["black"]))
                )

    def _is_stalled(self, white: _Began) -> bool:
        """Not by house players, whose time does not run; nobody thinks for them here."""
        return white.player_id in self.club.people and self._chance.random() < _STALLED

    def _how(self, white: _Began, black: _Began) -> str:
        if self._chance.random() < _VOIDED:
            return "void"
        seated = white.player_id, black.player_id
        return self.club.winner(self._chance, white.variant, *seated) or "draw"

    def _begin(self) -> Iterator[Deed]:
        due = self.plan.games * self._step // self.plan.steps - self._begun
        for _ in range(due):
            self._begun += 1
            yield Begin(*self.club.pair(self._chance), self._chance.choice(VARIANTS), _CLOCK)

    def _annul(self) -> Iterator[Deed]:
        """Mostly games of late, now and then an old one."""
        number = self._often(_ANNULLED)
        if number:
            with self.house.store.asking() as connection:
                rated = connection.execute(_RATED).scalars().all()
            for _ in range(number if rated else 0):
                lately = rated if self._chance.random() < 0.1 else rated[-500:]
                yield Annul(self._chance.choice(lately))

    def _events(self) -> Iterator[Deed]:
        yield from self._enter("section", _ENTERS)
        yield from self._enter("pyramid", _CLIMBS)
        with self.house.store.asking() as connection:
            found = rows_of(_Entrant, connection.execute(_ENTRANTS))
        for _ in range(self._often(_WITHDRAWS * self.plan.events) if found else 0):
            one = self._chance.choice(found)
            yield Withdraw(one.player_id, one.event_id)
        yield from self._challenge([each for each in found if each.kind == "pyramid"])

    def _enter(self, kind: str, rate: float) -> Iterator[Deed]:
        for _ in range(self._often(rate * self.plan.events)):
            one, variant = self._chance.choice(list(self.club.people)), self._chance.choice(VARIANTS)
            yield Enter(one, kind, variant, fills=self._chance.random() < 0.8)

    def _challenge(self, climbers: Sequence[_Entrant]) -> Iterator[Deed]:
        for _ in range(self._often(_CHALLENGES * self.plan.events) if climbers else 0):
            one = self._chance.choice(climbers)
            other = self._chance.choice([each for each in climbers if each.event_id == one.event_id])
            yield Challenge(one.player_id, one.event_id, other.player_id)

    def _often(self, rate: float) -> int:
        """How often something happens within half a day that happens at a rate for each game."""
        expected = rate * self.plan.games / self.plan.steps
        return int(expected) + (self._chance.random() < expected % 1)


@contextmanager
def _workers(url: str) -> Iterator[Sequence[Pipe]]:
    """Processes that share nothing but the database."""
    spawning = multiprocessing.get_context("spawn")
    pipes: list[Pipe] = []
    processes: list[BaseProcess] = []
    for _ in range(WORKERS):
        ours, theirs = spawning.Pipe()
        processes.append(spawning.Process(target=worker.main, args=(url, theirs), daemon=True))
        processes[-1].start()
        theirs.close()
        pipes.append(ours)
    try:
        yield pipes
    finally:
        for pipe in pipes:
            pipe.send(None)
        for process in processes:
            process.join()
