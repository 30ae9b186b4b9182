"""Updates the positions a bot considers possible with each slip of its seat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import chess

from corr.bots import piece_placement
from corr.bots.assassin import is_lonely
from corr.bots.hidden_moves import positions_after_move
from corr.bots.history import Observation, is_alike
from corr.bots.move_scores import possible_moves
from corr.bots.possible_positions import Belief, sample_positions
from corr.rules.core import umpire as core
from corr.rules.core.played_move import pack_position
from corr.rules.core.umpire import NOTHING_REMEMBERED, SIDES, Umpire
from corr.words.codes import Common, Datum
from corr.words.orders import Drop, Move, Order, Pass

#: We add positions to a belief that has at most `size / n`. In RBC fewer are few, and `size // n` are enough.
_FEW_DIVISOR, _RBC_FEW_DIVISOR, _RBC_ENOUGH_DIVISOR = 4, 40, 8
#: Enough positions to decide where to sense, and how many of those before the move they come from.
_ENOUGH_TO_SENSE, _MOST_BEFORE_SENSE = 100, 300


def update_belief(
    umpire: Umpire[Any], belief: Belief, observation: Observation, size: int, chance: Random
) -> Belief:
    """Return the positions that a bot considers possible after a slip, at most `size`."""
    if observation.is_held_back:
        return belief._replace(turn=(*belief.turn, observation))
    if observation.is_game_end:
        return belief
    if observation.order is not None and belief.before:
        still = _after_sense(umpire, belief.before, (*belief.turn, observation), size, chance)
    elif observation.order is not None:
        still = _after_own_order(umpire, belief, observation, observation.order)
    elif observation.is_opponents_move and observation.slip.sight.sense_due:
        still = _unseen(umpire, belief, observation, chance)
    elif observation.is_opponents_move:
        still = _after_their_move(umpire, belief, observation, size, chance)
    elif observation.is_opponents_try:
        return _after_their_question(belief, observation)
    elif belief.truths:
        return belief
    else:
        still = _start_belief(umpire, observation, size, chance)
    is_lost = bool(belief.truths) and not still.truths
    if is_lost or _is_own_turn(observation):
        return _fill_up(umpire, belief, still, size, chance)
    return still


def _fill_up(umpire: Umpire[Any], before: Belief, still: Belief, size: int, chance: Random) -> Belief:
    """Add invented positions to a belief that has too few, starting from those possible before."""
    if umpire.card.key == "assassin" and not still.is_whole and is_lonely(still.turn[0].slip.sight):
        return Belief(piece_placement.lone_king_positions(umpire, still.turn), still.turn, is_whole=True)
    truths = still.truths
    is_rbc = umpire.card.key == "rbc"
    few, enough = (
        (size / _RBC_FEW_DIVISOR, size // _RBC_ENOUGH_DIVISOR) if is_rbc else (size / _FEW_DIVISOR, size)
    )
    if (truths and still.is_whole) or still.before or len(truths) > few:
        return still
    bases = [truth.board for truth in truths or before.truths]
    more = piece_placement.invent_positions(umpire, bases, still.turn, enough - len(truths), chance)
    weights = (*still.weights, *[sum(still.weights) / max(1, len(more))] * len(more)) if still.weights else ()
    return Belief((*truths, *more), still.turn, weights=weights)


def _is_own_turn(observation: Observation) -> bool:
    """Whether the bot is to move after this slip."""
    turn = observation.slip.find(Common.TURN)
    is_theirs = turn is not None and turn["side"] != observation.slip.side
    return observation.slip.sight.own != 0 and not observation.slip.is_of_own_move and not is_theirs


def _start_belief(umpire: Umpire[Any], observation: Observation, size: int, chance: Random) -> Belief:
    """Return the first position, or many if the pieces were deployed in secret."""
    if observation.king is not None:
        return Belief(piece_placement.invent_deployments(umpire, observation, size, chance), (observation,))
    ruling = umpire.start()
    slip = ruling.slips[observation.slip.side]
    if slip is None or not observation.slip.sight.own or not is_alike(slip, observation.slip):
        return Belief((), (observation,))
    return Belief((ruling.truth,), (observation,), is_whole=True)


def _after_own_order(umpire: Umpire[Any], belief: Belief, observation: Observation, order: Order) -> Belief:
    """Keep the positions in which the side's own order would have been answered like this."""
    side, still = observation.slip.side, []
    for truth, weight in belief.weighed:
        ruling = umpire.judge(truth, side, order)
        slip = ruling.slips[side]
        if slip is not None and is_alike(slip, observation.slip):
            still.append((ruling.truth, weight))
    weights = tuple([weight for _, weight in still]) if belief.weights else ()
    return Belief(tuple([truth for truth, _ in still]), (*belief.turn, observation), belief.is_whole, weights)


