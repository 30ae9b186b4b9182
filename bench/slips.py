"""What it takes to keep an order's slips and to read them again, beside judging the order, and beside plain JSON.

    python -m bench.slips --games 30

Random games of what own men's pattern allows. Judging, JSON and ours take turns game by game, and each game's best
round counts. Every round begins with nothing remembered of earlier slips.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from functools import partial
from time import perf_counter

from corr.orders import Puzzle, read_order
from corr.rules.variants import UMPIRES, umpire_of
from corr.store import slips
from corr.words.board import Pair, Side
from corr.words.orders import Order
from corr.words.slips import Slip

MOST = 300

Kept = list[tuple[Side, bytes, bytes]]


class Game:
    """Orders, and the slips that the umpire hands out for each."""

    def __init__(self, variant: str, seed: int) -> None:
        rng, umpire = random.Random(seed), umpire_of(variant)
        ruling = umpire.start()
        self.variant, self.orders, self.slips = variant, list[tuple[Side, Order]](), list[Slip]()
        while ruling.outcome is None and len(self.orders) < MOST:
            side = ruling.turn or rng.choice(tuple(Side))
            order = read_order(rng.choice(umpire.options(ruling.truth.sights[side])))
            assert not isinstance(order, Puzzle)
            ruling = umpire.judge(ruling.truth, side, order)
            self.orders.append((side, order))
            self.slips += filter(None, _both(ruling.slips))

    def judge(self) -> None:
        umpire = umpire_of(self.variant)
        ruling = umpire.start()
        for side, order in self.orders:
            ruling = umpire.judge(ruling.truth, side, order)

    def as_json(self) -> list[str]:
        return [_as_json(slip) for slip in self.slips]

    def pack(self) -> Kept:
        return [(slip.side, *slips.pack(slip)) for slip in self.slips]


def _both(pair: Pair[Slip | None]) -> tuple[Slip | None, Slip | None]:
    return pair.white, pair.black


def _as_json(slip: Slip) -> str:
    facts = [[fact.code, fact.text, fact.plain] for fact in slip.facts]
    recalled = [[each.move, each.squares] for each in slip.sight.recalled]
    lost = [[toll.men, toll.pawns] for toll in (slip.sight.lost.white, slip.sight.lost.black)]
    reserves = slip.sight.reserves and [slip.sight.reserves.white, slip.sight.reserves.black]
    sight = [*slip.sight[1:10], lost, slip.sight.promoted, reserves, recalled, slip.sight.sense_due]
    return json.dumps([facts, sight], separators=(",", ":"), ensure_ascii=False)


def read(kept: Kept) -> list[Slip]:
    return [slips.unpack(*each) for each in kept]


def seconds(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def forget() -> None:
    for remembered in (slips._packed_facts, slips._said, slips._facts, slips._sight):
        remembered.cache_clear()


def measure(variant: str, games: int, rounds: int) -> None:
    stream = [Game(variant, seed) for seed in range(games)]
    best = [[float("inf")] * 4 for _ in stream]
    for _ in range(rounds):
        forget()
        for number, game in enumerate(stream):
            times = [seconds(work) for work in (game.judge, game.as_json, game.pack)]
            kept = game.pack()
            times.append(seconds(partial(read, kept)))
            assert read(kept) == game.slips
            best[number] = list(map(min, best[number], times))
    orders = sum(len(game.orders) for game in stream)
    judged, plain, packed, unpacked = (sum(column) / orders * 1e6 for column in zip(*best, strict=True))
    size = sum(len(facts) + len(sight) for game in stream for _, facts, sight in game.pack()) / orders
    long = sum(len(text.encode()) for game in stream for text in game.as_json()) / orders
    print(
        f"{variant:11}judged {judged:5.1f} µs; packed {packed:5.1f} µs, {packed / judged:.2f}x, to {size:4.0f} bytes;"
        f" read {unpacked:5.1f} µs; JSON made {plain:5.1f} µs, {long:4.0f} bytes"
    )


def main() -> None:
    """Measure each variant."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=30)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    for variant in UMPIRES:
        measure(variant, given.games, given.rounds)


if __name__ == "__main__":
    main()
