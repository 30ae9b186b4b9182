"""One run: games begin through a season, everything goes wrong by seed, and at last there is peace."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random

from bench.simulation.clock import BEGINS, Deed, World
from bench.simulation.diary import Diary
from bench.simulation.faults import CALM, USUAL, Faults, Rates
from bench.simulation.household import Household
from bench.simulation.players import Players
from bench.simulation.postbox import Received
from bench.simulation.proofs import Mailboxes
from bench.simulation.witness import Witness
from corr.service.lobby import proposals
from corr.words.board import Pair
from corr.worker_wakeup import Work

CLOCKS = (
    *(
        "3d",
        "1d",
        "2d steady",
        "5d",
        "3d+bank10d",
        "1d+bank2d",
        "10d+1d/15d",
        "3d+12h/4d",
        "3d claim",
        "none",
    ),
)
_VARIANTS = ("wild16", "cincinnati", "classic")
_GRID = timedelta(seconds=15)
_SWEPT_AT_LEAST = timedelta(hours=4)


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is played, for how long, and by which seed."""

    seed: int
    games: int = 12
    days: int = 40
    rates: Rates = USUAL
    peace: int = (
        12  # days after the season on which nothing goes wrong any more, and whoever is late is told so
    )


def run(plan: Plan, url: str) -> Diary:
    """Play it through; what was seen."""
    return Run(plan, url).through()


