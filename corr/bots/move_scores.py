"""Scores every move that the side's own pieces allow, over a set of possible positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, TypeGuard

import chess

from corr.bots import assassin, attacks
from corr.bots.evaluation import PieceValues
from corr.bots.history import NO_ARRANGEMENTS, Arrangement, arrangement_after, arrangement_of
from corr.bots.possible_positions import WeightedPosition
from corr.rules.core import rbc_truth
from corr.rules.core.umpire import Umpire
from corr.words.board import PieceKind, Side, squares_of
from corr.words.orders import Drop, Move, Order, Pass, Sense, Step
from corr.words.slips import Sight

_PIECE_KINDS = dict(enumerate(PieceKind, start=chess.PAWN))
_DRAW_VALUE = -60.0
_AGAIN = 20.0  # the cost of repeating an earlier arrangement of the side's own pieces
_KING_EN_PRISE = 5000.0
_OVERHEARD = 25.0  # the cost if the opponent hears of a refused try
#: The value of a mate threat, and the number of positions searched for one.
_THREAT, _THREAT_POSITIONS = 2000.0, 12
_MATED_NEXT_SHARE = 0.8  # the cost if the opponent can mate next, as part of the cost of a lost game
_HIDDEN_MATE = 4.0  # the cost of a mate without the assassin that is only thought possible, likewise
#: How many positions are searched for how many wishes, the best of the last round first.
_ROUNDS = ((2, 1000), (8, 30), (1000, 10))
_LOWEST_VALUE = -1e6


class ScoredMove(NamedTuple):
    """A move, the share of the positions in which it ends the turn, and its value there."""

    order: Move | Drop | Pass
    share: float = 0.0
    value: float = _LOWEST_VALUE


class PastPlay(NamedTuple):
    """The side's earlier arrangements, the moves since the last capture, and the square of a capture just made."""

    arrangements: Mapping[Arrangement, int] = NO_ARRANGEMENTS
    quiet: int = 0
    taken: int | None = None


NO_PAST = PastPlay()


def rank_moves(
    umpire: Umpire[Any],
    sight: Sight,
    weighed: Sequence[WeightedPosition],
    noise: float,
    chance: Random,
    past: PastPlay = NO_PAST,
) -> list[ScoredMove]:
    """Return every move own pieces allow, best first: the top few scored over all positions, with Gaussian `noise`."""
    scale, side = PieceValues.of(umpire.card.key), sight.side
    scale = scale._replace(waits=scale.waits and assassin.is_still_waiting(sight, past.quiet))
    mates = frozenset(move for truth, _ in weighed for move in _find_mates(umpire, truth, side))
    tallies, counted = [_Tally(order) for order in possible_moves(umpire, sight)], 0

    def is_urgent(tally: _Tally) -> bool:
        order = tally.order
        return order in mates or (isinstance(order, Move) and order.target == past.taken)

    for positions, kept in _ROUNDS:
        tallies.sort(key=is_urgent, reverse=True)
        for tally in tallies[:kept]:
            tally.add(umpire, scale, side, weighed[counted:positions])
        tallies[:kept] = sorted(tallies[:kept], key=_Tally.merit, reverse=True)
        counted = positions
    _, kept = _ROUNDS[-1]
    blocked = _blocked_squares(weighed, side.other) if scale.spies and not assassin.is_lonely(sight) else None

    def risk(tally: _Tally) -> float:
        return _blunder(scale, sight, tally.order, blocked) if blocked else 0.0

    blurred = [
        ScoredMove(
            tally.order,
            tally.share(),
            tally.merit()
            + _THREAT * (_threat_share(tally.after) if scale.mates else 0.0)
            + chance.gauss(0, noise)
            - _AGAIN * past.arrangements.get(arrangement_after(sight, tally.order), 0)
            - risk(tally),
        )
        for tally in tallies[:kept]
    ]
    rest = [
        ScoredMove(tally.order, tally.share(), tally.merit()) for tally in sorted(tallies[kept:], key=risk)
    ]
    return sorted(blurred, key=attrgetter("value"), reverse=True) + rest


def _find_mates(umpire: Umpire[Any], truth: Any, side: Side) -> Iterator[Order]:
    """Find this side's mating and winning moves; none where kings can be captured."""
    if isinstance(truth, rbc_truth.Truth):
        return
    reserve = truth.reserves[side] if truth.reserves else ""
    for move in attacks.find_cornering_moves(truth.board, reserve):
        order = parse_option(move.uci())
        outcome = umpire.judge(truth, side, order).outcome
        if outcome is not None and outcome.winner is side:
            yield order


