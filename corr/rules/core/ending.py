"""Finds how the position ends a game, by the first reason that applies."""

from __future__ import annotations

import chess

from corr.rules.core.checks import DIAGONALS, ORTHOGONALS

_ROOK_STEPS = [ORTHOGONALS[square] & chess.BB_KING_ATTACKS[square] for square in range(64)]
_BISHOP_STEPS = [DIAGONALS[square] & chess.BB_KING_ATTACKS[square] for square in range(64)]


def find_ending(board: chess.Board, checkers: int, pinned: int, keys: bytes) -> str | None:
    """Test mate, stalemate, dead material, repetition and fifty moves, in this order."""
    if not can_move(board, checkers, pinned):
        return "checkmate" if checkers else "stalemate"
    if not (board.pawns or board.rooks or board.queens) and board.is_insufficient_material():
        return "material"
    return find_progress_draw(board, keys)


def find_progress_draw(board: chess.Board, keys: bytes) -> str | None:
    """Test the draws of a game without progress: repetition, then fifty moves."""
    if keys.count(keys[-8:]) >= 3 and _times_here(keys) >= 3:
        return "repetition"
    return "fifty" if board.halfmove_clock >= 100 else None


def _times_here(keys: bytes) -> int:
    """Count the last position; a match that only overlaps two keys does not count."""
    last = keys[-8:]
    return sum(keys[start : start + 8] == last for start in range(0, len(keys), 8))


def can_move(board: chess.Board, checkers: int, pinned: int) -> bool:
    """Whether there is a legal move. A free piece mostly has a step; otherwise it searches for one."""
    if not checkers and (_man_steps(board, pinned) or _king_steps(board)):
        return True
    return next(board.generate_legal_moves(), None) is not None


def _man_steps(board: chess.Board, pinned: int) -> bool:
    """Whether an unpinned pawn or piece can step somewhere, with the king not in check."""
    own = board.occupied_co[board.turn]
    free = own & ~pinned
    pawns = board.pawns & free
    if (pawns << 8 if board.turn else pawns >> 8) & ~board.occupied:
        return True
    for men, steps in (
        (board.queens, chess.BB_KING_ATTACKS),
        (board.rooks, _ROOK_STEPS),
        (board.knights, chess.BB_KNIGHT_ATTACKS),
        (board.bishops, _BISHOP_STEPS),
    ):
        if men & free and any(steps[square] & ~own for square in chess.scan_reversed(men & free)):
            return True
    return False


def _king_steps(board: chess.Board) -> bool:
    own = board.occupied_co[board.turn]
    king = (board.kings & own).bit_length() - 1
    around = chess.scan_reversed(chess.BB_KING_ATTACKS[king] & ~own)
    return any(not board.attackers_mask(not board.turn, square) for square in around)
