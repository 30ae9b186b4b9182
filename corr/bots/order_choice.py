"""Chooses a bot's order: moves to try, "any?", a sense or a set-up; and when to resign, offer or accept a draw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from statistics import mean
from typing import Any

import chess

from corr.bots.characters import Character
from corr.bots.evaluation import PieceValues
from corr.bots.history import NO_ARRANGEMENTS, Arrangement
from corr.bots.move_scores import (
    PastPlay,
    ScoredMove,
    evaluate_ruling,
    is_king_exposed,
    is_step,
    make_whole_turn,
    possible_moves,
    rank_moves,
)
from corr.bots.possible_positions import Belief, WeightedPosition, sample_positions
from corr.rules.core.rbc_truth import sensed_mask
from corr.rules.core.umpire import Umpire
from corr.words.board import Side
from corr.words.codes import Common
from corr.words.orders import Ask, Deploy, Drop, Move, Order, Pass, Sense, Tries
from corr.words.slips import Sight

#: Squares around which a sense shows nine squares.
_INNER = tuple(8 * rank + file for rank in range(1, 7) for file in range(1, 7))
_WISHES = 12
_DISTINCTION_VALUE = 2.0  # the value, all else equal, of telling one more kind of position from the others


def choose_sense(
    umpire: Umpire[Any], sight: Sight, weighed: Sequence[WeightedPosition], noise: float, chance: Random
) -> int:
    """Return the square to sense: the one whose view helps most to choose the best move."""
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
    """Return the value of the best move after each view of a square, with a bonus for each view."""
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    seen = sensed_mask(square)
    for number, board in enumerate(boards):
        groups[_contents(board, seen)].append(number)
    best = sum(max(sum(row[number] for number in group) for row in values) for group in groups.values())
    return best + _DISTINCTION_VALUE * len(groups)


def _contents(board: chess.Board, seen: int) -> tuple[int, ...]:
    """Return what these squares hold, in a form that can be compared."""
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return (*(kind & seen for kind in kinds), board.occupied_co[True] & seen)


#: In hundredths of a pawn: a bot this far behind takes a draw; with a lone king it resigns at the second value.
_DRAW_SCORE, _RESIGN_SCORE = -200.0, -450.0
#: A bot at most this far ahead accepts and offers a draw after so many quiet moves, and offers it again at intervals.
_EVEN_SCORE, _QUIET, _ASKED_AGAIN = 100.0, 30, 10


def should_accept_draw(variant: str, side: Side, belief: Belief, quiet: int) -> bool:
    ahead = _ahead(variant, side, belief)
    return ahead <= _DRAW_SCORE or (quiet >= _QUIET and ahead <= _EVEN_SCORE)


def should_offer_draw(variant: str, side: Side, belief: Belief, quiet: int) -> bool:
    is_time = quiet >= _QUIET and (quiet - _QUIET) % _ASKED_AGAIN == 0
    return is_time and _ahead(variant, side, belief) <= _EVEN_SCORE


def should_resign(variant: str, side: Side, sight: Sight, belief: Belief) -> bool:
    """Whether the bot has only its king left and is hopelessly behind."""
    is_alone = sight.own.bit_count() == 1 and not (sight.reserves and sight.reserves[side])
    return is_alone and _ahead(variant, side, belief) <= _RESIGN_SCORE


def _ahead(variant: str, side: Side, belief: Belief) -> float:
    """Return how far ahead the bot believes it is, with reserves; 0 if it holds no position possible."""
    if not belief.truths:
        return 0.0
    scale, white = PieceValues.of(variant), side is Side.WHITE
    return mean(
        scale.worth(truth.board, white=white) + scale.in_reserve(truth, white=white)
        for truth in belief.truths
    )


_LONGEST_LIST = 60
_SURE_SHARE = 0.92  # a bot that is surer than this whether a pawn can capture does not ask


def choose_order(
    umpire: Umpire[Any],
    sight: Sight,
    belief: Belief,
    character: Character,
    chance: Random,
    arrangements: Mapping[Arrangement, int] = NO_ARRANGEMENTS,
    quiet: int = 0,
) -> Order:
    """Choose the bot's next order from what it sees and considers possible."""
    if not sight.own:
        return Deploy(name=chance.choice(umpire.card.setups).name)
    past = PastPlay(arrangements, quiet, _last_capture_square(belief))
    few = sample_positions(belief, character.boards, chance)
    if sight.sense_due:
        return Sense(choose_sense(umpire, sight, few, character.noise, chance))
    wishes = _without_refused(belief, rank_moves(umpire, sight, few, character.noise, chance, past))
    if not umpire.card.lists or not any(is_step(wish.order) for wish in wishes):
        return wishes[0].order
    if "any?" in umpire.card.presses and _should_ask(belief, sight, wishes):
        return _question(sight, wishes)
    return _tries(wishes)


def _last_capture_square(belief: Belief) -> int | None:
    began = belief.turn[0] if belief.turn else None
    return began.captured if began and began.is_opponents_move else None


def _without_refused(belief: Belief, wishes: Sequence[ScoredMove]) -> Sequence[ScoredMove]:
    """Leave out orders that were refused in this turn, unless nothing else is left."""
    tried = {heard.order for heard in belief.turn}
    return [wish for wish in wishes if wish.order not in tried] or wishes


def _tries(wishes: Sequence[ScoredMove]) -> Tries:
    """Make a list of the moves and drops, in their order."""
    steps = [wish.order for wish in wishes if is_step(wish.order)]
    return Tries(tuple(steps[:_LONGEST_LIST]))


def _should_ask(belief: Belief, sight: Sight, wishes: Sequence[ScoredMove]) -> bool:
    """Whether to ask "any?", once a turn: a pawn capture would be best, and the bot is unsure if any exists."""
    if any(heard.order is not None and heard.slip.find(Common.ANY) for heard in belief.turn):
        return False
    can = sum(truth.tries > 0 for truth in belief.truths)
    if not (1 - _SURE_SHARE) * len(belief.truths) < can < _SURE_SHARE * len(belief.truths):
        return False
    first = next((wish for wish in wishes if wish.share), None)
    return first is not None and is_pawn_capture(sight, first.order)


def _question(sight: Sight, wishes: Sequence[ScoredMove]) -> Ask:
    """Ask "any?", with pawn captures first if there are some, and without them if there are none."""
    captures = [wish for wish in wishes if is_pawn_capture(sight, wish.order)]
    rest = [wish for wish in wishes if not is_pawn_capture(sight, wish.order)]
    return Ask(_tries([*captures, *rest]), _tries(rest) if rest else None)


def is_pawn_capture(sight: Sight, order: Order) -> bool:
    return (
        isinstance(order, Move)
        and sight.pawns >> order.origin & 1 == 1
        and (order.target - order.origin) & 7 != 0
    )
