"""Reads coordinate moves from what the player sees, never from the truth."""

from __future__ import annotations

from functools import lru_cache

import chess

from corr.rules.core.checks import CASTLINGS
from corr.words.board import PieceKind
from corr.words.errors import Refused
from corr.words.orders import Castle, Drop, Move, Order

#: python-chess's number of each kind of piece.
KIND_NUMBERS = {kind: number for number, kind in enumerate(PieceKind, start=chess.PAWN)}
_LAST_RANK = {chess.WHITE: chess.BB_RANK_8, chess.BLACK: chess.BB_RANK_1}
_CASTLING_MOVES = {(each.word, each.king): chess.Move(each.king, each.king_to) for each in CASTLINGS.values()}


def read(order: Order, board: chess.Board, known: str) -> chess.Move | None:
    """Return the move that the side to move means; None for castling without a king at home.

    For anything else it raises Refused with the moves that the variant knows.
    """
    match order:
        case Move():
            return move(order, board.pawns & board.occupied_co[board.turn], _LAST_RANK[board.turn])
        case Castle():
            king = board.king(board.turn)
            return None if king is None else _CASTLING_MOVES.get((order, king))
        case _:
            raise Refused(known)


def move(order: Move, own_pawns: int, last_rank: int) -> chess.Move:
    """Return the move as written, with a queen as the default promotion; Refused for a misplaced letter."""
    steps_on = last_rank >> order.target & 1 and own_pawns >> order.origin & 1
    if order.promotion is None:
        return chess_move(order.origin, order.target, chess.QUEEN if steps_on else None)
    chosen = piece(order.promotion)
    if not steps_on:
        raise Refused("Only a pawn of yours that reaches the last rank can become another piece.")
    return chess_move(order.origin, order.target, chosen)


def piece(man: PieceKind | None) -> chess.PieceType:
    """Return what a pawn becomes, a queen by default; Refused for a piece it cannot become."""
    if man is None:
        return chess.QUEEN
    if man in (PieceKind.PAWN, PieceKind.KING):
        raise Refused("A pawn can become a queen, a rook, a bishop or a knight.")
    return KIND_NUMBERS[man]


@lru_cache(maxsize=4096)
def chess_move(origin: int, target: int, promotion: chess.PieceType | None) -> chess.Move:
    """Return a move by its squares; the same object each time."""
    return chess.Move(origin, target, promotion)


def drop(order: Drop) -> chess.Move:
    return _drop_move(KIND_NUMBERS[order.man], order.square)


@lru_cache(maxsize=512)
def _drop_move(man: chess.PieceType, square: int) -> chess.Move:
    return chess.Move(square, square, drop=man)
