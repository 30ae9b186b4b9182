"""How fast an order is judged beside another umpire, on one recorded stream of random games.

    python -m bench.umpire --games 30
    python -m bench.umpire --variant rbc

The other is `kriegspiel`; `reconchess` for RBC, in which an order is a turn, "sense e4; e2e4"; and our own Wild 16 for
Assassin and Welbeck. Both sides' slips are built. Streams of other packages are first played in lockstep: the answers
must not differ. The two take turns game by game, and each game's best round counts, so that a busy machine slows
neither alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from bench.driver import ask, seconds
from bench.lockstep import MODULES, Tally
from bench.slips import Game
from corr.rules.variants import find_umpire
from corr.words.orders import Order, Sense

#: Games of RBC that begin as chess, with few passes.
RBC_SEEDS = range(6, 6_000, 60)


@dataclass
class Match:
    """How corr and the other program judge one game, and the number of orders."""

    ours: Callable[[], object]
    theirs: Callable[[], object]
    orders: int
    other_orders: int


def corr(variant: str, orders: Sequence[Order]) -> None:
    """Judge one game with corr."""
    umpire = find_umpire(variant)
    ruling = umpire.start()
    for order in orders:
        assert ruling.turn
        ruling = umpire.judge(ruling.truth, ruling.turn, order)


def beside_kriegspiel(variant: str, number: int, tally: Tally) -> Match:
    peers = import_module(MODULES[variant])
    questions = peers.play(variant, number, tally, nonsense=0)

    def judge() -> None:
        umpire = peers.PEERS[variant].game()
        for question in questions:
            umpire.ask_for(question)

    orders = [peers.order_for(question) for question in questions]
    return Match(partial(corr, variant, orders), judge, len(orders), len(orders))


def beside_reconchess(variant: str, number: int, tally: Tally) -> Match:
    peers = import_module(MODULES[variant])
    turns = [(looked, moves[-1]) for looked, moves in peers.play(variant, RBC_SEEDS[number], tally)]
    orders = [Sense(looked, (), peers.order_of(move)) for looked, move in turns]
    return Match(partial(corr, variant, orders), partial(_replay, turns), len(turns), len(turns))


def _replay(turns: list[tuple[Any, Any]]) -> None:
    """Let `reconchess` play turn by turn, as it plays its own games."""
    reconchess = import_module("reconchess")
    player, game = Replaying(turns[::-1]), reconchess.LocalGame(None)
    game.start()
    while not game.is_over():
        reconchess.play_turn(game, player)


@dataclass
class Replaying:
    """A `reconchess` player that follows a recorded game."""

    asked: list[tuple[Any, Any]]

    def handle_opponent_move_result(self, *heard: object) -> None:
        """Ignore captures."""

    handle_sense_result = handle_move_result = handle_opponent_move_result

    def choose_sense(self, *_offered: object) -> Any:
        return self.asked[-1][0]

    def choose_move(self, *_offered: object) -> Any:
        return self.asked.pop()[1]


def beside_wild16(variant: str, number: int, _tally: Tally) -> Match:
    ours, wild16 = Game(variant, number), Game("wild16", number)
    return Match(ours.judge, wild16.judge, len(ours.orders), len(wild16.orders))


OTHERS = {
    **dict.fromkeys(MODULES, ("kriegspiel", beside_kriegspiel)),
    "rbc": ("reconchess", beside_reconchess),
    **dict.fromkeys(("assassin", "welbeck"), ("Wild 16", beside_wild16)),
}


def main() -> int:
    asked, tally = ask(__doc__, variant=tuple(OTHERS), games=30, rounds=5), Tally()
    other, record = OTHERS[asked.variant]
    matches = [record(asked.variant, number, tally) for number in range(asked.games)]
    best = [0.0, 0.0]
    for match in matches:
        times = [(seconds(match.ours), seconds(match.theirs)) for _ in range(asked.rounds)]
        best = [sum_ + min(column) for sum_, column in zip(best, zip(*times, strict=True), strict=True)]
    orders = sum(match.orders for match in matches)
    ours, theirs = best[0] / orders, best[1] / sum(match.other_orders for match in matches)
    for name, each in (("corr", ours), (other, theirs)):
        print(f"{name:11}{each * 1e6:8.1f} us an order {1 / each:10,.0f} orders/s")
    refused = f"{tally.counts['refused'] / orders:.0%} of them refused"
    print(f"{asked.variant}: {orders} orders, {refused}, {len(tally.differences)} differences")
    print(f"ratio {theirs / ours:.1f}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
