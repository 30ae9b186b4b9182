"""Attempts that their player must know to be impossible: judged by own men and the turn's announcements alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import chess

from corr.rules import memo, moves
from corr.rules.drops import ranks
from corr.rules.moves import without
from corr.rules.reserve import holds
from corr.rules.umpire import Truth

#: Whether a man's pattern leads from square to square, past what stands on some squares.
Reaches: TypeAlias = Callable[[chess.Board, int, chess.Move], bool]


def is_out_of_pattern(board: chess.Board, move: chess.Move, reaches: Reaches = moves.reaches) -> bool:
    """G6 a to d: no own man there, an own man in the way or at the end, not how the man moves, no such castling."""
    own = board.occupied_co[board.turn]
    if not own >> move.from_square & 1 or own >> move.to_square & 1:
        return True
    if is_pawn_diagonal(board, move):
        return False
    castles = board.kings >> move.from_square & 1
    return not reaches(_own_men(board) if castles else board, own, move)


def is_undroppable(board: chess.Board, reserve: str, move: chess.Move) -> bool:
    """G6 a, b and e: no such man in reserve, an own man on the square, a pawn on a last rank."""
    assert move.drop
    own = board.occupied_co[board.turn]
    return not holds(reserve, move.drop) or not (ranks(move.drop) & ~own) >> move.to_square & 1


def is_ruled_out(truth: Truth, move: chess.Move) -> bool:
    """G6 f to h: refused in this turn already, or at odds with what "any?" was answered."""
    diagonal = is_pawn_diagonal(truth.board, move)
    return memo.is_known(truth, move) or (
        not diagonal if truth.memo.bound else truth.memo.any is False and diagonal
    )


def is_pawn_diagonal(board: chess.Board, move: chess.Move) -> bool:
    """An own pawn's step to where it might capture."""
    pawns = board.pawns & board.occupied_co[board.turn]
    slants = chess.BB_PAWN_ATTACKS[board.turn][move.from_square]
    return pawns >> move.from_square & 1 == 1 and slants >> move.to_square & 1 == 1


def may_ask(truth: Truth) -> bool:
    """G6 h and i: "any?" once in a turn, and with a pawn that could capture something."""
    return truth.memo.any is None and _has_pawn_diagonal(truth.board)


def _has_pawn_diagonal(board: chess.Board) -> bool:
    """Whether an own pawn stands so that there is no own man on a square where it might capture."""
    own = board.occupied_co[board.turn]
    pawns = chess.scan_reversed(board.pawns & own)
    return any(chess.BB_PAWN_ATTACKS[board.turn][square] & ~own for square in pawns)


def _own_men(board: chess.Board) -> chess.Board:
    """The board as the side to move knows it: its own men, and nothing else."""
    own = without(board, board.occupied_co[not board.turn])
    own.occupied = own.occupied_co[board.turn]
    return own
