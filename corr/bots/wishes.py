"""Every move that one's own men's pattern allows, judged over positions that may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, TypeGuard

import chess

from corr.bots import assassin, mating
from corr.bots.held import Weighed
from corr.bots.standing import NOWHERE, Stand, moved
from corr.bots.worth import Scale
from corr.rules.core import recon
from corr.rules.core.umpire import Umpire
from corr.words.board import Man, Side
from corr.words.orders import Drop, Move, Order, Pass, Sense, Step
from corr.words.slips import Sight

_MEN = dict(enumerate(Man, start=chess.PAWN))
_DRAWN = -60.0
#: What it costs to stand again as one has stood before.
_AGAIN = 20.0
_KING_EN_PRISE = 5000.0
#: What it costs that the other side hears of a try that is refused.
_OVERHEARD = 25.0
#: What it is worth to threaten mate, and in how many positions that is looked at.
_THREAT, _LOOKED_AT = 2000.0, 12
#: In how many positions how many wishes are looked at, those first that did best before.
_ROUNDS = ((2, 1000), (8, 30), (1000, 10))
_UNHEARD_OF = -1e6


class Wish(NamedTuple):
    """A move, in which share of the positions it ends the turn, and what it is worth there."""

    order: Move | Drop | Pass
    share: float = 0.0
    value: float = _UNHEARD_OF


class Past(NamedTuple):
    """How one's own men have stood, for how many moves nothing was taken, and on which square a man just was."""

    been: Mapping[Stand, int] = NOWHERE
    quiet: int = 0
    taken: int | None = None


NO_PAST = Past()


def ranked(
    umpire: Umpire[Any],
    sight: Sight,
    weighed: Sequence[Weighed],
    noise: float,
    chance: Random,
    past: Past = NO_PAST,
) -> list[Wish]:
    """Every wish, the best first; those that were looked at in all positions are blurred by so much.

    What would retake, and what mates in any of them, is looked at in many, though it may be refused in the first few.
    """
    wishes = [Wish(order) for order in all_of(umpire, sight)]
    scale = Scale.of(umpire.card.key)
    scale = scale._replace(waits=scale.waits and assassin.still_waits(sight, past.quiet))
    mates, judged_closely = _mates(scale, weighed), weighed[: _LOOKED_AT if scale.mates else 0]
    for positions, kept in _ROUNDS:
        few = weighed[:positions]
        wishes.sort(key=lambda wish: not (wish.order in mates or _retakes(wish.order, past.taken)))
        judged = [_judged(umpire, scale, sight.side, wish.order, few) for wish in wishes[:kept]]
        wishes = sorted(judged, key=_merit, reverse=True) + wishes[kept:]
    _, kept = _ROUNDS[-1]
    blurred = [
        wish._replace(
            value=wish.value
            + _THREAT * _threatens(umpire, sight.side, wish, judged_closely)
            + chance.gauss(0, noise)
            - _AGAIN * past.been.get(moved(sight, wish.order), 0)
        )
        for wish in wishes[:kept]
    ]
    return sorted(blurred, key=_merit, reverse=True) + wishes[kept:]


def _mates(scale: Scale, weighed: Sequence[Weighed]) -> frozenset[Order]:
    """The moves that mate in any of these positions."""
    if not scale.mates:
        return frozenset()
    return frozenset(order_of(move.uci()) for truth, _ in weighed for move in mating.mates(truth.board))


def _threatens(umpire: Umpire[Any], side: Side, wish: Wish, weighed: Sequence[Weighed]) -> float:
    """In which part of the positions in which it ends the turn a wish threatens mate."""
    if not wish.share:
        return 0.0
    rulings = (umpire.judge(truth, side, wish.order) for truth, _ in weighed)
    threats = [
        mating.threat(each.truth.board) for each in rulings if each.turn is not side and each.outcome is None
    ]
    return fmean(threats) if threats else 0.0


def _merit(wish: Wish) -> float:
    return wish.value


def _retakes(order: Order, taken: int | None) -> bool:
    return isinstance(order, Move) and order.target == taken


def all_of(umpire: Umpire[Any], sight: Sight) -> list[Move | Drop | Pass]:
    """The moves that the pattern of the men in sight allows, as if a sense were taken."""
    return [order_of(text) for text in umpire.options(sight._replace(sense_due=False))]


@lru_cache(maxsize=8192)
def order_of(text: str) -> Move | Drop | Pass:
    """A wish as the umpire offers it."""
    if text == "pass":
        return Pass()
    move = chess.Move.from_uci(text)
    if move.drop:
        return Drop(_MEN[move.drop], move.to_square)
    return Move(move.from_square, move.to_square, _MEN[move.promotion] if move.promotion else None)


def is_step(order: Order) -> TypeGuard[Step]:
    """Whether it may stand in a list of tries."""
    return isinstance(order, Move | Drop)


def whole_turn(truth: Any, order: Move | Drop | Pass) -> Order:
    """A move with all that has to come before it in its turn: a look at nothing, where a sense is due."""
    if isinstance(truth, recon.Truth) and truth.seen is None:
        assert not isinstance(order, Drop)
        return Sense(None, otherwise=order)
    return order


def _judged(
    umpire: Umpire[Any],
    scale: Scale,
    side: Side,
    order: Move | Drop | Pass,
    weighed: Sequence[Weighed],
) -> Wish:
    """What a move is worth where it ends the turn, less for what is heard where it does not."""
    value = ended = overheard = whole = 0.0
    for truth, weight in weighed:
        ruling = umpire.judge(truth, side, whole_turn(truth, order))
        whole += weight
        if ruling.turn is not side:
            ended += weight
            value += weight * value_of(ruling, scale, side)
        elif ruling.slips[side.other] is not None:
            overheard += weight
    if not ended:
        return Wish(order)
    return Wish(order, ended / whole, value / ended - _OVERHEARD * overheard / whole)


def value_of(ruling: Any, scale: Scale, side: Side) -> float:
    """What a position is worth to the side that has just moved, or how it ended for it."""
    outcome = ruling.outcome
    white = side is Side.WHITE
    if outcome is not None and outcome.winner is None:
        return _DRAWN - scale.thrown_away * max(0.0, scale.ahead(ruling.truth, white=white))
    if outcome is not None:
        return scale.won if outcome.winner is side else -scale.won
    board = ruling.truth.board
    value = scale.worth(board, white=white) + scale.in_reserve(ruling.truth, white=white)
    if scale.spies:
        value -= assassin.danger(board, white=white, waits=scale.waits)
        value -= assassin.checked(board, white=white)
    if isinstance(ruling.truth, recon.Truth) and is_king_en_prise(board, side):
        value -= _KING_EN_PRISE
    return value


def is_king_en_prise(board: chess.Board, side: Side) -> bool:
    """Whether this side's king may be taken next, where kings are taken."""
    white = side is Side.WHITE
    king = board.king(white)
    assert king is not None
    return board.attackers_mask(not white, king) != 0
