"""Plays a drop on the true board: whether it is legal, and the board after it."""

from __future__ import annotations

import chess

from corr.rules.core.checks import BETWEEN, Siege
from corr.rules.core.moves import clear_squares, put_piece

_PAWN_RANKS = chess.BB_ALL & ~chess.BB_BACKRANKS


def drop(board: chess.Board, besieged: Siege, move: chess.Move) -> chess.Board | None:
    assert move.drop
    if not (_squares(board, besieged) & droppable_squares(move.drop)) >> move.to_square & 1:
        return None
    turn, end = board.turn, 1 << move.to_square
    after = clear_squares(board, 0)
    put_piece(after, move.drop, end)
    after.occupied_co[turn] |= end
    after.occupied = board.occupied | end
    after.promoted = board.promoted
    after.turn = not turn
    after.fullmove_number = board.fullmove_number + (not turn)
    return after


def can_drop(board: chess.Board, besieged: Siege, reserve: str) -> bool:
    squares = _squares(board, besieged) if reserve else 0
    return squares & _PAWN_RANKS != 0 or (squares != 0 and not reserve.upper().startswith("P"))


def droppable_squares(man: chess.PieceType) -> int:
    return _PAWN_RANKS if man == chess.PAWN else chess.BB_ALL


def _squares(board: chess.Board, besieged: Siege) -> int:
    """Return the squares where a drop leaves the king safe: empty, or blocking the only checker."""
    king, checkers, _ = besieged
    if not checkers:
        return chess.BB_ALL & ~board.occupied
    return 0 if checkers & checkers - 1 else BETWEEN[king][checkers.bit_length() - 1]
