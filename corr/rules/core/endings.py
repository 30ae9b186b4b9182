"""Tells how a game ends on the board: mate, stalemate, lack of material, repetition, fifty moves."""

from __future__ import annotations

import chess

from corr.rules.core.checks import DIAGONALS, ORTHOGONALS

_ROOK_STEPS = [ORTHOGONALS[square] & chess.BB_KING_ATTACKS[square] for square in range(64)]

_BISHOP_STEPS = [DIAGONALS[square] & chess.BB_KING_ATTACKS[square] for square in range(64)]


def find_ending(board: chess.Board, checkers: int, pinned: int, keys: bytes) -> str | None:
    """Return how the game ends here, such as "stalemate" or "repetition"; None if it goes on."""
    if not can_move(board, checkers, pinned):
        return "checkmate" if checkers else "stalemate"
    if not (board.pawns or board.rooks or board.queens) and board.is_insufficient_material():
        return "material"
    return find_progress_draw(board, keys)


def find_progress_draw(board: chess.Board, keys: bytes) -> str | None:
    """Return "repetition" or "fifty" if the game is drawn by it; else None."""
    if keys.count(keys[-8:]) >= 3 and _times_here(keys) >= 3:
        return "repetition"
    return "fifty" if board.halfmove_clock >= 100 else None


def _times_here(keys: bytes) -> int:
    """Count how often the last position occurred, by its eight-byte key."""
    last = keys[-8:]
    return sum(keys[start : start + 8] == last for start in range(0, len(keys), 8))


def can_move(board: chess.Board, checkers: int, pinned: int) -> bool:
    """Whether the side to move has a legal move; a quick test mostly spares the search."""
    if not checkers and (_has_other_step(board, pinned) or _has_king_step(board)):
        return True
    return next(board.generate_legal_moves(), None) is not None


def _has_other_step(board: chess.Board, pinned: int) -> bool:
    """Whether an unpinned piece other than the king can step somewhere, with the king not in check."""
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


def _has_king_step(board: chess.Board) -> bool:
    """Whether the king can step to a square that isn't attacked."""
    own = board.occupied_co[board.turn]
    king = (board.kings & own).bit_length() - 1
    around = chess.scan_reversed(chess.BB_KING_ATTACKS[king] & ~own)
    return any(not board.attackers_mask(not board.turn, square) for square in around)
