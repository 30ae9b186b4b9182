"""House players against each other and against others: points, lengths, and what a move costs.

python -m bench.arena strongest heuristics --variant wild16 --games 100
STOCKFISH_EXECUTABLE=/usr/games/stockfish python -m bench.arena strongest trout --variant rbc --games 40
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any, NamedTuple

from bench.guests import GUESTS, Guest
from bench.sitters import SIMPLE, Sitter
from corr.bots.character import CHARACTERS
from corr.bots.heard import Heard
from corr.bots.player import Player
from corr.rules.core.trying import in_turn
from corr.rules.core.umpire import Umpire
from corr.rules.variants import UMPIRES, umpire_of
from corr.words.board import Side
from corr.words.orders import Order
from corr.words.slips import Outcome

_TOO_LONG = 400


@dataclass
class Played:
    """How a game went for the first of the two."""

    outcome: Outcome | None = None
    won: bool = False
    plies: int = 0
    moves: int = 0
    cpu: float = 0.0

    @property
    def points(self) -> float:
        if self.outcome is None or self.outcome.winner is None:
            return 0.5
        return float(self.won)

    @property
    def ending(self) -> str:
        return self.outcome.reason if self.outcome else "too long"


class Pairing(NamedTuple):
    """Who plays whom at what, in which of how many games."""

    first: str
    second: str
    variant: str
    seed: int
    number: int


@dataclass
class Table:
    """One game while it is played."""

    umpire: Umpire[Any]
    sitters: dict[Side, Sitter]
    counted: Side
    played: Played = field(default_factory=Played)
    truth: Any = None

    def play(self) -> Played:
        """Play it to its end."""
        self._hand(self.umpire.start(), None, None)
        while self.played.outcome is None and self.played.plies < _TOO_LONG:
            turn = self.umpire.turn(self.truth)
            for side in [turn] if turn else Side:
                order = self._written(side)
                for step, ruling in in_turn(self.umpire, self.truth, side, order):
                    self._hand(ruling, side, step)
            self.played.plies = self.umpire.plies(self.truth)
        self.played.moves = (self.played.plies + 1) // 2
        return self.played

    def _written(self, side: Side) -> Order:
        since = time.process_time()
        order = self.sitters[side].write()
        self._count(side, since)
        return order

    def _hand(self, ruling: Any, by: Side | None, order: Order | None) -> None:
        self.truth = ruling.truth
        for side in Side:
            slip = ruling.slips[side]
            if slip is not None:
                since = time.process_time()
                self.sitters[side].hear(Heard(slip, order if side is by else None))
                self._count(side, since)
        if ruling.outcome is not None:
            self.played.outcome = ruling.outcome
            self.played.won = ruling.outcome.winner is self.counted

    def _count(self, side: Side, since: float) -> None:
        if side is self.counted:
            self.played.cpu += time.process_time() - since


def sitter(name: str, umpire: Umpire[Any], seed: int) -> Sitter:
    """Who is called so."""
    if name in CHARACTERS:
        return Player(umpire, CHARACTERS[name], seed)
    return SIMPLE[name](umpire, seed) if name in SIMPLE else Guest(umpire, GUESTS[name]())


def play(pairing: Pairing) -> Played:
    """One game of the two, who change colours from game to game."""
    umpire = umpire_of(pairing.variant)
    counted = Side.BLACK if pairing.number % 2 else Side.WHITE
    seed = (pairing.seed << 20) + 2 * pairing.number
    sitters = {
        counted: sitter(pairing.first, umpire, seed),
        counted.other: sitter(pairing.second, umpire, seed + 1),
    }
    return Table(umpire, sitters, counted).play()


def report(asked: argparse.Namespace, games: list[Played]) -> str:
    """What came of the games, in one paragraph."""
    points = [game.points for game in games]
    won, lost = points.count(1.0), points.count(0.0)
    share = mean(points)
    off = 1.96 * math.sqrt(mean((each - share) ** 2 for each in points) / len(points))
    moves = sum(game.moves for game in games)
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    endings = ", ".join(
        f"{ending} {count}" for ending, count in Counter(g.ending for g in games).most_common()
    )
    return (
        f"{asked.variant}: {asked.first} - {asked.second}: {won}-{lost}-{len(games) - won - lost}, "
        f"{100 * share:.0f} ± {100 * off:.0f} % of points; {median(game.plies for game in games):.0f} plies; "
        f"{sum(game.cpu for game in games) / moves:.3f} s CPU a move, {megabytes} MB; {endings}\n"
    )


def main() -> None:
    """Play the games that are asked for, and print what came of them."""
    names = [*CHARACTERS, *SIMPLE, *GUESTS]
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("first", choices=names)
    reader.add_argument("second", choices=names)
    reader.add_argument("--variant", choices=UMPIRES, default="wild16")
    reader.add_argument("--games", type=int, default=100)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--jobs", type=int, default=2)
    asked = reader.parse_args()
    pairings = [
        Pairing(asked.first, asked.second, asked.variant, asked.seed, number) for number in range(asked.games)
    ]
    with ProcessPoolExecutor(asked.jobs) as pool:
        games = list(pool.map(play, pairings))
    sys.stdout.write(report(asked, games))


if __name__ == "__main__":
    main()
