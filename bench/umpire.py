"""How fast one order is judged, against `kriegspiel`, on one recorded stream of random games.

    python bench/umpire.py --games 30

Both sides' slips are built. The same stream is first played in lockstep: the answers must not differ. The two
then take turns game by game, and each game's best round counts, so that a busy machine slows neither alone.
"""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

import chess
from kriegspiel import KriegspielMove, QuestionAnnouncement, Wild16Game

from bench.lockstep import Tally, order_of, play
from corr.rules import umpire_of
from corr.words import Move


def corr(orders: list[Move]) -> float:
    """Seconds for judging one game with corr."""
    umpire = umpire_of("wild16")
    start = perf_counter()
    ruling = umpire.start()
    for order in orders:
        assert ruling.turn
        ruling = umpire.judge(ruling.truth, ruling.turn, order)
    return perf_counter() - start


def peer(questions: list[KriegspielMove]) -> float:
    """Seconds for judging one game with `kriegspiel`."""
    start = perf_counter()
    umpire = Wild16Game()
    for question in questions:
        umpire.ask_for(question)
    return perf_counter() - start


def race(game: list[chess.Move], rounds: int) -> tuple[float, float]:
    """The best time of either for one game, everything read beforehand."""
    orders = [order_of(move) for move in game]
    questions = [KriegspielMove(QuestionAnnouncement.COMMON, move) for move in game]
    times = [(corr(orders), peer(questions)) for _ in range(rounds)]
    return min(ours for ours, _ in times), min(theirs for _, theirs in times)


def main() -> int:
    """Record, check, race, print the ratio."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=30)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    tally = Tally()
    stream = [play(seed, tally, nonsense=0) for seed in range(given.games)]
    orders = sum(map(len, stream))
    races = [race(game, given.rounds) for game in stream]
    ours, theirs = (sum(column) / orders for column in zip(*races, strict=True))
    for name, each in (("corr", ours), ("kriegspiel", theirs)):
        print(f"{name:11}{each * 1e6:8.1f} us an order {1 / each:10,.0f} orders/s")
    refused = tally.counts["refused"] / orders
    print(f"{orders} orders, {refused:.0%} of them refused, {len(tally.differences)} differences")
    print(f"ratio {theirs / ours:.1f}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
