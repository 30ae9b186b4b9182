"""What a side recalls: the table `memory.cases`, and rules for all games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from corr.game.memory import add_memory
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Side
from corr.words.slips import Sight, Slip
from tests.support.sight_cases import ranks
from tests.support.umpire_cases import flipped, mirrored_fen, order_of


class Case(NamedTuple):
    """Orders in a position, and the board as one side recalls it then."""

    title: str
    variant: str
    fen: str
    orders: tuple[str, ...]
    side: Side
    board: tuple[str, ...]

    def mirrored(self) -> Case:
        return Case(
            f"{self.title}, colours changed",
            self.variant,
            mirrored_fen(self.fen),
            tuple(map(flipped, self.orders)),
            self.side.other,
            tuple(rank.swapcase() for rank in reversed(self.board)),
        )


def cases() -> Iterator[Case]:
    _, *blocks = (Path(__file__).with_name("memory.cases")).read_text().strip().split("\n\n")
    for block in blocks:
        title, position, orders, side, *board = block.splitlines()
        variant, fen = position.split(" ", 1)
        drawn = tuple(ranks("\n".join(board)))
        case = Case(title, variant, fen, tuple(orders.split(" | ")), Side(side.lower()), drawn)
        yield from (case, case.mirrored())


class Memory:
    """What both sides recall after each ruling."""

    def __init__(self) -> None:
        self.sights: dict[Side, Sight] = {}
        self.slips: list[Slip] = []

    def take(self, ruling: Ruling) -> None:
        for slip in filter(None, (ruling.slips.white, ruling.slips.black)):
            recalled = add_memory(self.sights.get(slip.side), slip)
            self.sights[slip.side] = recalled.sight
            self.slips.append(recalled)


def play_orders(umpire: Umpire, fen: str, orders: tuple[str, ...]) -> Memory:
    ruling, memory = umpire.start(fen), Memory()
    memory.take(ruling)
    for order in orders:
        assert ruling.turn
        ruling = umpire.judge(ruling.truth, ruling.turn, order_of(order))
        memory.take(ruling)
    return memory


@pytest.mark.parametrize("case", [*cases()], ids=lambda case: case.title)
def test_memory_matches_the_table(case: Case) -> None:
    sight = play_orders(find_umpire(case.variant), case.fen, case.orders).sights[case.side]
    signs = sight.signs()

    drawn = [" ".join(signs[rank * 8 : rank * 8 + 8]) for rank in reversed(range(8))]

    assert tuple(drawn) == case.board


def games(variant: str, count: int) -> Iterator[Memory]:
    """Yield what both recall after each ruling of random games."""
    rng, umpire = random.Random(5), find_umpire(variant)
    for _ in range(count):
        ruling, memory = umpire.start(), Memory()
        memory.take(ruling)
        while ruling.outcome is None:
            side = ruling.turn or rng.choice(tuple(Side))
            order = rng.choice(umpire.possible_tries(ruling.truth.sights[side]))
            ruling = umpire.judge(ruling.truth, side, order_of(order))
            memory.take(ruling)
            yield memory


@pytest.mark.parametrize("variant", UMPIRES)
def test_only_opposing_pieces_are_recalled_once_each_and_off_own_squares(variant: str) -> None:
    for memory in games(variant, 2):
        for sight in memory.sights.values():
            squares = [square for each in sight.recalled for square, _ in each.squares]
            assert len(squares) == len({*squares})
            assert not any(sight.own >> square & 1 for square in squares)
            own = "PNBRQK" if sight.side is Side.WHITE else "pnbrqk"
            assert not {held for each in sight.recalled for _, held in each.squares} & {*own}


@pytest.mark.parametrize("variant", UMPIRES)
def test_the_same_slip_twice_changes_nothing(variant: str) -> None:
    """So a later slip repeats the same sight."""
    for memory in games(variant, 1):
        slip = memory.slips[-1]
        assert add_memory(slip.sight, slip._replace(facts=())) == slip._replace(facts=())


@pytest.mark.parametrize("variant", UMPIRES)
def test_nothing_is_recalled_once_everything_is_seen(variant: str) -> None:
    *_, memory = games(variant, 1)
    assert [sight.recalled for sight in memory.sights.values()] == [(), ()]
