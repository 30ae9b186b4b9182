"""Finds where a piece stops that may meet hidden pieces on its way: Reconnaissance Blind Chess."""

from __future__ import annotations

import chess

from corr.rules.core.checks import BETWEEN
from corr.rules.core.notation import chess_move

_TWO_RANKS = 16


def resolve_move(board: chess.Board, move: chess.Move) -> chess.Move | None:
    """Return the move that results from one the own pieces allow; None if it does not succeed."""
    origin, target = move.from_square, move.to_square
    if board.pawns >> origin & 1:
        return _resolve_pawn_move(board, move)
    if board.kings >> origin & 1 and abs(target - origin) == 2:
        rook = target + 1 if target > origin else target - 2
        return None if BETWEEN[origin][rook] & board.occupied else move
    hidden = BETWEEN[origin][target] & board.occupied
    nearest = hidden & -hidden if target > origin else hidden
    return chess_move(origin, nearest.bit_length() - 1, None) if hidden else move


def _resolve_pawn_move(board: chess.Board, move: chess.Move) -> chess.Move | None:
    """Stop a pawn: it captures only diagonally, steps only straight, and may end a double step after one."""
    origin, target = move.from_square, move.to_square
    if (target - origin) & 7:
        return move if board.occupied >> target & 1 or target == board.ep_square else None
    if not board.occupied >> target & 1 and not BETWEEN[origin][target] & board.occupied:
        return move
    halfway = origin + target >> 1
    is_double = abs(target - origin) == _TWO_RANKS
    return chess_move(origin, halfway, None) if is_double and not board.occupied >> halfway & 1 else None
