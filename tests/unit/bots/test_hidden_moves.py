"""A bot's belief after moves it couldn't see, once it has sensed."""

from __future__ import annotations

from random import Random
from typing import Any

import chess

from corr.bots.belief import update_belief
from corr.bots.history import Observation
from corr.bots.possible_positions import Belief, sample_positions
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Move, Order, Sense

RBC = find_umpire("rbc")


def observe(truth: Any, order: Order) -> tuple[Any, Observation]:
    """Judge an order of either side; return the new truth, and what Black observes."""
    side = Side.WHITE if truth.board.turn else Side.BLACK
    ruling = RBC.judge(truth, side, order)
    slip = ruling.slips.black
    assert slip
    return ruling.truth, Observation(slip, order if side is Side.BLACK else None)


def after_e4(sensed: int, size: int = 400) -> Belief:
    """Return Black's belief after White's first move and a sense."""
    start = RBC.start()
    belief = update_belief(RBC, Belief(), Observation(start.slips.black), size, Random(1))
    truth, slip = observe(start.truth, Sense(None, otherwise=Move(chess.E2, chess.E4)))
    belief = update_belief(RBC, belief, slip, size, Random(1))
    _, slip = observe(truth, Sense(sensed))
    return update_belief(RBC, belief, slip, size, Random(1))


def test_a_sense_that_shows_the_move_leaves_one_position() -> None:
    belief = after_e4(chess.E3)

    assert belief.is_whole
    assert [truth.board.piece_at(chess.E4) for truth in belief.truths] == [chess.Piece.from_symbol("P")]


def test_a_sense_that_shows_nothing_leaves_all_other_moves_possible() -> None:
    belief = after_e4(chess.B5)

    assert belief.is_whole
    assert len(belief.truths) == len(belief.weights) == 18  # all but three, and the pass
    assert {truth.board.turn for truth in belief.truths} == {chess.BLACK}


def test_too_many_positions_are_sampled() -> None:
    belief = after_e4(chess.B5, size=10)

    assert len(belief.truths) == 10
    assert not belief.is_whole


def test_the_belief_before_a_move_is_kept_until_the_sense() -> None:
    start = RBC.start()
    first = update_belief(RBC, Belief(), Observation(start.slips.black), 400, Random(1))
    truth, slip = observe(start.truth, Sense(None, otherwise=Move(chess.E2, chess.E4)))
    second = update_belief(RBC, first, slip, 400, Random(1))
    _, slip = observe(truth, Sense(chess.E3))

    assert second.before
    assert second.before.truths == first.truths
    assert update_belief(RBC, second, slip, 400, Random(1)).before is None


def test_likelier_positions_are_sampled_more_often() -> None:
    truths = tuple(range(20))
    belief = Belief(truths, weights=tuple(100.0 if truth < 5 else 0.01 for truth in truths))

    chosen = sample_positions(belief, 6, Random(1))

    assert {truth for truth, _ in chosen} >= {0, 1, 2, 3, 4}
    assert len(chosen) == 6


def test_a_sample_has_the_whole_weight_on_average() -> None:
    belief = Belief(tuple(range(40)), weights=tuple(1.0 + number % 4 for number in range(40)))

    sums = [sum(weight for _, weight in sample_positions(belief, 10, Random(seed))) for seed in range(400)]

    assert abs(sum(sums) / len(sums) - sum(belief.weights)) < 5
