"""Chooses where to sense: where the view tells most about what to move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import chess

from corr.bots.evaluation import PieceValues
from corr.bots.move_scores import (
    evaluate_ruling,
    is_king_exposed,
    make_whole_turn,
    possible_moves,
    rank_moves,
)
from corr.bots.possible_positions import WeightedPosition
from corr.rules.core.sensing import sensed_mask
from corr.rules.core.umpire import Umpire
from corr.words.orders import Drop, Move, Pass
from corr.words.slips import Sight

#: Squares around which a sense shows nine squares.
_INNER = tuple(8 * rank + file for rank in range(1, 7) for file in range(1, 7))
_WISHES = 12
#: The value, all else equal, of telling one more kind of position from the others.
_DISTINCTION_VALUE = 2.0


def choose_sense(
    umpire: Umpire[Any], sight: Sight, weighed: Sequence[WeightedPosition], noise: float, chance: Random
) -> int:
    """Return the square to sense, so that the best moves after each possible view are worth most."""
    if not weighed:
        return chance.choice(_INNER)
    scale, side = PieceValues.of(umpire.card.key), sight.side

    def value(truth: Any, order: Move | Drop | Pass) -> float:
        return evaluate_ruling(umpire.judge(truth, side, make_whole_turn(truth, order)), scale, side)

    orders = [wish.order for wish in rank_moves(umpire, sight, weighed, noise, chance)[:_WISHES]]
    wishes = possible_moves(umpire, sight)
    answers = [
        max(wishes, key=partial(value, truth)) for truth, _ in weighed if is_king_exposed(truth.board, side)
    ]
    orders = list(dict.fromkeys([*orders, *answers]))
    values = [[weight * value(truth, order) for truth, weight in weighed] for order in orders]
    squares = list(_INNER)
    chance.shuffle(squares)
    boards = [truth.board for truth, _ in weighed]
    return max(squares, key=lambda square: _information_value(square, boards, values))


def _information_value(
    square: int, boards: Sequence[chess.Board], values: Sequence[Sequence[float]]
) -> float:
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    seen = sensed_mask(square)
    for number, board in enumerate(boards):
        groups[_contents(board, seen)].append(number)
    best = sum(max(sum(row[number] for number in group) for row in values) for group in groups.values())
    return best + _DISTINCTION_VALUE * len(groups)


def _contents(board: chess.Board, seen: int) -> tuple[int, ...]:
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return (*(kind & seen for kind in kinds), board.occupied_co[True] & seen)