def _unseen(umpire: Umpire[Any], belief: Belief, observation: Observation, chance: Random) -> Belief:
    """Return a few positions after a hidden move, and keep the belief before it until a sense shows more."""
    few = positions_after_move(
        umpire, sample_positions(belief, _MOST_BEFORE_SENSE, chance), (observation,), _ENOUGH_TO_SENSE, chance
    )
    if not few.truths:
        few = positions_after_move(umpire, belief.weighed, (observation,), _ENOUGH_TO_SENSE, chance)
    return few._replace(is_whole=False, before=belief._replace(turn=()) if few.truths else None)


def _after_sense(
    umpire: Umpire[Any], before: Belief, turn: tuple[Observation, ...], size: int, chance: Random
) -> Belief:
    """Return positions after the unseen move, now that a sense has shown part of it."""
    still = positions_after_move(umpire, before.weighed, turn, size, chance)
    return still._replace(is_whole=before.is_whole and still.is_whole)


def _after_their_question(belief: Belief, observation: Observation) -> Belief:
    """Keep the positions in which the opponent's question would be answered like this; its tries stay unknown."""
    if observation.answer is None:
        return belief
    still = tuple(truth for truth in belief.truths if (truth.tries > 0) == observation.answer)
    return belief._replace(truths=still)


def _after_their_move(
    umpire: Umpire[Any], belief: Belief, observation: Observation, size: int, chance: Random
) -> Belief:
    """Return positions after an opponent's move that would have been announced like this."""
    apart = dict[bytes, Any]()
    most, is_whole = -(-size // max(1, len(belief.truths))), belief.is_whole
    for truth in belief.truths:
        children = _children(umpire, truth, observation, chance)
        for child in islice(children, None if is_whole else most):
            apart.setdefault(pack_position(child.board, child.board.ep_square is not None), child)
            is_whole = is_whole and len(apart) <= size
    return Belief(tuple(apart.values()), (observation,), is_whole)


def _children(umpire: Umpire[Any], truth: Any, observation: Observation, chance: Random) -> Iterator[Any]:
    """Yield, in random order, every position after a move that would have been announced like this."""
    side, other = observation.slip.side, observation.slip.side.other
    if umpire.turn(truth) is not other:
        return
    free = truth._replace(memo=NOTHING_REMEMBERED) if isinstance(truth, core.Truth) else truth
    wishes = _candidate_moves(umpire, free, observation)
    chance.shuffle(wishes)
    for order in wishes:
        ruling = umpire.judge(free, other, order)
        slip = ruling.slips[side]
        if ruling.turn is side and slip is not None and is_alike(slip, observation.slip):
            yield ruling.truth


def _candidate_moves(umpire: Umpire[Any], truth: Any, observation: Observation) -> list[Order]:
    """Return the opponent's moves on this board that fit what was announced of its move."""
    board = truth.board
    dropped, captured = _dropped_kind(observation), observation.captured
    return [
        order
        for order in possible_moves(umpire, truth.sights[SIDES[board.turn]])
        if (
            order.man == dropped
            if isinstance(order, Drop)
            else dropped is None and _fits_capture(board, order, captured)
        )
    ]


def _dropped_kind(observation: Observation) -> Datum:
    made = observation.slip.made
    return made["man"] if made is not None and made.code == Common.DROPPED else None


def _fits_capture(board: chess.Board, order: Move | Pass, captured: int | None) -> bool:
    """Whether an order captures exactly what was announced as captured."""
    if not isinstance(order, Move):
        return captured is None
    if order.target == board.ep_square and board.pawns >> order.origin & 1:
        return captured is not None
    takes = board.occupied_co[not board.turn] >> order.target & 1 == 1
    return order.target == captured if takes else captured is None
