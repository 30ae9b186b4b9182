"""How fast an order is judged in Assassin and Welbeck, whose moves are our own, beside Wild 16's.

    python -m bench.umpire_assassin --games 30

Random games of what own men's pattern allows, both sides' slips built; the three take turns game by game, and each
game's best round counts.
"""

from __future__ import annotations

import argparse
import random
from time import perf_counter

from corr.orders import Puzzle, read_order
from corr.rules.variants import umpire_of
from corr.words.board import Side
from corr.words.orders import Deploy, Order

VARIANTS = ("wild16", "assassin", "welbeck")
MOST = 600


def recorded(variant: str, seed: int) -> list[tuple[Side, Order]]:
    """One random game, from the deployments on where there are any."""
    rng, umpire = random.Random(seed), umpire_of(variant)
    orders: list[tuple[Side, Order]] = []
    ruling = umpire.start()
    while ruling.outcome is None and len(orders) < MOST:
        side = ruling.turn or Side.WHITE
        order = read_order(rng.choice(umpire.options(ruling.truth.sights[side])))
        assert not isinstance(order, Puzzle)
        orders.append((side, order))
        ruling = umpire.judge(ruling.truth, side, order)
    return orders


def judged(variant: str, orders: list[tuple[Side, Order]]) -> float:
    """Seconds for judging the moves of a game."""
    umpire = umpire_of(variant)
    ruling = umpire.start()
    deploys = [each for each in orders if isinstance(each[1], Deploy)]
    for side, order in deploys:
        ruling = umpire.judge(ruling.truth, side, order)
    begun = perf_counter()
    for side, order in orders[len(deploys) :]:
        ruling = umpire.judge(ruling.truth, side, order)
    return perf_counter() - begun


def main() -> None:
    """Record, race, print the ratios."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=30)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    games = {variant: [recorded(variant, seed) for seed in range(given.games)] for variant in VARIANTS}
    best = dict.fromkeys(VARIANTS, 0.0)
    for number in range(given.games):
        rounds = [{name: judged(name, games[name][number]) for name in VARIANTS} for _ in range(given.rounds)]
        for name in VARIANTS:
            best[name] += min(each[name] for each in rounds)
    speeds = {name: best[name] / sum(map(len, games[name])) for name in VARIANTS}
    for name, seconds in speeds.items():
        share = speeds["wild16"] / seconds
        print(f"{name:9}{seconds * 1e6:8.1f} us an order: {share:.2f} of Wild 16's speed")


if __name__ == "__main__":
    main()
