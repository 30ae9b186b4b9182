"""Finds the positions after a hidden move, once a sense has shown part of it: Reconnaissance Blind Chess."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

import chess

from corr.bots.attacks import attacks_of_piece, attacks_of_pieces
from corr.bots.history import Observation, is_alike
from corr.bots.move_scores import parse_option
from corr.bots.possible_positions import Belief, WeightedPosition, weigh_sample
from corr.rules.core.checks import BETWEEN, CASTLINGS
from corr.rules.core.played_move import pack_position
from corr.rules.core.umpire import Umpire
from corr.words.orders import Pass, Sense
from corr.words.slips import Sight

#: What makes a move likelier, in natural logarithms, learnt from TroutBot's moves: each piece attacked from the
#: target, extra for the king and the queen, each step away from the edge, and each rank of a pawn.
_ATTACK_WEIGHT, _CHECK, _QUEEN_ATTACK_WEIGHT, _NEARER, _RANK = 0.7, 0.9, 0.4, 0.55, 0.5
#: A bonus for a move by its kind of piece; and, by the value of the piece, for leaving a square where it could be
#: captured. Moving to such a square subtracts it, except for pawns and captures.
_KIND = (0.0, -1.0, 0.7, 0.0, 0.0, 0.0, 0.0)
_DANGER_WEIGHTS = (0.0, 0.2, 0.7, 0.7, 1.0, 2.0, 1.5)
#: A player without a move has often asked for one that failed; players seldom promote to less than a queen.
_NO_MOVE, _UNDERPROMOTION_WEIGHT = 1.3, -3.0
_CASTLING_WEIGHT = 1.5
_EDGE = [min(square & 7, 7 - (square & 7), square >> 3, 7 - (square >> 3)) for square in range(64)]
_LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8


class MoveAnnouncement(NamedTuple):
    """What was announced of a move: the square of a capture, and what the sensed squares hold now."""

    captured: int | None
    sight: Sight

    def fitting(self, board: chess.Board, guesses: Iterable[LikelyMove]) -> Iterator[LikelyMove]:
        """Yield the moves that fit this board; it does not check that the right piece arrived."""
        window, odd = self.sight.seen & ~self.sight.own, self._changed_squares(board)
        return (
            guess for guess in guesses if guess.touched & window == odd and guess.captured == self.captured
        )

    def _changed_squares(self, board: chess.Board) -> int:
        """Return the sensed squares that held something else on this board."""
        sight = self.sight
        return (sight.seen & ~sight.own) & (
            board.pawns ^ sight.pawns
            | board.knights ^ sight.knights
            | board.bishops ^ sight.bishops
            | board.rooks ^ sight.rooks
            | board.queens ^ sight.queens
            | board.kings ^ sight.kings
            | board.occupied_co[not board.turn] ^ sight.own
        )


class LikelyMove(NamedTuple):
    """A move, None for a pass, with the squares it changes, its capture and its likelihood."""

    move: chess.Move | None
    touched: int
    captured: int | None
    likelihood: float


def likely_moves(board: chess.Board) -> list[LikelyMove]:
    """Return every move the side to move may have made, with likelihoods that add up to one."""
    found = [*_ordinary_moves(board), *_special(board), LikelyMove(None, 0, None, _NO_MOVE)]
    likelihoods = [math.exp(guess.likelihood) for guess in found]
    whole = sum(likelihoods)
    return [
        LikelyMove(move, touched, captured, likelihood / whole)
        for (move, touched, captured, _), likelihood in zip(found, likelihoods, strict=True)
    ]


def _ordinary_moves(board: chess.Board) -> Iterator[LikelyMove]:
    """Yield the moves of one piece to a square, each with the logarithm of its likelihood."""
    white, occupied = board.turn, board.occupied
    own, other = board.occupied_co[white], board.occupied_co[not white]
    danger = attacks_of_pieces(board, other, occupied, white=not white)
    pieces, king, queens = other & ~board.pawns, other & board.kings, other & board.queens
    for origin in chess.scan_reversed(own):
        kind, start = board.piece_type_at(origin), 1 << origin
        assert kind
        leaving = _KIND[kind] + (_DANGER_WEIGHTS[kind] if danger & start else 0.0)
        nearer = 0.0 if kind == chess.KING else _NEARER
        for target in chess.scan_reversed(_targets(kind, origin, occupied, other, white=white) & ~own):
            end = 1 << target
            reach = attacks_of_piece(kind, target, occupied & ~start, white=white)
            likely = leaving + nearer * (_EDGE[target] - _EDGE[origin])
            likely += _ATTACK_WEIGHT * (reach & pieces).bit_count()
            if reach & king:
                likely += _CHECK
            if reach & queens:
                likely += _QUEEN_ATTACK_WEIGHT
            if danger & end & ~other and kind != chess.PAWN:
                likely -= _DANGER_WEIGHTS[kind]
            taken = target if other & end else None
            if kind == chess.PAWN:
                likely += _RANK * (target >> 3 if white else 7 - (target >> 3))
                if end & _LAST_RANKS:
                    for less in (chess.ROOK, chess.BISHOP, chess.KNIGHT):
                        yield LikelyMove(
                            chess.Move(origin, target, less),
                            start | end,
                            taken,
                            likely + _UNDERPROMOTION_WEIGHT,
                        )
                    yield LikelyMove(chess.Move(origin, target, chess.QUEEN), start | end, taken, likely)
                    continue
            yield LikelyMove(chess.Move(origin, target), start | end, taken, likely)


def _targets(kind: chess.PieceType, origin: int, occupied: int, other: int, *, white: bool) -> int:
    """Return where a piece can go, even onto own pieces, without castling and en passant."""
    if kind != chess.PAWN:
        return attacks_of_piece(kind, origin, occupied, white=white)
    targets = chess.BB_PAWN_ATTACKS[white][origin] & other
    step = 8 if white else -8
    if not occupied >> origin + step & 1:
        targets |= 1 << origin + step
        if origin >> 3 == (1 if white else 6):
            targets |= 1 << origin + 2 * step & ~occupied
    return targets


def _special(board: chess.Board) -> Iterator[LikelyMove]:
    """Yield castling and captures en passant, each with the logarithm of its likelihood."""
    white, occupied = board.turn, board.occupied
    own, home = board.occupied_co[white], chess.E1 if white else chess.E8
    for target in (home + 2, home - 2) if board.kings & own & 1 << home else ():
        corner, beside = CASTLINGS[home, target].rook, CASTLINGS[home, target].rook_to
        if board.castling_rights >> corner & 1 and not BETWEEN[home][corner] & occupied:
            touched = 1 << home | 1 << target | 1 << corner | 1 << beside
            yield LikelyMove(chess.Move(home, target), touched, None, _CASTLING_WEIGHT)
    passing = board.ep_square
    if passing is not None:
        taken = passing + (-8 if white else 8)
        for origin in chess.scan_reversed(chess.BB_PAWN_ATTACKS[not white][passing] & board.pawns & own):
            yield LikelyMove(chess.Move(origin, passing), 1 << origin | 1 << passing | 1 << taken, taken, 0.0)


_LEAST_WEIGHT = 1e-4  # the least weight of a position, since nobody is sure of the opponent's moves


def positions_after_move(
    umpire: Umpire[Any],
    before: Sequence[WeightedPosition],
    turn: Sequence[Observation],
    size: int,
    chance: Random,
) -> Belief:
    """Return at most `size` positions after an opponent's move that fits all slips of this turn."""
    told = MoveAnnouncement(turn[0].captured, turn[-1].slip.sight)
    lots = []
    for truth, weight in before:
        for guess in told.fitting(truth.board, likely_moves(truth.board)):
            likelihood = weight * guess.likelihood
            lots.append((chance.expovariate(likelihood), likelihood, truth, guess.move))
    lots.sort(key=itemgetter(0))
    apart, weights = dict[bytes, Any](), dict[bytes, float]()
    least = math.inf
    for lot, weight, truth, move in lots:
        if len(apart) == size:
            least = lot
            break
        after = _truth_if_fitting(umpire, truth, move, turn)
        if after is not None:
            name = pack_position(after.board, after.board.ep_square is not None)
            apart.setdefault(name, after)
            weights[name] = weights.get(name, 0.0) + weight
    even = _normalize_weights(weigh_sample(list(weights.values()), least))
    return Belief(tuple(apart.values()), tuple(turn), least == math.inf, even)


def _normalize_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Scale the weights to an average of one, in few digits, and none near zero."""
    whole = sum(weights)
    return tuple([max(_LEAST_WEIGHT, float(f"{len(weights) * weight / whole:.3g}")) for weight in weights])


def _truth_if_fitting(
    umpire: Umpire[Any], truth: Any, move: chess.Move | None, turn: Sequence[Observation]
) -> Any:
    """Return the position after this move if it fits all slips of the turn; else None."""
    side = turn[0].slip.side
    theirs = Sense(None, otherwise=Pass() if move is None else parse_option(move.uci()))
    for heard in turn:
        ruling = umpire.judge(truth, side if heard.order else side.other, heard.order or theirs)
        slip = ruling.slips[side]
        if slip is None or not is_alike(slip, heard.slip):
            return None
        truth = ruling.truth
    return truth
