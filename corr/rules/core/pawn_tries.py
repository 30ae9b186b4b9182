"""Counts pawn tries: the legal captures by pawns, each pair of squares once."""

from __future__ import annotations

import chess

_NOT_A, _NOT_H = ~chess.BB_FILE_A, ~chess.BB_FILE_H


def count_en_passant(board: chess.Board) -> int:
    square = board.ep_square
    if square is None:
        return 0
    pawns = board.pawns & board.occupied_co[board.turn]
    if not chess.BB_PAWN_ATTACKS[not board.turn][square] & pawns:
        return 0
    return sum(1 for _ in board.generate_legal_ep())


def count_pawn_tries(board: chess.Board, checkers: int, pinned: int, passing: int) -> int:
    """Count the pawn captures of the side to move; `passing` of them are en passant."""
    pawns = board.pawns & board.occupied_co[board.turn]
    enemies = board.occupied_co[not board.turn]
    if board.turn:
        west, east = pawns << 7 & _NOT_H & enemies, pawns << 9 & _NOT_A & enemies
    else:
        west, east = pawns >> 9 & _NOT_H & enemies, pawns >> 7 & _NOT_A & enemies
    if (west or east) and (checkers or pinned & pawns):
        return len({(move.from_square, move.to_square) for move in legal_pawn_captures(board)})
    return west.bit_count() + east.bit_count() + passing


def legal_pawn_captures(board: chess.Board) -> list[chess.Move]:
    """Return every legal capture by a pawn, one move for each piece it may become."""
    return list(board.generate_legal_captures(board.pawns & board.occupied_co[board.turn]))
