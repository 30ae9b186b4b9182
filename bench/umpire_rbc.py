"""How fast a turn of Reconnaissance Blind Chess is judged, sense and move, against `reconchess`.

    python -m bench.umpire_rbc --games 30

A turn is one order to corr, "sense e4; e2e4", of which both sides' slips are built, and one `play_turn` to
`reconchess`, by players who have nothing to think about. The same stream is first played in lockstep: the answers must
not differ. The two then take turns game by game, and each game's best round counts, so that a busy machine slows
neither alone. The second line is corr having forgotten the sentences for all windows that it has seen before.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import chess
from reconchess import LocalGame, play_turn

from bench.lockstep import Tally, order_of
from bench.lockstep_rbc import Turn, play
from corr.rules.core import sensing
from corr.rules.variants import umpire_of
from corr.words.orders import Order, Pass, Sense


def corr(turns: Sequence[Order]) -> float:
    """Seconds for judging one game with corr."""
    umpire = umpire_of("rbc")
    start = perf_counter()
    ruling = umpire.start()
    for order in turns:
        assert ruling.turn
        ruling = umpire.judge(ruling.truth, ruling.turn, order)
    return perf_counter() - start


@dataclass
class Replaying:
    """A player of `reconchess` who asks for what is written down, and hears what there is to hear."""

    asked: list[tuple[int | None, chess.Move | None]]

    def handle_opponent_move_result(self, *heard: object) -> None:
        """Where something was captured."""

    def choose_sense(self, *_offered: object) -> int | None:
        return self.asked[-1][0]

    def handle_sense_result(self, *heard: object) -> None:
        """What stands there."""

    def choose_move(self, *_offered: object) -> chess.Move | None:
        return self.asked.pop()[1]

    def handle_move_result(self, *heard: object) -> None:
        """What became of the move."""


def peer(turns: list[tuple[int | None, chess.Move | None]]) -> float:
    """Seconds for judging one game with `reconchess`, turn by turn as it plays them itself."""
    player = Replaying(turns[::-1])
    start = perf_counter()
    game = LocalGame(None)
    game.start()
    while not game.is_over():
        play_turn(game, player)
    return perf_counter() - start


def forgetful(turns: Sequence[Order]) -> float:
    """The same without what it remembers of earlier games."""
    sensing._look.cache_clear()
    return corr(turns)


def race(game: list[Turn], rounds: int) -> tuple[float, ...]:
    """The best time of each for one game, everything read beforehand."""
    made = [(looked, moves[-1]) for looked, moves in game]
    orders = [Sense(looked, (), order_of(move) if move else Pass()) for looked, move in made]
    times = [(corr(orders), forgetful(orders), peer(made)) for _ in range(rounds)]
    return tuple(map(min, zip(*times, strict=True)))


def main() -> int:
    """Record, check, race, print the ratio."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=30)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    tally = Tally(peer="reconchess")
    # Those that begin as chess does, and in which people move.
    stream = [play(seed, tally) for seed in range(6, 6 + 60 * given.games, 60)]
    turns = sum(map(len, stream))
    races = [race(game, given.rounds) for game in stream]
    ours, cold, theirs = (sum(column) / turns for column in zip(*races, strict=True))
    for name, each in (("corr", ours), ("forgetful", cold), ("reconchess", theirs)):
        print(f"{name:11}{each * 1e6:8.1f} us a turn {1 / each:10,.0f} turns/s")
    print(f"{turns} turns, {len(tally.differences)} differences")
    print(f"ratio {theirs / ours:.1f}, forgetful {theirs / cold:.1f}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
