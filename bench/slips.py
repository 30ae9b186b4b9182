"""How long it takes to keep an order's slips and to read them again, beside judging the order.

    python -m bench.slips --games 30

Random games of what a side's own pieces seem to allow. Judging, keeping and reading take turns game by game, and each
game's best round counts. Every round begins with nothing remembered of earlier slips.
"""

from __future__ import annotations

import random
from functools import partial

from bench.driver import ask, seconds
from corr.orders import UnclearLine, parse_order
from corr.rules.variants import UMPIRES, find_umpire
from corr.store import slips
from corr.words.board import Side
from corr.words.orders import Order
from corr.words.slips import Slip

MOST = 300

Kept = list[tuple[Side, bytes, bytes]]


class Game:
    """Random orders and their slips."""

    def __init__(self, variant: str, seed: int) -> None:
        rng, umpire = random.Random(seed), find_umpire(variant)
        ruling = umpire.start()
        self.variant, self.orders, self.slips = variant, list[tuple[Side, Order]](), list[Slip]()
        while ruling.outcome is None and len(self.orders) < MOST:
            side = ruling.turn or rng.choice(tuple(Side))
            order = parse_order(rng.choice(umpire.possible_tries(ruling.truth.sights[side])))
            assert not isinstance(order, UnclearLine)
            ruling = umpire.judge(ruling.truth, side, order)
            self.orders.append((side, order))
            self.slips += filter(None, (ruling.slips.white, ruling.slips.black))

    def judge(self) -> None:
        umpire = find_umpire(self.variant)
        ruling = umpire.start()
        for side, order in self.orders:
            ruling = umpire.judge(ruling.truth, side, order)

    def pack(self) -> Kept:
        return [(slip.side, *slips.pack(slip)) for slip in self.slips]


def read(kept: Kept) -> list[Slip]:
    return [slips.unpack(*each) for each in kept]


def measure(variant: str, games: int, rounds: int) -> None:
    stream = [Game(variant, seed) for seed in range(games)]
    best = [[float("inf")] * 3 for _ in stream]
    for _ in range(rounds):
        for remembered in (slips._pack_facts, slips._fact_to_json, slips._unpack_facts, slips._unpack_sight):
            remembered.cache_clear()
        for number, game in enumerate(stream):
            times = [seconds(game.judge), seconds(game.pack)]
            kept = game.pack()
            times.append(seconds(partial(read, kept)))
            assert read(kept) == game.slips
            best[number] = list(map(min, best[number], times))
    orders = sum(len(game.orders) for game in stream)
    judged, packed, unpacked = (sum(column) / orders * 1e6 for column in zip(*best, strict=True))
    size = sum(len(facts) + len(sight) for game in stream for _, facts, sight in game.pack()) / orders
    print(
        f"{variant:11}judged {judged:5.1f} µs; packed {packed:5.1f} µs (goal 15), to {size:4.0f} bytes;"
        f" read {unpacked:5.1f} µs an order"
    )


def main() -> None:
    asked = ask(__doc__, games=30, rounds=5)
    for variant in UMPIRES:
        measure(variant, asked.games, asked.rounds)


if __name__ == "__main__":
    main()
