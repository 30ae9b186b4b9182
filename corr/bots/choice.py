"""Chooses a bot's order: a list of tries, a question with two lists, a sense, a move or a set-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from corr.bots.character import Character
from corr.bots.move_scores import PastPlay, ScoredMove, is_step, rank_moves
from corr.bots.piece_shuffling import NO_ARRANGEMENTS, Arrangement
from corr.bots.possible_positions import Belief, sample_positions
from corr.bots.sense_choice import choose_sense
from corr.rules.core.umpire import Umpire
from corr.words.codes import Common
from corr.words.orders import Ask, Deploy, Move, Order, Sense, Tries
from corr.words.slips import Sight

_LONGEST_LIST = 60
#: A bot that is surer than this whether a pawn can capture does not ask.
_SURE_SHARE = 0.92


def choose_order(
    umpire: Umpire[Any],
    sight: Sight,
    belief: Belief,
    character: Character,
    chance: Random,
    been: Mapping[Arrangement, int] = NO_ARRANGEMENTS,
    quiet: int = 0,
) -> Order:
    """Choose the order to give now, after this many moves without a capture."""
    if not sight.own:
        return Deploy(name=chance.choice(umpire.card.setups).name)
    past = PastPlay(been, quiet, _last_capture_square(belief))
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
    """Leave out orders refused in this turn, which cannot be made in any position."""
    tried = {heard.order for heard in belief.turn}
    return [wish for wish in wishes if wish.order not in tried] or wishes


def _tries(wishes: Sequence[ScoredMove]) -> Tries:
    steps = [wish.order for wish in wishes if is_step(wish.order)]
    return Tries(tuple(steps[:_LONGEST_LIST]))


def _should_ask(belief: Belief, sight: Sight, wishes: Sequence[ScoredMove]) -> bool:
    """Whether it is uncertain that a pawn can capture, and would be best if one can."""
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
