"""How fast a turn of Reconnaissance Blind Chess is judged, sense and move, against `reconchess`.

    python -m bench.umpire_rbc --games 30

Both sides' slips are built. The same stream is first played in lockstep: the answers must not differ. The two then take
turns game by game, and each game's best round counts, so that a busy machine slows neither alone.
"""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

import chess
from reconchess import LocalGame

from bench.lockstep import Tally, order_of
from bench.lockstep_rbc import Turn, play
from corr.rules import umpire_of
from corr.words import Order, Pass, Sense


def corr(turns: list[Order]) -> float:
    """Seconds for judging one game with corr."""
    umpire = umpire_of("rbc")
    start = perf_counter()
    ruling = umpire.start()
    for order in turns:
        assert ruling.turn
        ruling = umpire.judge(ruling.truth, ruling.turn, order)
    return perf_counter() - start


def peer(turns: list[tuple[int | None, chess.Move | None]]) -> float:
    """Seconds for judging one game with `reconchess`."""
    start = perf_counter()
    game = LocalGame(None)
    game.start()
    for looked, move in turns:
        game.opponent_move_results()
        game.sense(looked)
        game.move(move)
        game.end_turn()
        game.is_over()
    return perf_counter() - start


def race(game: list[Turn], rounds: int) -> tuple[float, float]:
    """The best time of either for one game, everything read beforehand."""
    made = [(looked, moves[-1]) for looked, moves in game]
    orders = [Sense(looked, (), order_of(move) if move else Pass()) for looked, move in made]
    times = [(corr(orders), peer(made)) for _ in range(rounds)]
    return min(ours for ours, _ in times), min(theirs for _, theirs in times)


def main() -> int:
    """Record, check, race, print the ratio."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=30)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    tally = Tally(peer="reconchess")
    stream = [play(seed, tally) for seed in range(1, 1 + given.games)]
    turns = sum(map(len, stream))
    races = [race(game, given.rounds) for game in stream]
    ours, theirs = (sum(column) / turns for column in zip(*races, strict=True))
    for name, each in (("corr", ours), ("reconchess", theirs)):
        print(f"{name:11}{each * 1e6:8.1f} us a turn {1 / each:10,.0f} turns/s")
    print(f"{turns} turns, {len(tally.differences)} differences")
    print(f"ratio {theirs / ours:.1f}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
