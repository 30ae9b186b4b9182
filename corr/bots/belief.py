"""What a seat holds possible: whole positions that would have produced every word on its slips."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import chess

from corr.bots import placing
from corr.bots.guessing import guessed
from corr.bots.heard import Heard, found, is_alike
from corr.bots.wishes import all_of, whole_turn
from corr.rules.core import umpire as core
from corr.rules.core.play import packed
from corr.rules.core.umpire import NOTHING, SIDES, Umpire
from corr.words.codes import Common, Datum
from corr.words.orders import Drop, Move, Order, Pass

#: A belief is thin that has less than this part of its size left.
_THIN = 4


class Belief(NamedTuple):
    """Positions that may be, and what was said since the turn began, by which they can be told from others."""

    truths: tuple[Any, ...] = ()
    turn: tuple[Heard, ...] = ()
    is_whole: bool = False  # whether no other position may be


def after(umpire: Umpire[Any], belief: Belief, heard: Heard, size: int, chance: Random) -> Belief:
    """What is possible once this was heard, in so many positions at most."""
    if heard.is_held_back:
        return belief._replace(turn=(*belief.turn, heard))
    if heard.order is not None:
        still = _own(umpire, belief, heard, heard.order)
    elif heard.tells_of_their_move:
        still = _theirs(umpire, belief, heard, size, chance)
    elif heard.tells_of_their_try:
        return _after_a_try(belief, heard)
    elif belief.truths:
        return belief
    else:
        still = _first(umpire, heard, size, chance)
    is_lost = bool(belief.truths) and not still.truths and not heard.tells_of_the_end
    if is_lost or _is_ones_turn(heard):
        return _filled(umpire, belief, still, size, chance)
    return still


def _filled(umpire: Umpire[Any], before: Belief, still: Belief, size: int, chance: Random) -> Belief:
    """Made up from what was possible before, where hardly a position is left and others may be."""
    truths = still.truths
    if (truths and still.is_whole) or len(truths) * _THIN > size:
        return still
    bases = [truth.board for truth in truths or before.truths]
    more = placing.placed(umpire, bases, still.turn, size - len(truths), chance)
    return Belief((*truths, *more), still.turn)


def _is_ones_turn(heard: Heard) -> bool:
    """Whether one has men and is to move after this was heard."""
    made, turn = heard.slip.made, found(heard.slip, Common.TURN)
    has_moved = made is not None and made["side"] == heard.slip.side
    is_theirs = turn is not None and turn["side"] != heard.slip.side
    return heard.slip.sight.own != 0 and not has_moved and not is_theirs


def _first(umpire: Umpire[Any], heard: Heard, size: int, chance: Random) -> Belief:
    """The first position; where the men were deployed in secret, many."""
    if heard.king is not None:
        return Belief(placing.deployed(umpire, heard, size, chance), (heard,))
    ruling = umpire.start()
    slip = ruling.slips[heard.slip.side]
    if slip is None or not heard.slip.sight.own or not is_alike(slip, heard.slip):
        return Belief((), (heard,))
    return Belief((ruling.truth,), (heard,), is_whole=True)


def _own(umpire: Umpire[Any], belief: Belief, heard: Heard, order: Order) -> Belief:
    """Those in which one's own order would have been answered so."""
    side, still = heard.slip.side, []
    for truth in belief.truths:
        ruling = umpire.judge(truth, side, order)
        slip = ruling.slips[side]
        if slip is not None and is_alike(slip, heard.slip):
            still.append(ruling.truth)
    return Belief(tuple(still), (*belief.turn, heard), belief.is_whole)


def _after_a_try(belief: Belief, heard: Heard) -> Belief:
    """Those in which the other side's question would have been answered so; what it tried is anybody's guess."""
    if heard.answer is None:
        return belief
    still = tuple(truth for truth in belief.truths if (truth.tries > 0) == heard.answer)
    return belief._replace(truths=still)


def _theirs(umpire: Umpire[Any], belief: Belief, heard: Heard, size: int, chance: Random) -> Belief:
    """Positions after a move of the other side's that would have been announced so."""
    apart = dict[bytes, Any]()
    most, is_whole = -(-size // max(1, len(belief.truths))), belief.is_whole
    for truth in belief.truths:
        children = _children(umpire, truth, heard, chance)
        for child in islice(children, None if is_whole else most):
            apart.setdefault(packed(child.board, child.board.ep_square is not None), child)
            is_whole = is_whole and len(apart) <= size
    return Belief(tuple(apart.values()), (heard,), is_whole)


def _children(umpire: Umpire[Any], truth: Any, heard: Heard, chance: Random) -> Iterator[Any]:
    """Every position after a move that would have been announced so, by lot; where little is told, likelier first."""
    side, other = heard.slip.side, heard.slip.side.other
    if umpire.turn(truth) is not other:
        return
    free = truth._replace(memo=NOTHING) if isinstance(truth, core.Truth) else truth
    wishes = _their_wishes(umpire, free, heard)
    if heard.slip.sight.sense_due:
        wishes = guessed(free.board, wishes, chance)
    else:
        chance.shuffle(wishes)
    for order in wishes:
        ruling = umpire.judge(free, other, order)
        slip = ruling.slips[side]
        if ruling.turn is side and slip is not None and is_alike(slip, heard.slip):
            yield ruling.truth


def _their_wishes(umpire: Umpire[Any], truth: Any, heard: Heard) -> list[Order]:
    """The moves that the other side's men's pattern allows there, as far as what was told of the move fits them.

    Nothing is told apart so where a man may stop short.
    """
    board = truth.board
    dropped, captured, senses = _dropped(heard), heard.captured, heard.slip.sight.sense_due
    return [
        whole_turn(truth, order)
        for order in all_of(umpire, truth.sights[SIDES[board.turn]])
        if (
            order.man == dropped
            if isinstance(order, Drop)
            else dropped is None and (senses or _fits(board, order, captured))
        )
    ]


def _dropped(heard: Heard) -> Datum:
    """What kind of man was dropped; None where none was."""
    made = heard.slip.made
    return made["man"] if made is not None and made.code == Common.DROPPED else None


def _fits(board: chess.Board, order: Move | Pass, captured: int | None) -> bool:
    """Whether it takes something where something was taken, and else nothing."""
    if not isinstance(order, Move):
        return captured is None
    if order.target == board.ep_square and board.pawns >> order.origin & 1:
        return captured is not None
    takes = board.occupied_co[not board.turn] >> order.target & 1 == 1
    return order.target == captured if takes else captured is None
