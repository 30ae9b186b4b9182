"""Chooses where to sense: where the view tells most about what to move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import chess

from corr.bots.evaluation import Scale
from corr.bots.move_scores import all_of, is_king_en_prise, ranked, value_of, whole_turn
from corr.bots.possible_positions import Weighed
from corr.rules.core.sensing import window
from corr.rules.core.umpire import Umpire
from corr.words.orders import Drop, Move, Pass
from corr.words.slips import Sight

#: Squares around which a sense shows nine squares.
_INNER = tuple(8 * rank + file for rank in range(1, 7) for file in range(1, 7))
_WISHES = 12
#: The value, all else equal, of telling one more kind of position from the others.
_TOLD_APART = 2.0


def where_to_sense(
    umpire: Umpire[Any], sight: Sight, weighed: Sequence[Weighed], noise: float, chance: Random
) -> int:
    """Return the square to sense, so that the best moves after each possible view are worth most."""
    if not weighed:
        return chance.choice(_INNER)
    scale, side = Scale.of(umpire.card.key), sight.side

    def value(truth: Any, order: Move | Drop | Pass) -> float:
        return value_of(umpire.judge(truth, side, whole_turn(truth, order)), scale, side)

    orders = [wish.order for wish in ranked(umpire, sight, weighed, noise, chance)[:_WISHES]]
    wishes = all_of(umpire, sight)
    answers = [
        max(wishes, key=partial(value, truth)) for truth, _ in weighed if is_king_en_prise(truth.board, side)
    ]
    orders = list(dict.fromkeys([*orders, *answers]))
    values = [[weight * value(truth, order) for truth, weight in weighed] for order in orders]
    squares = list(_INNER)
    chance.shuffle(squares)
    boards = [truth.board for truth, _ in weighed]
    return max(squares, key=lambda square: _told_by(square, boards, values))


def _told_by(square: int, boards: Sequence[chess.Board], values: Sequence[Sequence[float]]) -> float:
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    seen = window(square)
    for number, board in enumerate(boards):
        groups[_contents(board, seen)].append(number)
    best = sum(max(sum(row[number] for number in group) for row in values) for group in groups.values())
    return best + _TOLD_APART * len(groups)


def _contents(board: chess.Board, seen: int) -> tuple[int, ...]:
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return (*(kind & seen for kind in kinds), board.occupied_co[True] & seen)
