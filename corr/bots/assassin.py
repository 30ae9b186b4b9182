"""Scores the queen in Assassin: her risks and mating chances, since a mate by any other piece loses."""

from __future__ import annotations

import math
from collections.abc import Sequence

import chess

from corr.bots.attacks import attacks_of_piece, attacks_of_pieces
from corr.bots.history import Arrangement
from corr.words.board import squares_of
from corr.words.slips import Sight

#: The cost if the assassin can be captured; and if she checks without mate, since a check tells where she is.
_REACHED_COST, _SHOWN_COST = 8000, 10000
_OPEN = 25  # the cost of each square that the assassin sees past her own pieces: she may be seen from there
#: The cost by the opposing king's free squares: in quiet, and in check by another piece, whose mate would lose.
_AIRLESS = (400, 150, 50, 0, 0, 0, 0, 0, 0)
_CHECK_COSTS = (3000, 1000, 300, 100, 100, 100, 100, 100, 100)
#: The factor on that cost if so few pieces are beside the king that they may have no move: stalemate wins nothing.
_STALEMATE_FACTOR = 6
#: The assassin stops waiting after this many moves without capture if the king has at most _FEW other pieces.
_PATIENCE, _FEW_PIECES = 20, 4
_PIECES_BESIDE_KING = 15


def is_lonely(sight: Sight) -> bool:
    """Whether the opposing king has no other pieces left, so that he may be on any possible square."""
    return sight.lost[sight.side.other].men == _PIECES_BESIDE_KING


def is_still_waiting(sight: Sight, quiet: int) -> bool:
    """Whether the assassin still stays back, after this many moves without a capture."""
    left = _PIECES_BESIDE_KING - sight.lost[sight.side.other].men
    return quiet < _PATIENCE or left > _FEW_PIECES


def danger(board: chess.Board, *, white: bool, waits: bool) -> int:
    """Return the cost of the assassin's position for her side; 0 if the opposing king is alone."""
    mine, theirs = board.occupied_co[white], board.occupied_co[not white]
    own = board.queens & mine
    if not own or not theirs & ~board.kings:
        return 0
    square = own.bit_length() - 1
    cost = 0
    if waits:
        seen = attacks_of_piece(chess.QUEEN, square, mine, white=white) & ~mine
        cost = _OPEN * seen.bit_count()
        if board.attacks_mask(square) & board.kings & theirs:
            return cost + _SHOWN_COST
    takers = board.attackers_mask(not white, square) & ~board.knights
    return cost + (_REACHED_COST if takers else 0)


def check_cost(board: chess.Board, *, white: bool) -> int:
    """Return the cost of a check without the assassin, since it may be mate; 0 against a lone king."""
    theirs, king = board.occupied_co[not white], board.king(not white)
    if king is None or not theirs & ~board.kings:
        return 0
    checkers = board.attackers_mask(white, king) & ~board.knights
    if not checkers or checkers & board.queens:
        return 0
    return _CHECK_COSTS[_king_flight_squares(board, white=white).bit_count()]


def cornered_cost(board: chess.Board, *, white: bool) -> int:
    """Return the cost of a cornered opposing king, highest where few other pieces could move instead."""
    others = (board.occupied_co[not white] & ~board.kings).bit_count()
    return _AIRLESS[_king_flight_squares(board, white=white).bit_count()] * (
        _STALEMATE_FACTOR if others <= _FEW_PIECES else 1
    )


def hidden_mate_share(
    before: Arrangement, after: Arrangement, blocked: Sequence[float], *, white: bool
) -> float:
    """Return how likely a move mates without the assassin, if the opposing king may be on any possible square.

    `blocked` is how likely each square has another of his pieces, which takes it away from him.
    """
    own, moved = _make_board(before, white=white), _make_board(after, white=white)
    king = (
        chess.BB_ALL
        & ~own.occupied
        & ~attacks_of_pieces(own, own.occupied & ~own.knights, own.occupied, white=white)
    )
    closed = attacks_of_pieces(moved, moved.occupied & ~moved.knights, moved.occupied, white=white)
    mated = 0.0
    for square in squares_of(king & closed & ~moved.occupied):
        if not moved.attackers_mask(white, square) & ~moved.knights & moved.queens:
            mated += math.prod(blocked[each] for each in squares_of(chess.BB_KING_ATTACKS[square] & ~closed))
    return mated / max(1, king.bit_count())


def _make_board(men: Arrangement, *, white: bool) -> chess.Board:
    """Build a board with one side's pieces only."""
    board = chess.Board(None)
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = men
    board.occupied = board.occupied_co[white] = sum(men)
    return board


def next_mate_share(board: chess.Board, *, white: bool) -> float:
    """Return the share of a lone king's replies after which `white`'s assassin can mate him."""
    own = board.occupied_co[white]
    replies = squares_of(_king_flight_squares(board, white=white))
    mated = sum(_can_mate(board, own & ~(1 << king), king, white=white) for king in replies)
    return mated / max(1, len(replies))


def _king_flight_squares(board: chess.Board, *, white: bool) -> int:
    """Return the squares that the opposing king can step to."""
    king = board.king(not white)
    if king is None:
        return chess.BB_EMPTY
    active = board.occupied_co[white] & ~board.knights
    closed = attacks_of_pieces(board, active, board.occupied & ~(1 << king), white=white)
    return chess.BB_KING_ATTACKS[king] & ~closed & ~board.occupied_co[not white]


def _can_mate(board: chess.Board, men: int, king: int, *, white: bool) -> bool:
    """Whether the assassin among these pieces can mate a lone king on this square by her own move."""
    own = board.queens & men
    if not own:
        return False
    others = men & ~own
    checking = attacks_of_piece(chess.QUEEN, king, others, white=white) & ~men
    checking &= attacks_of_piece(chess.QUEEN, own.bit_length() - 1, others | 1 << king, white=white)
    return any(_is_mate(board, others, king, target, white=white) for target in squares_of(checking))


def _is_mate(board: chess.Board, others: int, king: int, target: int, *, white: bool) -> bool:
    """Whether the king has no square left once the assassin checks him from this square."""
    closed = attacks_of_piece(chess.QUEEN, target, others, white=white)
    closed |= attacks_of_pieces(board, others & ~board.knights, others | 1 << target, white=white)
    return not chess.BB_KING_ATTACKS[king] & ~closed
