"""A season: each day's actions are split between two workers, which do them at the same time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Any

from sqlalchemy import text

from bench.driver import server_at
from bench.season.people import VARIANTS, Club, gather
from bench.season.worker import Action, Work, do
from corr.service.admin import statistics
from corr.service.games import outages
from tests.support.table import Clock

WORKERS = 2
_BEGINS = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
_STEP = timedelta(hours=12)
#: The clock of games outside events. A player who runs out of time has made no second move, so there is no result.
_CLOCK = "20d"
#: Shares of games that nobody plays, that an operator voids, that two workers end at once, and that are annulled.
_STALLED, _VOIDED, _TWICE, _ANNULLED = 0.03, 0.02, 0.03, 0.005
#: How long a game lasts, well within its clock.
_LASTS = timedelta(days=6)
#: The season ends at the latest this long after the last game began.
_DAYS_AFTER = 60
#: Time to settle everything and to send all emails.
_STEPS_AFTER = 3
#: The rates of actions in events for each game that begins outside them.
_ENTERS, _CLIMBS, _CHALLENGES, _WITHDRAWS = 0.03, 0.006, 0.05, 0.004

_BEGAN = """
    SELECT games.id, variant, white.player_id AS white, black.player_id AS black FROM games
    JOIN seats AS white ON white.game_id = games.id AND white.side = 'white'
    JOIN seats AS black ON black.game_id = games.id AND black.side = 'black'
    WHERE games.id > :last ORDER BY games.id
"""
_GOES_ON = "SELECT id FROM games WHERE state <> 'over' LIMIT 1"
_RATED = "SELECT game_id FROM rated_games WHERE uncounted = '' ORDER BY id"
_ENTRANTS = """
    SELECT event_id, kind, player_id FROM entrants JOIN events ON events.id = event_id
    WHERE ended_at IS NULL AND withdrawn_at IS NULL AND NOT entrants.house ORDER BY entrants.id
"""
_SENT = tuple(f"UPDATE {each} SET sent_at = :at WHERE sent_at IS NULL" for each in ("outbox", "site_outbox"))


@dataclass(frozen=True)
class Plan:
    """How large a season is."""

    seed: int
    games: int = 20_000
    people: int = 200
    events: float = 1.0  # how much happens about events, more or less than usually

    @property
    def steps(self) -> int:
        """The number of people: everyone plays about one game a day."""
        return max(40, 2 * round(2 * self.games / self.people))


@dataclass
class Season:
    """The state of a season: planned actions and counts."""

    url: str
    plan: Plan
    counts: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = Clock(_BEGINS)
        self.server = server_at(self.url, self.clock)
        self._chance = Random(self.plan.seed)
        self._coming: dict[int, list[Action]] = defaultdict(list)
        self._last, self._step, self._begun = 0, 0, 0

    def run(self) -> Club:
        """Play until nothing is left to do; return the players."""
        self.club = gather(self.server, self.plan.people, self._chance, self.clock())
        with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
            while self._step < self.plan.steps or self._goes_on():
                self._pass_half_a_day(pool)
            for _ in range(_STEPS_AFTER):
                self._pass_half_a_day(pool)
        return self.club

    def _goes_on(self) -> bool:
        return bool(self._ask(_GOES_ON)) and self._step < self.plan.steps + 2 * _DAYS_AFTER

    def _ask(self, question: str, **values: object) -> Sequence[Any]:
        with self.server.store.asking() as connection:
            return connection.execute(text(question), values).all()

    def _pass_half_a_day(self, pool: ProcessPoolExecutor) -> None:
        """Mark all emails as sent and the sweep as running."""
        before = int(self.clock().timestamp() * 1e6)
        self.clock.moment += _STEP
        self._step += 1
        with self.server.store.writing() as connection:
            for sent in _SENT:
                connection.execute(text(sent), {"at": before})
        statistics.record_run(self.server, outages.SWEEP_SIGN, self.clock())
        deeds = self._deeds()
        shares = [Work(self.clock(), deeds[number::WORKERS]) for number in range(WORKERS)]
        for counts, complaints in pool.map(partial(do, self.url), shares):
            self.counts += counts
            self.complaints += complaints

    def _deeds(self) -> list[Action]:
        """The actions of half a day; those for both workers at once come twice in a row."""
        self._foresee()
        deeds = self._coming.pop(self._step, [])
        self._chance.shuffle(deeds)
        if self._step <= self.plan.steps:
            deeds += [*self._begin(), *self._annul(), *self._events()]
        twice = [deed for deed in deeds if deed.what == "end" and self._chance.random() < _TWICE]
        return [each for deed in twice for each in (deed, deed)] + deeds

    def _foresee(self) -> None:
        """Plan the ends of the games that began since the last call."""
        for game in self._ask(_BEGAN, last=self._last):
            self._last = game.id
            # Games of bots, whose time does not run, do not stall: nobody thinks for them here.
            if game.white in self.club.people and self._chance.random() < _STALLED:
                continue
            at = self._step + self._chance.randint(1, _LASTS // _STEP)
            how = self.club.result(self._chance, game.variant, game.white, game.black)
            how = "void" if self._chance.random() < _VOIDED else how
            self._coming[at].append(Action("end", (game.id, how)))

    def _begin(self) -> Iterator[Action]:
        due = self.plan.games * self._step // self.plan.steps - self._begun
        for _ in range(due):
            self._begun += 1
            yield Action("begin", (*self.club.pair(self._chance), self._chance.choice(VARIANTS), _CLOCK))

    def _annul(self) -> Iterator[Action]:
        """A random game, mostly a recent one."""
        if number := self._often(_ANNULLED):
            rated = self._ask(_RATED)
            for _ in range(number if rated else 0):
                lately = rated if self._chance.random() < 0.1 else rated[-500:]
                yield Action("annul", (self._chance.choice(lately).game_id,))

    def _events(self) -> Iterator[Action]:
        people = list(self.club.people)
        for kind, rate in (("section", _ENTERS), ("pyramid", _CLIMBS)):
            for _ in range(self._often(rate * self.plan.events)):
                one, variant = self._chance.choice(people), self._chance.choice(VARIANTS)
                yield Action("enter", (one, kind, variant, self._chance.random() < 0.8))
        found = self._ask(_ENTRANTS)
        for _ in range(self._often(_WITHDRAWS * self.plan.events) if found else 0):
            one = self._chance.choice(found)
            yield Action("withdraw", (one.player_id, one.event_id))
        climbers = [each for each in found if each.kind == "pyramid"]
        for _ in range(self._often(_CHALLENGES * self.plan.events) if climbers else 0):
            one = self._chance.choice(climbers)
            other = self._chance.choice([each for each in climbers if each.event_id == one.event_id])
            yield Action("challenge", (one.player_id, one.event_id, other.player_id))

    def _often(self, rate: float) -> int:
        """How often something happens in half a day, given its rate per game."""
        expected = rate * self.plan.games / self.plan.steps
        return int(expected) + (self._chance.random() < expected % 1)
