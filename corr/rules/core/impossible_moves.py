"""Finds attempts that a player must know to be impossible, by own pieces and the turn's announcements only."""

from __future__ import annotations

import chess

from corr.rules.core.checks import BETWEEN, DIAGONALS, ORTHOGONALS
from corr.rules.core.crazyhouse import is_in_reserve
from corr.rules.core.moves import droppable_squares
from corr.rules.core.umpire import NOTHING_REMEMBERED, Memo, Truth

_DROP_ORIGIN = 64


def remember_refusal(truth: Truth, move: chess.Move, *, bound: bool) -> Truth:
    """Return the truth with this move noted as refused; `bound` means a pawn capture is still due."""
    tried = truth.memo.refused | {_attempt(move)}
    return truth._replace(memo=Memo(tried, truth.memo.any, bound))


def remember_answer(truth: Truth, *, answer: bool) -> Truth:
    """Return the truth with the answer to "any?" noted; after a yes, a pawn capture is due."""
    return truth._replace(memo=Memo(truth.memo.refused, answer, answer))


def is_already_refused(truth: Truth, move: chess.Move) -> bool:
    """Whether an attempt was already refused in this turn, with any promotion."""
    return _attempt(move) in truth.memo.refused


def _attempt(move: chess.Move) -> tuple[int, int]:
    """Encode a move's two squares; a drop has its piece in place of an origin, numbered beyond the squares."""
    return (_DROP_ORIGIN + move.drop if move.drop else move.from_square, move.to_square)


def is_impossible_by_own_pieces(board: chess.Board, move: chess.Move) -> bool:
    """Whether the mover's own pieces alone show that a move is impossible (ruling G6, a to d)."""
    own, origin, target = board.occupied_co[board.turn], move.from_square, move.to_square
    if not own >> origin & 1 or own >> target & 1:
        return True
    if board.pawns >> origin & 1:
        return not _pawn_may_go(board.turn, own, origin, target)
    if board.kings >> origin & 1 and target - origin in (2, -2):
        return not _can_castle(board, own, origin, target)
    return not _attacks_on_empty_board(board, origin) >> target & 1 or BETWEEN[origin][target] & own != 0


def _pawn_may_go(white: chess.Color, own: int, origin: int, target: int) -> bool:
    """Whether a pawn may go there past own pieces: ahead, or diagonally as if it captured."""
    if chess.BB_PAWN_ATTACKS[white][origin] >> target & 1:
        return True
    ahead = target - origin if white else origin - target
    at_home = origin >> 3 == (1 if white else 6)
    return ahead == 8 or (ahead == 16 and at_home and not BETWEEN[origin][target] & own)


def _can_castle(board: chess.Board, own: int, king: int, target: int) -> bool:
    """Whether the right to castle exists, and no own piece is between king and rook."""
    corners = chess.BB_FILE_H if target > king else chess.BB_FILE_A
    rook = board.castling_rights & corners & (chess.BB_RANK_1 if board.turn else chess.BB_RANK_8)
    return rook != 0 and not BETWEEN[king][rook.bit_length() - 1] & own


def _attacks_on_empty_board(board: chess.Board, origin: int) -> int:
    """Return the squares that a piece other than a pawn attacks on an empty board."""
    start = 1 << origin
    if board.knights & start:
        return chess.BB_KNIGHT_ATTACKS[origin]
    if board.kings & start:
        return chess.BB_KING_ATTACKS[origin]
    straight = 0 if board.bishops & start else ORTHOGONALS[origin]
    return straight if board.rooks & start else straight | DIAGONALS[origin]


def is_undroppable(board: chess.Board, reserve: str, move: chess.Move) -> bool:
    """Whether own pieces and the reserve alone show that a drop is impossible (ruling G6, a, b and e)."""
    assert move.drop
    own = board.occupied_co[board.turn]
    return (
        not is_in_reserve(reserve, move.drop)
        or not (droppable_squares(move.drop) & ~own) >> move.to_square & 1
    )


def is_ruled_out(truth: Truth, move: chess.Move) -> bool:
    """Whether this turn's refusals or the answer to "any?" rule a move out (ruling G6, f to h)."""
    heard = truth.memo
    if heard is NOTHING_REMEMBERED:
        return False
    diagonal = is_pawn_capture_step(truth.board, move)
    return is_already_refused(truth, move) or (
        not diagonal if heard.bound else heard.any is False and diagonal
    )


def is_pawn_capture_step(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move takes an own pawn diagonally ahead, where it might capture."""
    pawns = board.pawns & board.occupied_co[board.turn]
    slants = chess.BB_PAWN_ATTACKS[board.turn][move.from_square]
    return pawns >> move.from_square & 1 == 1 and slants >> move.to_square & 1 == 1


def may_ask(truth: Truth) -> bool:
    """Whether "any?" is allowed: once a turn, and if a pawn could capture something (ruling G6, h and i)."""
    board, own = truth.board, truth.board.occupied_co[truth.board.turn]
    pawns = chess.scan_reversed(board.pawns & own)
    return truth.memo.any is None and any(chess.BB_PAWN_ATTACKS[board.turn][each] & ~own for each in pawns)
