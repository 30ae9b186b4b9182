"""Turns orders into python-chess moves, and lists the moves that a side's own pieces allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import chess

from corr.rules.core.checks import BETWEEN, CASTLINGS
from corr.rules.core.umpire import SIDES
from corr.words.board import SQUARE_NUMBER, SQUARES, PieceKind, Side, squares_of
from corr.words.errors import Refused
from corr.words.orders import Castle, Drop, Move, Order
from corr.words.slips import Sight

#: python-chess's number of each kind of piece.
KIND_NUMBERS = {kind: number for number, kind in enumerate(PieceKind, start=chess.PAWN)}
_LAST_RANK = {chess.WHITE: chess.BB_RANK_8, chess.BLACK: chess.BB_RANK_1}
_CASTLING_MOVES = {(each.word, each.king): chess.Move(each.king, each.king_to) for each in CASTLINGS.values()}


def read(order: Order, board: chess.Board, known: str) -> chess.Move | None:
    """Return the move that an order means; None for castling with no king at home, else Refused."""
    match order:
        case Move():
            return move(order, board.pawns & board.occupied_co[board.turn], _LAST_RANK[board.turn])
        case Castle():
            king = board.king(board.turn)
            return None if king is None else _CASTLING_MOVES.get((order, king))
        case _:
            raise Refused(known)


def move(order: Move, own_pawns: int, last_rank: int) -> chess.Move:
    """Turn a written move into python-chess's, promoting to a queen by default; Refused for a misplaced letter."""
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
    """Turn a drop order into python-chess's move."""
    return _drop_move(KIND_NUMBERS[order.man], order.square)


@lru_cache(maxsize=512)
def _drop_move(man: chess.PieceType, square: int) -> chess.Move:
    return chess.Move(square, square, drop=man)


_SIDE_CASTLINGS = {(SIDES[each.king == chess.E1], each.word): each for each in CASTLINGS.values()}


def possible_tries(sight: Sight) -> tuple[str, ...]:
    """Return every move and drop that a side's own pieces allow, as `e2e4`, possible or not."""
    board = _own_board(sight)
    moves = tuple(
        text
        for man, origins in sight.own_pieces().items()
        for origin in origins
        for text in (_pawn(sight, origin) if man is PieceKind.PAWN else _piece(sight, board, man, origin))
    )
    return moves + tuple(_drops(sight)) if sight.reserves else moves


def example(offered: Callable[[Sight], tuple[str, ...]], sight: Sight, *, captures: bool = False) -> str:
    """Choose one of the moves on offer as an example for help texts; `captures` asks for a pawn capture."""
    moves = offered(sight._replace(sense_due=False))
    fitting = [
        move for move in moves if (_is_pawn_capture(sight, move) if captures else move[0] == move[2])
    ] or moves
    move = fitting[len(fitting) // 2] if fitting else ""
    if not sight.sense_due:
        return move
    return f"sense {'none' if move == 'pass' else move[2:4]}; {move}"


def _is_pawn_capture(sight: Sight, move: str) -> bool:
    return move[0] != move[2] and move[:2] in SQUARES and sight.pawns >> SQUARE_NUMBER[move[:2]] & 1 == 1


def _own_board(sight: Sight) -> chess.BaseBoard:
    """Return a board with the side's own pieces, which holds just what `attacks_mask` reads."""
    board = chess.BaseBoard(None)
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = (
        mask & sight.own for _, mask in sight.masks()
    )
    board.occupied = board.occupied_co[sight.side is Side.WHITE] = sight.own
    return board


def _piece(sight: Sight, board: chess.BaseBoard, man: PieceKind, origin: int) -> Iterator[str]:
    """Yield the moves of one piece over its own side's board, including castling."""
    for target in squares_of(board.attacks_mask(origin) & ~sight.own):
        yield SQUARES[origin] + SQUARES[target]
    if man is PieceKind.KING:
        for castling in (_SIDE_CASTLINGS[sight.side, right] for right in sight.castling):
            if not BETWEEN[castling.king][castling.rook] & sight.own:
                yield SQUARES[castling.king] + SQUARES[castling.king_to]


def _pawn(sight: Sight, origin: int) -> Iterator[str]:
    """Yield the moves of one pawn past its own side's pieces, each promotion separately."""
    white = sight.side is Side.WHITE
    slants = chess.BB_PAWN_ATTACKS[white][origin] & ~sight.own
    for target in (*_steps(sight.own, origin, white=white), *squares_of(slants)):
        last = chess.square_rank(target) in (0, 7)
        for letter in ("q", "r", "b", "n") if last else ("",):
            yield SQUARES[origin] + SQUARES[target] + letter


def _steps(own: int, origin: int, *, white: bool) -> Iterator[int]:
    """Yield the squares straight ahead that a pawn can step to past own pieces."""
    ahead = 8 if white else -8
    for target in (origin + ahead, origin + 2 * ahead):
        if own >> target & 1:
            return
        yield target
        if chess.square_rank(origin) != (1 if white else 6):
            return


def _drops(sight: Sight) -> Iterator[str]:
    """Yield the drops that a side's reserve and own pieces allow."""
    assert sight.reserves
    for letter in dict.fromkeys(sight.reserves[sight.side].upper()):
        ranks = ~chess.BB_BACKRANKS if letter == "P" else chess.BB_ALL
        for square in squares_of(ranks & chess.BB_ALL & ~sight.own):
            yield f"{letter}@{SQUARES[square]}"
