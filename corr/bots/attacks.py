"""Computes which squares pieces attack."""

from __future__ import annotations

import chess


def attacks_of_piece(kind: chess.PieceType, square: int, occupied: int, *, white: bool) -> int:
    """Return the squares that a piece of this kind attacks, blocked by the occupied squares."""
    if kind == chess.PAWN:
        return chess.BB_PAWN_ATTACKS[white][square]
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if kind == chess.KING:
        return chess.BB_KING_ATTACKS[square]
    lines = 0
    if kind != chess.ROOK:
        lines |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    if kind != chess.BISHOP:
        lines |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        lines |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return lines


def attacks_of_pieces(board: chess.Board, men: int, occupied: int, *, white: bool) -> int:
    """Return every square that these pieces of one side attack, blocked by the occupied squares."""
    pawns = board.pawns & men
    if white:
        reached = (pawns & ~chess.BB_FILE_A) << 7 | (pawns & ~chess.BB_FILE_H) << 9
    else:
        reached = (pawns & ~chess.BB_FILE_H) >> 7 | (pawns & ~chess.BB_FILE_A) >> 9
    left = men & ~pawns
    while left:
        square = (left & -left).bit_length() - 1
        man = left & -left
        left &= left - 1
        if board.knights & man:
            reached |= chess.BB_KNIGHT_ATTACKS[square]
            continue
        if board.kings & man:
            reached |= chess.BB_KING_ATTACKS[square]
            continue
        if not board.rooks & man:
            reached |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
        if not board.bishops & man:
            reached |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
            reached |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return reached
