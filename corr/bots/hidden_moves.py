"""Finds the positions after a hidden move, once a sense has shown part of it: Reconnaissance Blind Chess."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import itemgetter
from random import Random
from typing import Any

import chess

from corr.bots.history import Observation, is_alike
from corr.bots.move_likelihood import MoveAnnouncement, likely_moves
from corr.bots.move_scores import parse_option
from corr.bots.possible_positions import Belief, WeightedPosition, weigh_sample
from corr.rules.core.played_move import pack_position
from corr.rules.core.umpire import Umpire
from corr.words.orders import Pass, Sense

#: The least weight of a position, since nobody is sure of the opponent's moves.
_LEAST_WEIGHT = 1e-4


def positions_after_move(
    umpire: Umpire[Any],
    before: Sequence[WeightedPosition],
    turn: Sequence[Observation],
    size: int,
    chance: Random,
) -> Belief:
    """Return at most this many positions after an opponent's move that fits all slips of this turn.

    `is_whole` says whether no position is left out.
    """
    told = MoveAnnouncement(turn[0].captured, turn[-1].slip.sight)
    lots = []
    for truth, weight in before:
        for guess in told.fitting(truth.board, likely_moves(truth.board)):
            likelihood = weight * guess.likelihood
            lots.append((chance.expovariate(likelihood), likelihood, truth, guess.move))
    lots.sort(key=itemgetter(0))
    apart, weights = dict[bytes, Any](), dict[bytes, float]()
    least = math.inf
    for lot, weight, truth, move in lots:
        if len(apart) == size:
            least = lot
            break
        after = _truth_if_fitting(umpire, truth, move, turn)
        if after is not None:
            name = pack_position(after.board, after.board.ep_square is not None)
            apart.setdefault(name, after)
            weights[name] = weights.get(name, 0.0) + weight
    even = _normalize_weights(weigh_sample(list(weights.values()), least))
    return Belief(tuple(apart.values()), tuple(turn), least == math.inf, even)


def _normalize_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Scale the weights to an average of one, in few digits, and none near zero."""
    whole = sum(weights)
    return tuple([max(_LEAST_WEIGHT, float(f"{len(weights) * weight / whole:.3g}")) for weight in weights])


def _truth_if_fitting(
    umpire: Umpire[Any], truth: Any, move: chess.Move | None, turn: Sequence[Observation]
) -> Any:
    """Return the truth after this move if it fits all slips of the turn; else None."""
    side = turn[0].slip.side
    theirs = Sense(None, otherwise=Pass() if move is None else parse_option(move.uci()))
    for heard in turn:
        ruling = umpire.judge(truth, side if heard.order else side.other, heard.order or theirs)
        slip = ruling.slips[side]
        if slip is None or not is_alike(slip, heard.slip):
            return None
        truth = ruling.truth
    return truth
