"""One run: games begin through a season, faults strike by seed, and at last they stop."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random

from sqlalchemy import select

from bench.driver import Diary
from bench.mail import Received
from bench.simulation.players import Players
from bench.simulation.server import BEGINS, CALM, USUAL, Action, Faults, Rates, Server, World
from bench.simulation.witness import Witness
from corr.proof.proof import prove
from corr.service.games import game_records
from corr.service.lobby import game_starts
from corr.store.tables import GameRow, PlayerRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.view import Stage
from corr.worker_wakeup import Work

_CLOCKS = (
    *("3d", "1d", "2d steady", "5d", "3d+bank10d", "1d+bank2d"),
    *("10d+1d/15d", "3d+12h/4d", "3d claim", "none"),
)
_VARIANTS = ("wild16", "cincinnati", "classic")
_GRID = timedelta(seconds=15)
_SWEPT_AT_LEAST = timedelta(hours=4)
_SEATED = (
    select(GameRow.id, SeatRow.side, PlayerRow.address)
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
    .where(GameRow.state == Stage.OVER, GameRow.leaves > 0)
    .order_by(GameRow.id, SeatRow.side)
)


@dataclass(frozen=True, slots=True)
class Plan:
    """How many games are played, for how long, and the seed."""

    seed: int
    games: int = 12
    days: int = 40
    rates: Rates = USUAL
    peace: int = 12  # days at the end on which nothing goes wrong, and all that is late is told

    @property
    def people(self) -> int:
        return max(2, self.games * 2 // 3)


def run(plan: Plan, url: str) -> Diary:
    """Play a whole run; return its log."""
    return Run(plan, url).run()


class Run:
    """A server, its players, and their faults."""

    def __init__(self, plan: Plan, url: str) -> None:
        self._plan, self._world, self._faults = plan, World(), Faults(plan.seed, plan.rates)
        self._server = Server(url, self._world, self._faults, self._receive)
        self._diary = self._server.diary
        self._witness = Witness(self._server.server, self._diary, self._faults.away)
        self._players = Players(plan.seed, self._server, self._witness)
        self._mailboxes: defaultdict[str, list[bytes]] = defaultdict(list)
        self._ends = BEGINS + timedelta(days=plan.days)
        self._sweeps: set[datetime] = set()
        self._has_swept = False

    def _receive(self, received: Received) -> None:
        head = "".join(f"{name}: {received[name]}\n" for name in ("Date", "Subject"))
        letter = f"From umpire\n{head}\n{received.text}\n"
        self._mailboxes[received.recipient] += letter.encode().splitlines(keepends=True)
        self._players.receive(received)

    def run(self) -> Diary:
        random.seed(f"{self._plan.seed} house")  # when the server tries once more is by lot
        self._plan_games()
        with self._world.stopwatch():
            for deed in self._world.until(self._ends):
                self._do(deed)
            self._make_peace()
            for deed in self._world.until(self._ends + timedelta(days=self._plan.peace)):
                self._do(deed)
            self._witness.look_at_what_was_given_up()
            self._prove()
        self._server.server.store.close()
        return self._diary

    def _prove(self) -> None:
        """Check that finished games' records lead to the seals in each player's emails."""
        with self._server.server.store.reading() as connection:
            for game, side, address in connection.execute(_SEATED).all():
                record = game_records.write_record(connection, game, Side(side))
                lines = (line.encode() for line in record.splitlines(keepends=True))
                proof = prove(lines, [self._mailboxes[address]])
                what = {"what": "proved"} if proof.holds else {"what": "unproved", "why": proof.sentence}
                self._diary.note(**what, game=game, side=side)

    def _do(self, deed: Action) -> None:
        self._server.sign()
        self._has_swept = False
        deed()
        if self._server.is_stopped or self._has_swept:
            return
        if self._server.knocks.answered():
            self._server.work(Work.LETTERS)
            self._look()
        self._sweep_soon(self._world.moment)

    def _look(self) -> None:
        self._witness.look()
        self._players.see_moves()

    def _sweep_soon(self, after: datetime) -> None:
        """At the next quarter of a minute."""
        moment = BEGINS + ((after - BEGINS) // _GRID + 1) * _GRID
        if moment not in self._sweeps:
            self._sweeps.add(moment)
            self._world.at(moment, lambda: self._sweep(moment))

    def _sweep(self, moment: datetime) -> None:
        """What beat asks for, unless the server is stopped."""
        self._sweeps.discard(moment)
        self._has_swept = True
        if self._server.is_stopped:
            return
        self._witness.has_news = False
        is_done = self._server.work(Work.LETTERS, Work.HOURS)
        self._look()
        if is_done:
            self._diary.note("swept")
        if self._witness.has_news or not is_done:
            self._sweep_soon(self._world.moment)
        if due := self._server.next_due():
            self._sweep_soon(due - self._world.error)

    def _sweep_now_and_then(self) -> None:
        """Sweep when the server has something due."""
        self._sweep(self._world.moment)
        self._world.after(_SWEPT_AT_LEAST, self._sweep_now_and_then)

    def _plan_games(self) -> None:
        dice, plan = Random(f"{self._plan.seed} games"), self._plan
        for _ in range(plan.games):
            white, black = dice.sample(range(plan.people), 2)
            variant, clock = dice.choice(_VARIANTS), dice.choice(_CLOCKS)
            begins = BEGINS + timedelta(days=dice.uniform(0, plan.days * 0.6))
            self._world.at(begins, partial(self._propose, white, black, variant, clock))
        self._world.at(BEGINS, self._sweep_now_and_then)
        if plan.rates != CALM:
            self._plan_troubles()

    def _propose(self, white: int, black: int, variant: str, clock: str) -> None:
        server, seated = self._server.server, [self._players.player(each) for each in (white, black)]
        players = Pair(*(player.address for player in seated))
        number = self._players.sit_down(*seated)
        told = {"variant": variant, "clock": clock, "white": players.white, "black": players.black}
        self._diary.note("game", game=number, **told)
        game_starts.propose(server, players, variant, clock, server.now())
        self._witness.look()
        self._server.knocks(Work.LETTERS)

    def _plan_troubles(self) -> None:
        troubles = ((9, self._outage), (14, self._wrong_clock), (6, self._no_mail), (8, self._bounces))
        for days, trouble in troubles:
            dice, at = Random(f"{self._plan.seed} {trouble.__name__}"), BEGINS
            while (at := at + timedelta(days=dice.expovariate(1 / days))) < self._ends:
                self._world.at(at, partial(trouble, dice))

    def _outage(self, dice: Random) -> None:
        """Stop the workers for a while; emails still come in."""
        if not self._server.is_stopped:
            self._server.stop()
            self._world.after(timedelta(minutes=10 * 120 ** dice.random()), self._go_on)

    def _go_on(self) -> None:
        if self._server.is_stopped:
            self._server.go_on()
            self._sweep(self._world.moment)

    def _wrong_clock(self, dice: Random) -> None:
        """Set the clock wrong by an hour or a day, and right again later."""
        jump = dice.choice((1, -1)) * dice.choice((timedelta(hours=1), timedelta(days=1)))
        self._jump(jump)
        self._world.after(timedelta(hours=dice.uniform(0.1, 60)), partial(self._jump, -jump))

    def _jump(self, span: timedelta) -> None:
        if self._server.is_stopped:
            self._world.after(timedelta(hours=1), partial(self._jump, span))
            return
        self._server.stop()
        self._world.error += span
        self._go_on()

    def _no_mail(self, dice: Random) -> None:
        self._server.post.is_down = True
        self._diary.note("no mail")
        self._world.after(timedelta(minutes=20 * 200 ** dice.random()), self._mail_again)

    def _mail_again(self) -> None:
        self._server.post.is_down = False
        self._diary.note("mail again")

    def _bounces(self, dice: Random) -> None:
        """A mailbox is not known for a while."""
        address, bouncing = (
            self._players.player(dice.randrange(self._plan.people)).address,
            self._server.post.bounces_to,
        )
        bouncing.add(address)
        self._world.after(timedelta(hours=dice.uniform(1, 100)), lambda: bouncing.discard(address))

    def _make_peace(self) -> None:
        self._players.is_quiet = True
        self._faults.rates = CALM
        self._mail_again()
        self._server.post.bounces_to.clear()
        self._go_on()
