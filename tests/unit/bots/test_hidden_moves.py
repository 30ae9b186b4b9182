"""Moves that nobody saw: what a house player holds possible after them, once it has sensed."""

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


def heard(truth: Any, order: Order) -> tuple[Any, Observation]:
    """What Black hears of an order of White's or its own, and the truth since."""
    side = Side.WHITE if truth.board.turn else Side.BLACK
    ruling = RBC.judge(truth, side, order)
    slip = ruling.slips.black
    assert slip
    return ruling.truth, Observation(slip, order if side is Side.BLACK else None)


def after_e4(sensed: int, size: int = 400) -> Belief:
    """What Black holds possible that has sensed after White's first move."""
    start = RBC.start()
    belief = update_belief(RBC, Belief(), Observation(start.slips.black), size, Random(1))
    truth, slip = heard(start.truth, Sense(None, otherwise=Move(chess.E2, chess.E4)))
    belief = update_belief(RBC, belief, slip, size, Random(1))
    _, slip = heard(truth, Sense(sensed))
    return update_belief(RBC, belief, slip, size, Random(1))


def test_a_sense_that_shows_the_move_leaves_nothing_else_possible() -> None:
    belief = after_e4(chess.E3)

    assert belief.is_whole
    assert [truth.board.piece_at(chess.E4) for truth in belief.truths] == [chess.Piece.from_symbol("P")]


def test_a_sense_that_shows_nothing_leaves_every_move_elsewhere_possible() -> None:
    belief = after_e4(chess.B5)

    assert belief.is_whole
    assert len(belief.truths) == len(belief.weights) == 18  # all but three, and the pass
    assert {truth.board.turn for truth in belief.truths} == {chess.BLACK}


def test_where_there_are_too_many_some_are_held_and_others_may_be() -> None:
    belief = after_e4(chess.B5, size=10)

    assert len(belief.truths) == 10
    assert not belief.is_whole


def test_what_was_before_a_move_is_kept_until_the_sense_and_no_longer() -> None:
    start = RBC.start()
    first = update_belief(RBC, Belief(), Observation(start.slips.black), 400, Random(1))
    truth, slip = heard(start.truth, Sense(None, otherwise=Move(chess.E2, chess.E4)))
    second = update_belief(RBC, first, slip, 400, Random(1))
    _, slip = heard(truth, Sense(chess.E3))

    assert second.before
    assert second.before.truths == first.truths
    assert update_belief(RBC, second, slip, 400, Random(1)).before is None


def test_of_positions_that_weigh_more_more_are_chosen() -> None:
    truths = tuple(range(20))
    belief = Belief(truths, weights=tuple(100.0 if truth < 5 else 0.01 for truth in truths))

    chosen = sample_positions(belief, 6, Random(1))

    assert {truth for truth, _ in chosen} >= {0, 1, 2, 3, 4}
    assert len(chosen) == 6


def test_some_of_them_weigh_what_all_do_on_the_average() -> None:
    belief = Belief(tuple(range(40)), weights=tuple(1.0 + number % 4 for number in range(40)))

    sums = [sum(weight for _, weight in sample_positions(belief, 10, Random(seed))) for seed in range(400)]

    assert abs(sum(sums) / len(sums) - sum(belief.weights)) < 5
