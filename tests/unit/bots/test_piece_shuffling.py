"""A bot avoids returning to positions that it has had before."""

from __future__ import annotations

from random import Random

import pytest

from corr.bots.characters import CHARACTERS
from corr.bots.history import Observation, arrangement_after, arrangement_of
from corr.bots.move_scores import parse_option
from corr.bots.order_choice import choose_order
from corr.bots.possible_positions import Belief
from corr.rules.variants import find_umpire
from corr.words.orders import Tries


@pytest.mark.parametrize(
    ("variant", "before", "move", "after"),
    [
        ("wild16", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a5", "4k3/8/8/R7/8/8/8/4K3 w - - 0 1"),
        ("wild16", "8/P7/4k3/8/8/8/8/4K3 w - - 0 1", "a7a8r", "R7/8/4k3/8/8/8/8/4K3 w - - 0 1"),
        ("wild16", "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1", "a1a4", "4k3/8/8/8/R7/8/8/4K3 w - - 0 1"),
        (
            "crazykrieg",
            "k7/8/8/8/8/8/8/4K3[N] w - - 0 1",
            "N@c6",
            "7k/8/2N5/8/8/8/8/4K3[] w - - 0 1",
        ),
    ],
    ids=["a move", "a promotion", "a capture", "a drop"],
)
def test_the_arrangement_after_a_move_follows_from_own_pieces(variant, before, move, after):
    umpire = find_umpire(variant)
    sight, then = (umpire.start(fen).slips.white.sight for fen in (before, after))
    assert arrangement_after(sight, parse_option(move)) == arrangement_of(then)


def test_a_move_back_to_an_earlier_arrangement_comes_later():
    umpire = find_umpire("wild16")
    start = umpire.start("7k/8/8/8/8/8/8/R3K3 w - - 0 1")
    slip = start.slips.white
    belief = Belief((start.truth,), (Observation(slip),), is_whole=True)

    def first(been):
        order = choose_order(umpire, slip.sight, belief, CHARACTERS["strongest"], Random(1), been)
        assert isinstance(order, Tries)
        return order.steps[0]

    best = first({})
    assert first({arrangement_after(slip.sight, best): 20}) != best