class Run:
    """A house, its players, and what befalls them."""

    def __init__(self, plan: Plan, url: str) -> None:
        self._plan = plan
        self._world = World(BEGINS)
        self._faults = Faults(plan.seed, plan.rates)
        self._household = Household(url, self._world, self._faults, self._receive)
        self._mailboxes = Mailboxes()
        self._witness = Witness(self._household)
        self._players = Players(plan.seed, self._household, self._witness)
        self._ends = BEGINS + timedelta(days=plan.days)
        self._sweeps: set[datetime] = set()
        self._has_swept = False

    def _receive(self, received: Received) -> None:
        self._mailboxes.keep(received)
        self._players.receive(received)

    def through(self) -> Diary:
        random.seed(f"{self._plan.seed} house")  # when the house tries once more is by lot
        self._lay_out()
        with self._world.stopwatch():
            for deed in self._world.until(self._ends):
                self._do(deed)
            self._make_peace()
            for deed in self._world.until(self._ends + timedelta(days=self._plan.peace)):
                self._do(deed)
            self._witness.look_at_what_was_given_up()
            self._prove()
        self._household.house.store.close()
        return self._household.diary

    def _prove(self) -> None:
        for game, side, proof in self._mailboxes.proofs(self._household.house):
            if proof.holds:
                self._household.diary.note("proved", game=game, side=side)
            else:
                self._household.diary.note("unproved", game=game, side=side, why=proof.sentence)

    def _do(self, deed: Deed) -> None:
        self._household.sign()
        self._has_swept = False
        deed()
        if self._household.stands or self._has_swept:
            return
        if self._household.knocks.answered():
            self._household.work(Work.LETTERS)
            self._look()
        self._sweep_soon(self._world.moment)

    def _look(self) -> None:
        self._witness.look()
        self._players.see_moves()

    # ------------------------------------------------------------ sweeps

    def _sweep_soon(self, after: datetime) -> None:
        """At the next quarter of a minute."""
        moment = BEGINS + ((after - BEGINS) // _GRID + 1) * _GRID
        if moment not in self._sweeps:
            self._sweeps.add(moment)
            self._world.at(moment, lambda: self._sweep(moment))

    def _sweep(self, moment: datetime) -> None:
        """What beat asks for, of a house that does not stand still."""
        self._sweeps.discard(moment)
        self._has_swept = True
        if self._household.stands:
            return
        self._witness.has_news = False
        is_done = self._household.work(Work.LETTERS, Work.HOURS)
        self._look()
        if is_done:
            self._household.diary.note("swept")
        if self._witness.has_news or not is_done:
            self._sweep_soon(self._world.moment)
        if due := self._household.next_due():
            self._sweep_soon(due - self._world.error)

    def _sweep_now_and_then(self) -> None:
        """Whatever the house believes to be due."""
        self._sweep(self._world.moment)
        self._world.after(_SWEPT_AT_LEAST, self._sweep_now_and_then)

    # ------------------------------------------------------------ what is going to happen

    def _lay_out(self) -> None:
        dice, plan = Random(f"{self._plan.seed} games"), self._plan
        numbers = range(max(2, plan.games * 2 // 3))
        for _ in range(plan.games):
            white, black = dice.sample(numbers, 2)
            variant, clock = dice.choice(_VARIANTS), dice.choice(CLOCKS)
            begins = BEGINS + timedelta(days=dice.uniform(0, plan.days * 0.6))
            self._world.at(begins, partial(self._propose, white, black, variant, clock))
        self._world.at(BEGINS, self._sweep_now_and_then)
        if plan.rates != CALM:
            self._lay_out_troubles()

    def _propose(self, white: int, black: int, variant: str, clock: str) -> None:
        house = self._household.house
        seated = self._players.player(white), self._players.player(black)
        addresses = Pair(seated[0].address, seated[1].address)
        game = self._players.sit_down(*seated)
        self._household.diary.note(
            "game", game=game, variant=variant, clock=clock, white=addresses.white, black=addresses.black
        )
        proposals.propose(house, addresses, variant, clock, house.now())
        self._witness.look()
        self._household.knocks.knock()

    def _lay_out_troubles(self) -> None:
        for days, trouble in (
            (9, self._stand_still),
            (14, self._set_the_clock),
            (6, self._take_no_mail),
            (8, self._send_mail_back),
        ):
            dice = Random(f"{self._plan.seed} {trouble.__name__}")
            at = BEGINS + timedelta(days=dice.expovariate(1 / days))
            while at < self._ends:
                self._world.at(at, partial(trouble, dice))
                at += timedelta(days=dice.expovariate(1 / days))

    def _stand_still(self, dice: Random) -> None:
        """Letters come in meanwhile, and nobody reads them."""
        if not self._household.stands:
            self._household.stand_still()
            self._world.after(timedelta(minutes=10 * 120 ** dice.random()), self._go_on)

    def _go_on(self) -> None:
        if self._household.stands:
            self._household.go_on()
            self._sweep(self._world.moment)

    def _set_the_clock(self, dice: Random) -> None:
        """It goes wrong by an hour or a day, and is set right again."""
        jump = dice.choice((1, -1)) * dice.choice((timedelta(hours=1), timedelta(days=1)))
        self._jump(jump)
        self._world.after(timedelta(hours=dice.uniform(0.1, 60)), partial(self._jump, -jump))

    def _jump(self, span: timedelta) -> None:
        if self._household.stands:
            self._world.after(timedelta(hours=1), partial(self._jump, span))
            return
        self._household.stand_still()
        self._world.error += span
        self._go_on()

    def _take_no_mail(self, dice: Random) -> None:
        self._household.post.is_down = True
        self._household.diary.note("no mail")
        self._world.after(timedelta(minutes=20 * 200 ** dice.random()), self._take_mail)

    def _take_mail(self) -> None:
        self._household.post.is_down = False
        self._household.diary.note("mail again")

    def _send_mail_back(self, dice: Random) -> None:
        """A mailbox is not known for a while."""
        player = self._players.player(dice.randrange(max(2, self._plan.games * 2 // 3)))
        bounces = self._household.post.bounces_to
        bounces.add(player.address)
        self._world.after(timedelta(hours=dice.uniform(1, 100)), lambda: bounces.discard(player.address))

    def _make_peace(self) -> None:
        self._players.is_quiet = True
        self._faults.rates = CALM
        self._take_mail()
        self._household.post.bounces_to.clear()
        self._go_on()
