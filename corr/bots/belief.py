"""Updates the positions a bot considers possible with each slip of its seat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import chess

from corr.bots import piece_placement
from corr.bots.assassin import is_lonely
from corr.bots.hidden_moves import moved
from corr.bots.history import Heard, found, is_alike
from corr.bots.move_scores import all_of
from corr.bots.possible_positions import Belief, some
from corr.rules.core import umpire as core
from corr.rules.core.played_move import packed
from corr.rules.core.umpire import NOTHING, SIDES, Umpire
from corr.words.codes import Common, Datum
from corr.words.orders import Drop, Move, Order, Pass

#: A belief is thin below this fraction of its size, 1/n; after a sense has shown a move, below another, and then it
#: is filled only to a third fraction.
_THIN, _THIN_SENSED, _ENOUGH_SENSED = 4, 40, 8
#: Enough positions to decide where to sense, and how many of those before the move they come from.
_TO_SENSE, _BEFORE_SENSE = 100, 300


def after(umpire: Umpire[Any], belief: Belief, heard: Heard, size: int, chance: Random) -> Belief:
    """Return the belief after a slip, with at most this many positions."""
    if heard.is_held_back:
        return belief._replace(turn=(*belief.turn, heard))
    if heard.tells_of_the_end:
        return belief
    if heard.order is not None and belief.before:
        still = _sensed(umpire, belief.before, (*belief.turn, heard), size, chance)
    elif heard.order is not None:
        still = _own(umpire, belief, heard, heard.order)
    elif heard.tells_of_their_move and heard.slip.sight.sense_due:
        still = _unseen(umpire, belief, heard, chance)
    elif heard.tells_of_their_move:
        still = _theirs(umpire, belief, heard, size, chance)
    elif heard.tells_of_their_try:
        return _after_a_try(belief, heard)
    elif belief.truths:
        return belief
    else:
        still = _first(umpire, heard, size, chance)
    is_lost = bool(belief.truths) and not still.truths
    if is_lost or _is_ones_turn(heard):
        return _filled(umpire, belief, still, size, chance)
    return still


def _filled(umpire: Umpire[Any], before: Belief, still: Belief, size: int, chance: Random) -> Belief:
    """Fill up a thin belief with invented positions, starting from those that were possible before."""
    if umpire.card.key == "assassin" and not still.is_whole and is_lonely(still.turn[0].slip.sight):
        return Belief(piece_placement.lonely(umpire, still.turn), still.turn, is_whole=True)
    truths = still.truths
    senses = umpire.card.key == "rbc"
    few, enough = (size / _THIN_SENSED, size // _ENOUGH_SENSED) if senses else (size / _THIN, size)
    if (truths and still.is_whole) or still.before or len(truths) > few:
        return still
    bases = [truth.board for truth in truths or before.truths]
    more = piece_placement.placed(umpire, bases, still.turn, enough - len(truths), chance)
    weights = (*still.weights, *[sum(still.weights) / max(1, len(more))] * len(more)) if still.weights else ()
    return Belief((*truths, *more), still.turn, weights=weights)


def _is_ones_turn(heard: Heard) -> bool:
    made, turn = heard.slip.made, found(heard.slip, Common.TURN)
    has_moved = made is not None and made["side"] == heard.slip.side
    is_theirs = turn is not None and turn["side"] != heard.slip.side
    return heard.slip.sight.own != 0 and not has_moved and not is_theirs


def _first(umpire: Umpire[Any], heard: Heard, size: int, chance: Random) -> Belief:
    """Return the first position, or many if the pieces were deployed in secret."""
    if heard.king is not None:
        return Belief(piece_placement.deployed(umpire, heard, size, chance), (heard,))
    ruling = umpire.start()
    slip = ruling.slips[heard.slip.side]
    if slip is None or not heard.slip.sight.own or not is_alike(slip, heard.slip):
        return Belief((), (heard,))
    return Belief((ruling.truth,), (heard,), is_whole=True)


def _own(umpire: Umpire[Any], belief: Belief, heard: Heard, order: Order) -> Belief:
    """Keep the positions in which the side's own order would have been answered like this."""
    side, still = heard.slip.side, []
    for truth, weight in belief.weighed:
        ruling = umpire.judge(truth, side, order)
        slip = ruling.slips[side]
        if slip is not None and is_alike(slip, heard.slip):
            still.append((ruling.truth, weight))
    weights = tuple([weight for _, weight in still]) if belief.weights else ()
    return Belief(tuple([truth for truth, _ in still]), (*belief.turn, heard), belief.is_whole, weights)


