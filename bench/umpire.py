"""How fast one order is judged, against `kriegspiel`, on one recorded stream of random games.

    python -m bench.umpire --games 30
    python -m bench.umpire --variant classic

Both sides' slips are built. The same stream is first played in lockstep: the answers must not differ. The two
then take turns game by game, and each game's best round counts, so that a busy machine slows neither alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter

from kriegspiel import (
    CincinnatiGame,
    CrazyKriegGame,
    EnglishGame,
    KriegspielGame,
    KriegspielMove,
    QuestionAnnouncement,
    Wild16Game,
)

from bench import lockstep, lockstep_classic, lockstep_crazykrieg
from bench.lockstep import Tally
from bench.lockstep_crazykrieg import order_for
from corr.rules.variants import umpire_of
from corr.words.orders import Order


def plain(variant: str, seed: int, tally: Tally) -> list[KriegspielMove]:
    """One random game of moves alone, played in lockstep."""
    moves = lockstep.play(seed, tally, nonsense=0, variant=variant)
    return [KriegspielMove(QuestionAnnouncement.COMMON, move) for move in moves]


#: How a game is recorded, and the peer's umpire.
VARIANTS: dict[str, tuple[Callable[[int, Tally], list[KriegspielMove]], type[KriegspielGame]]] = {
    "wild16": (partial(plain, "wild16"), Wild16Game),
    "cincinnati": (partial(plain, "cincinnati"), CincinnatiGame),
    "classic": (partial(lockstep_classic.play, nonsense=0), EnglishGame),
    "crazykrieg": (partial(lockstep_crazykrieg.play, nonsense=0), CrazyKriegGame),
}


def corr(variant: str, orders: list[Order]) -> float:
    """Seconds for judging one game with corr."""
    umpire = umpire_of(variant)
    start = perf_counter()
    ruling = umpire.start()
    for order in orders:
        assert ruling.turn
        ruling = umpire.judge(ruling.truth, ruling.turn, order)
    return perf_counter() - start


def peer(variant: str, questions: list[KriegspielMove]) -> float:
    """Seconds for judging one game with `kriegspiel`."""
    start = perf_counter()
    umpire = VARIANTS[variant][1]()
    for question in questions:
        umpire.ask_for(question)
    return perf_counter() - start


def race(variant: str, game: list[KriegspielMove], rounds: int) -> tuple[float, float]:
    """The best time of either for one game, everything read beforehand."""
    orders = [order_for(question) for question in game]
    times = [(corr(variant, orders), peer(variant, game)) for _ in range(rounds)]
    return min(ours for ours, _ in times), min(theirs for _, theirs in times)


def main() -> int:
    """Record, check, race, print the ratio."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--variant", choices=VARIANTS, default="wild16")
    asked.add_argument("--games", type=int, default=30)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    tally = Tally()
    stream = [VARIANTS[given.variant][0](seed, tally) for seed in range(given.games)]
    orders = sum(map(len, stream))
    races = [race(given.variant, game, given.rounds) for game in stream]
    ours, theirs = (sum(column) / orders for column in zip(*races, strict=True))
    for name, each in (("corr", ours), ("kriegspiel", theirs)):
        print(f"{name:11}{each * 1e6:8.1f} us an order {1 / each:10,.0f} orders/s")
    refused = tally.counts["refused"] / orders
    print(
        f"{given.variant}: {orders} orders, {refused:.0%} of them refused, {len(tally.differences)} differences"
    )
    print(f"ratio {theirs / ours:.1f}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