def _blocked_squares(weighed: Sequence[WeightedPosition], side: Side) -> list[float]:
    """Return how likely a piece of this side's, but its king, is on each square."""
    blocked, total = [0.0] * 64, sum(weight for _, weight in weighed) or 1.0
    for truth, weight in weighed:
        board = truth.board
        for square in squares_of(board.occupied_co[side is Side.WHITE] & ~board.kings):
            blocked[square] += weight / total
    return blocked


def _blunder(scale: PieceValues, sight: Sight, order: Move | Drop | Pass, blocked: Sequence[float]) -> float:
    """Return the cost of perhaps mating without the assassin, since the king may be elsewhere than believed.

    Such a mate makes a lost game of a won one.
    """
    before, after = arrangement_of(sight), arrangement_after(sight, order)
    share = assassin.hidden_mate_share(before, after, blocked, white=sight.side is Side.WHITE)
    return _HIDDEN_MATE * scale.won * share


def _threat_share(after: Sequence[Any]) -> float:
    """Return how likely a mate follows, on average over these positions."""
    return fmean([attacks.threat_share(truth.board) for truth in after[:_THREAT_POSITIONS]]) if after else 0.0


def possible_moves(umpire: Umpire[Any], sight: Sight) -> list[Move | Drop | Pass]:
    """Return the moves that the visible pieces allow, as if no sense were due."""
    return [parse_option(text) for text in umpire.possible_tries(sight._replace(sense_due=False))]


@lru_cache(maxsize=8192)
def parse_option(text: str) -> Move | Drop | Pass:
    """Parse a move, drop or pass that an umpire offers as text."""
    if text == "pass":
        return Pass()
    move = chess.Move.from_uci(text)
    if move.drop:
        return Drop(_PIECE_KINDS[move.drop], move.to_square)
    return Move(move.from_square, move.to_square, _PIECE_KINDS[move.promotion] if move.promotion else None)


def is_step(order: Order) -> TypeGuard[Step]:
    """Whether an order is a single move or drop, as lists have."""
    return isinstance(order, Move | Drop)


def make_whole_turn(truth: Any, order: Move | Drop | Pass) -> Order:
    """Return a move as a whole turn: if a sense is due, it senses nothing first."""
    if isinstance(truth, rbc_truth.Truth) and truth.seen is None:
        assert not isinstance(order, Drop)
        return Sense(None, otherwise=order)
    return order


class _Tally:
    def __init__(self, order: Move | Drop | Pass) -> None:
        self.order = order
        self.after = list[Any]()  # the positions that it leads to, if the game goes on
        self._value = self._ended = self._overheard = self._whole = 0.0

    def add(
        self, umpire: Umpire[Any], scale: PieceValues, side: Side, weighed: Sequence[WeightedPosition]
    ) -> None:
        """Judge the move in more positions, and add up what comes of it."""
        for truth, weight in weighed:
            ruling = umpire.judge(truth, side, make_whole_turn(truth, self.order))
            self._whole += weight
            if ruling.turn is not side:
                self._ended += weight
                self._value += weight * evaluate_ruling(ruling, scale, side)
                if ruling.outcome is None:
                    self.after.append(ruling.truth)
                    if any(_find_mates(umpire, ruling.truth, side.other)):
                        self._value -= weight * _MATED_NEXT_SHARE * scale.won
            elif ruling.slips[side.other] is not None:
                self._overheard += weight

    def share(self) -> float:
        """Return the weighted share of positions in which this order ends the turn."""
        return self._ended / self._whole if self._whole else 0.0

    def merit(self) -> float:
        """Return the value where the move ends the turn, less what the opponent overhears where it does not."""
        if not self._ended:
            return _LOWEST_VALUE
        return self._value / self._ended - _OVERHEARD * self._overheard / self._whole


def evaluate_ruling(ruling: Any, scale: PieceValues, side: Side) -> float:
    """Return the value of a position, or of the game's end, for the side that has just moved."""
    outcome = ruling.outcome
    white = side is Side.WHITE
    if outcome is not None and outcome.winner is None:
        return _DRAW_VALUE - scale.thrown_away * max(0.0, scale.ahead(ruling.truth, white=white))
    if outcome is not None:
        return scale.won if outcome.winner is side else -scale.won
    board = ruling.truth.board
    value = scale.worth(board, white=white) + scale.in_reserve(ruling.truth, white=white)
    if scale.spies:
        value -= assassin.danger(board, white=white, waits=scale.waits)
        value -= assassin.check_cost(board, white=white)
    if isinstance(ruling.truth, rbc_truth.Truth) and is_king_exposed(board, side):
        value -= _KING_EN_PRISE
    return value


def is_king_exposed(board: chess.Board, side: Side) -> bool:
    """Whether this side's king can be captured next, in a variant where kings are captured."""
    white = side is Side.WHITE
    king = board.king(white)
    assert king is not None
    return board.attackers_mask(not white, king) != 0