def _unseen(umpire: Umpire[Any], belief: Belief, heard: Heard, chance: Random) -> Belief:
    """Return a few positions after a move that a sense will show.

    The belief before the move is kept until then.
    """
    few = moved(umpire, some(belief, _BEFORE_SENSE, chance), (heard,), _TO_SENSE, chance)
    if not few.truths:
        few = moved(umpire, belief.weighed, (heard,), _TO_SENSE, chance)
    return few._replace(is_whole=False, before=belief._replace(turn=()) if few.truths else None)


def _sensed(
    umpire: Umpire[Any], before: Belief, turn: tuple[Heard, ...], size: int, chance: Random
) -> Belief:
    """Return positions after the unseen move, now that a sense has shown part of it."""
    still = moved(umpire, before.weighed, turn, size, chance)
    return still._replace(is_whole=before.is_whole and still.is_whole)


def _after_a_try(belief: Belief, heard: Heard) -> Belief:
    """Keep the positions in which the opponent's question would be answered like this; its tries stay unknown."""
    if heard.answer is None:
        return belief
    still = tuple(truth for truth in belief.truths if (truth.tries > 0) == heard.answer)
    return belief._replace(truths=still)


def _theirs(umpire: Umpire[Any], belief: Belief, heard: Heard, size: int, chance: Random) -> Belief:
    """Return positions after an opponent's move that would have been announced like this."""
    apart = dict[bytes, Any]()
    most, is_whole = -(-size // max(1, len(belief.truths))), belief.is_whole
    for truth in belief.truths:
        children = _children(umpire, truth, heard, chance)
        for child in islice(children, None if is_whole else most):
            apart.setdefault(packed(child.board, child.board.ep_square is not None), child)
            is_whole = is_whole and len(apart) <= size
    return Belief(tuple(apart.values()), (heard,), is_whole)


def _children(umpire: Umpire[Any], truth: Any, heard: Heard, chance: Random) -> Iterator[Any]:
    """Yield, in random order, every position after a move that would have been announced like this."""
    side, other = heard.slip.side, heard.slip.side.other
    if umpire.turn(truth) is not other:
        return
    free = truth._replace(memo=NOTHING) if isinstance(truth, core.Truth) else truth
    wishes = _their_wishes(umpire, free, heard)
    chance.shuffle(wishes)
    for order in wishes:
        ruling = umpire.judge(free, other, order)
        slip = ruling.slips[side]
        if ruling.turn is side and slip is not None and is_alike(slip, heard.slip):
            yield ruling.truth


def _their_wishes(umpire: Umpire[Any], truth: Any, heard: Heard) -> list[Order]:
    """Return the moves that the pieces allow there and that fit what was announced of the move."""
    board = truth.board
    dropped, captured = _dropped(heard), heard.captured
    return [
        order
        for order in all_of(umpire, truth.sights[SIDES[board.turn]])
        if (
            order.man == dropped
            if isinstance(order, Drop)
            else dropped is None and _fits(board, order, captured)
        )
    ]


def _dropped(heard: Heard) -> Datum:
    made = heard.slip.made
    return made["man"] if made is not None and made.code == Common.DROPPED else None


def _fits(board: chess.Board, order: Move | Pass, captured: int | None) -> bool:
    """Whether an order captures exactly what was announced as captured."""
    if not isinstance(order, Move):
        return captured is None
    if order.target == board.ep_square and board.pawns >> order.origin & 1:
        return captured is not None
    takes = board.occupied_co[not board.turn] >> order.target & 1 == 1
    return order.target == captured if takes else captured is None
