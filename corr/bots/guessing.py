"""Which move somebody has made whom nobody saw: likelier ones first, and by lot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import chess

from corr.words.orders import Move, Order, Sense

#: What counts for a man who is moved, in units of the lot, by which each move's place among the others is blurred.
_CHECK, _QUEEN_ATTACKED, _ROOK_ATTACKED, _NEARER, _AHEAD = 2.5, 2.0, 1.1, 0.12, 0.12
#: That he leaves a square where he could be taken, or comes to one, by what he is worth.
_IN_DANGER = {chess.PAWN: 0.3, chess.KNIGHT: 0.9, chess.BISHOP: 0.9, chess.ROOK: 1.4, chess.QUEEN: 2.6}
#: Whoever may move seldom does not.
_NO_MOVE = -4.0


def guessed(board: chess.Board, wishes: Sequence[Order], chance: Random) -> list[Order]:
    """The wishes of the side that is to move, in an order by lot in which likelier ones come earlier."""
    places = [_likely(board, wish) - math.log(-math.log(1 - chance.random())) for wish in wishes]
    return [wish for _, _, wish in sorted(zip(places, range(len(wishes)), wishes, strict=True), reverse=True)]


def _likely(board: chess.Board, wish: Order) -> float:
    """How likely a move is, in units of the lot: what it attacks, what it saves, and where it leads."""
    move = wish.otherwise if isinstance(wish, Sense) else wish
    kind = board.piece_type_at(move.origin) if isinstance(move, Move) else None
    if kind is None or not isinstance(move, Move):
        return _NO_MOVE
    likely = _attack(board, kind, move) + _NEARER * (_to_the_edge(move.target) - _to_the_edge(move.origin))
    if kind == chess.PAWN:
        likely += _AHEAD * abs(move.target - move.origin) / 8
    danger = _IN_DANGER.get(kind, 0.0)
    if board.attackers_mask(not board.turn, move.origin):
        likely += danger
    is_capture = board.occupied >> move.target & 1
    if not is_capture and board.attackers_mask(not board.turn, move.target):
        likely -= danger
    return likely


def _attack(board: chess.Board, kind: chess.PieceType, move: Move) -> float:
    """What the man attacks from where he goes that is worth more than he is."""
    theirs = board.occupied_co[not board.turn]
    reach = _reach(kind, move.target, board.occupied & ~(1 << move.origin), white=board.turn)
    if reach & theirs & board.kings:
        return _CHECK
    if kind != chess.QUEEN and reach & theirs & board.queens:
        return _QUEEN_ATTACKED
    if kind not in (chess.QUEEN, chess.ROOK) and reach & theirs & board.rooks:
        return _ROOK_ATTACKED
    return 0.0


def _reach(kind: chess.PieceType, square: int, occupied: int, *, white: bool) -> int:
    """The squares that a man of this kind attacks."""
    if kind == chess.PAWN:
        return chess.BB_PAWN_ATTACKS[white][square]
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if kind == chess.KING:
        return chess.BB_KING_ATTACKS[square]
    reach = 0
    if kind != chess.ROOK:
        reach |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    if kind != chess.BISHOP:
        reach |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        reach |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return reach


def _to_the_edge(square: int) -> int:
    """How many steps it is to the nearest edge."""
    file, rank = square & 7, square >> 3
    return min(file, 7 - file, rank, 7 - rank)
