"""Where to sense: where what may be shown tells most about what to move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

import chess

from corr.bots.wishes import ranked, value_of, whole_turn
from corr.bots.worth import Scale
from corr.rules.core.sensing import window
from corr.rules.core.umpire import Umpire
from corr.words.slips import Sight

#: Around these a sense shows nine squares.
_INNER = tuple(8 * rank + file for rank in range(1, 7) for file in range(1, 7))
_WISHES = 12
#: What it is worth, all else equal, to tell one more kind of position from the others.
_TOLD_APART = 2.0


def where_to_sense(
    umpire: Umpire[Any], sight: Sight, truths: Sequence[Any], noise: float, chance: Random
) -> int:
    """The square around which to look: the move that is best after each thing that may be seen there is worth most."""
    if not truths:
        return chance.choice(_INNER)
    scale = Scale.of(umpire.card.key)
    wishes = ranked(umpire, sight, truths, noise, chance)[:_WISHES]
    values = [
        [
            value_of(umpire.judge(truth, sight.side, whole_turn(truth, wish.order)), scale, sight.side)
            for truth in truths
        ]
        for wish in wishes
    ]
    squares = list(_INNER)
    chance.shuffle(squares)
    return max(squares, key=lambda square: _told_by(square, truths, values))


def _told_by(square: int, truths: Sequence[Any], values: Sequence[Sequence[float]]) -> float:
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    seen = window(square)
    for number, truth in enumerate(truths):
        groups[_contents(truth.board, seen)].append(number)
    best = sum(max(sum(row[number] for number in group) for row in values) for group in groups.values())
    return best + _TOLD_APART * len(groups)


def _contents(board: chess.Board, seen: int) -> tuple[int, ...]:
    """What stands on these squares."""
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return (*(kind & seen for kind in kinds), board.occupied_co[True] & seen)
