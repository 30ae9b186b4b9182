"""Two truths that gave a seat the same slips get the same orders from it, whatever else is true of them."""

from __future__ import annotations

from itertools import cycle
from typing import NamedTuple

import pytest

from corr.bots.characters import Character
from corr.bots.history import Observation
from corr.bots.player import BotPlayer, Thought
from corr.rules.variants import find_umpire
from corr.words.board import SQUARE_NUMBER, Side
from corr.words.orders import Deploy, Move, Order, Sense

SMALL = Character(positions=20, boards=4, noise=20.0)


class Twins(NamedTuple):
    """Two ways in which the other side, Black, may have moved without White being told which."""

    variant: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    own: tuple[str, ...] = ("e2e4", "g1f3", "f1c4")
    deployed: tuple[str, str] = ("", "")  # what Black has deployed for the first and for the second


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


def lived(twins: Twins, others: tuple[str, ...], deployed: str) -> list[Observation]:
    """All that White's seat was handed while both moved so."""
    umpire = find_umpire(twins.variant)
    moves = [move(text) for pair in zip(twins.own, others, strict=True) for text in pair]
    orders: list[Order] = [Sense(None, otherwise=each) if twins.variant == "rbc" else each for each in moves]
    if deployed:
        orders = [Deploy(name="corner"), Deploy(name=deployed), *orders]
    ruling = umpire.start()
    heard = [Observation(ruling.slips.white)]
    for side, order in zip(cycle(Side), orders, strict=False):
        ruling = umpire.judge(ruling.truth, side, order)
        heard.append(Observation(ruling.slips.white, order if side is Side.WHITE else None))
    return heard


def player_after(variant: str, heard: list[Observation]) -> BotPlayer:
    player = BotPlayer(find_umpire(variant), SMALL, 7)
    player.resume(Thought(), heard)
    return player


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.variant)
def test_two_truths_that_gave_the_same_slips_get_the_same_orders(twins: Twins):
    ways = zip((twins.first, twins.second), twins.deployed, strict=True)
    first, second = (lived(twins, others, deployed) for others, deployed in ways)
    assert first == second
    assert player_after(twins.variant, first).write() == player_after(twins.variant, second).write()


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.variant)
def test_who_goes_on_from_what_was_thought_writes_what_it_would_have_written(twins: Twins):
    heard = lived(twins, twins.first, twins.deployed[0])
    for until in range(1, len(heard)):
        before = player_after(twins.variant, heard[:until])
        resumed = BotPlayer(find_umpire(twins.variant), SMALL, 7)
        resumed.resume(before.thought, heard)
        assert resumed.write() == player_after(twins.variant, heard).write()
