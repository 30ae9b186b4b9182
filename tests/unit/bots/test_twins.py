"""Two truths that gave a seat the same slips get the same orders from its bot."""

from __future__ import annotations

from itertools import cycle
from typing import NamedTuple

import pytest

from corr.bots.bot import BotPlayer, Thought
from corr.bots.characters import Character
from corr.bots.history import Observation
from corr.rules.variants import find_umpire
from corr.words.board import SQUARE_NUMBER, Side
from corr.words.orders import Deploy, Move, Order, Sense

SMALL = Character(positions=20, boards=4, noise=20.0)


class Twins(NamedTuple):
    """Two lines of Black's moves that look the same to White."""

    variant: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    own: tuple[str, ...] = ("e2e4", "g1f3", "f1c4")
    deployed: tuple[str, str] = ("", "")  # Black's set-up in the first line and in the second


TWINS = [
    Twins("wild16", ("e7e5", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    Twins("cincinnati", ("e7e6", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    Twins("classic", ("e7e5", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    Twins("crazykrieg", ("e7e5", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    Twins("rbc", ("e7e5", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    *(
        Twins(
            variant,
            ("a7a6", "h7h6", "b8c6"),
            ("a8b8", "b8a8", "a8b8"),
            ("a3a4", "h3h4", "b3b4"),
            deployed=("home", "vanguard"),
        )
        for variant in ("welbeck", "assassin")
    ),
]


def move(text: str) -> Move:
    return Move(SQUARE_NUMBER[text[:2]], SQUARE_NUMBER[text[2:]])


def observations(twins: Twins, black_moves: tuple[str, ...], deployed: str) -> list[Observation]:
    """Return all observations of White's seat in a line."""
    umpire = find_umpire(twins.variant)
    moves = [move(text) for pair in zip(twins.own, black_moves, strict=True) for text in pair]
    orders: list[Order] = [Sense(None, otherwise=each) if twins.variant == "rbc" else each for each in moves]
    if deployed:
        orders = [Deploy(name="corner"), Deploy(name=deployed), *orders]
    ruling = umpire.start()
    observed = [Observation(ruling.slips.white)]
    for side, order in zip(cycle(Side), orders, strict=False):
        ruling = umpire.judge(ruling.truth, side, order)
        observed.append(Observation(ruling.slips.white, order if side is Side.WHITE else None))
    return observed


def player_after(variant: str, observed: list[Observation]) -> BotPlayer:
    player = BotPlayer(find_umpire(variant), SMALL, 7)
    player.resume(Thought(), observed)
    return player


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.variant)
def test_two_truths_that_gave_the_same_slips_get_the_same_orders(twins: Twins):
    ways = zip((twins.first, twins.second), twins.deployed, strict=True)
    first, second = (observations(twins, black_moves, deployed) for black_moves, deployed in ways)
    assert first == second
    assert player_after(twins.variant, first).write() == player_after(twins.variant, second).write()


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.variant)
def test_a_bot_resumed_from_its_thought_writes_the_same_orders(twins: Twins):
    observed = observations(twins, twins.first, twins.deployed[0])
    for until in range(1, len(observed)):
        before = player_after(twins.variant, observed[:until])
        resumed = BotPlayer(find_umpire(twins.variant), SMALL, 7)
        resumed.resume(before.thought, observed)
        assert resumed.write() == player_after(twins.variant, observed).write()
