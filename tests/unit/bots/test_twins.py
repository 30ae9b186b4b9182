"""Two truths that gave a seat the same slips get the same orders from it, whatever else is true of them."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from corr.bots.character import Character
from corr.bots.heard import Heard
from corr.bots.player import Player, Thought
from corr.rules.variants import umpire_of
from corr.words.board import SQUARE_NUMBER, Side
from corr.words.orders import Move, Sense

SMALL = Character(positions=20, boards=4, noise=20.0)


class Twins(NamedTuple):
    """Two ways in which the other side, Black, may have moved without White being told which."""

    variant: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    own: tuple[str, ...] = ("e2e4", "g1f3", "f1c4")


TWINS = [
    Twins("wild16", ("e7e5", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    Twins("cincinnati", ("e7e6", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    Twins("classic", ("e7e5", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    Twins("crazykrieg", ("e7e5", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
    Twins("rbc", ("e7e5", "b8c6", "g8f6"), ("a7a6", "h7h6", "b8c6")),
]


def move(text: str) -> Move:
    return Move(SQUARE_NUMBER[text[:2]], SQUARE_NUMBER[text[2:]])


def lived(variant: str, own: tuple[str, ...], others: tuple[str, ...]) -> list[Heard]:
    """All that White's seat was handed while both moved so."""
    umpire = umpire_of(variant)
    ruling = umpire.start()
    heard = [Heard(ruling.slips.white)]
    for mine, theirs in zip(own, others, strict=True):
        for side, text in ((Side.WHITE, mine), (Side.BLACK, theirs)):
            order = Sense(None, otherwise=move(text)) if variant == "rbc" else move(text)
            ruling = umpire.judge(ruling.truth, side, order)
            heard.append(Heard(ruling.slips.white, order if side is Side.WHITE else None))
    return heard


def player_after(variant: str, heard: list[Heard]) -> Player:
    player = Player(umpire_of(variant), SMALL, 7)
    player.take_up(Thought(0, (), False, ()), heard)
    return player


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.variant)
def test_two_truths_that_gave_the_same_slips_get_the_same_orders(twins: Twins):
    first, second = (lived(twins.variant, twins.own, others) for others in (twins.first, twins.second))
    assert first == second
    assert player_after(twins.variant, first).write() == player_after(twins.variant, second).write()


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.variant)
def test_who_goes_on_from_what_was_thought_writes_what_it_would_have_written(twins: Twins):
    heard = lived(twins.variant, twins.own, twins.first)
    for until in range(1, len(heard)):
        before = player_after(twins.variant, heard[:until])
        resumed = Player(umpire_of(twins.variant), SMALL, 7)
        resumed.take_up(before.thought, heard)
        assert resumed.write() == player_after(twins.variant, heard).write()
