"""Computes which squares pieces attack, and finds checks and mates."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from corr.rules.core.checks import DIAGONALS, ORTHOGONALS


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


def find_mates(board: chess.Board) -> Iterator[chess.Move]:
    for move in find_cornering_moves(board):
        if board.is_legal(move) and _is_mate(board, move):
            yield move


def threat_share(board: chess.Board) -> float:
    """Return the share of replies after which a mate follows; without check, 1 if one is threatened."""
    checkers = board.checkers_mask()
    if not checkers:
        return float(_can_mate(board, chess.Move.null()))
    replies = list(board.generate_legal_moves(to_mask=checkers)) or list(board.legal_moves)
    return sum(_can_mate(board, reply) for reply in replies) / max(1, len(replies))


def find_cornering_moves(board: chess.Board, reserve: str = "") -> Iterator[chess.Move]:
    """Yield the moves and drops, legal or not, that may check and leave the other king no square."""
    king = board.king(not board.turn)
    if king is not None:
        moves = (*_find_checks(board, king), *_find_drops(board, king, reserve))
        yield from (move for move in moves if _leaves_no_square(board, king, move))


def _find_checks(board: chess.Board, king: int) -> Iterator[chess.Move]:
    """Yield the moves that attack this king, directly or by opening a line."""
    own, white = board.occupied_co[board.turn], board.turn
    straight, slanted = (
        attacks_of_piece(kind, king, board.occupied, white=white) for kind in (chess.ROOK, chess.BISHOP)
    )
    behind = ORTHOGONALS[king] & (board.rooks | board.queens) | DIAGONALS[king] & (
        board.bishops | board.queens
    )
    in_line = (straight | slanted) & own if behind & own else 0
    last = chess.BB_BACKRANKS | (0 if board.ep_square is None else 1 << board.ep_square)
    yield from board.generate_pseudo_legal_moves(in_line)
    for men, targets in (
        (board.rooks | board.queens, straight),
        (board.bishops | board.queens, slanted),
        (board.knights, chess.BB_KNIGHT_ATTACKS[king]),
        (board.pawns, chess.BB_PAWN_ATTACKS[not white][king] | last),
        (board.kings, chess.BB_BACKRANKS if board.castling_rights else 0),
    ):
        yield from board.generate_pseudo_legal_moves(men & own & ~in_line, targets)


def _find_drops(board: chess.Board, king: int, reserve: str) -> Iterator[chess.Move]:
    """Yield the drops that attack this king and cover the squares the pieces on the board leave free."""
    white, past_the_king = board.turn, board.occupied & ~(1 << king)
    closed = attacks_of_pieces(board, board.occupied_co[white], past_the_king, white=white) if reserve else 0
    free = chess.BB_KING_ATTACKS[king] & ~board.occupied_co[not white] & ~closed
    for letter in sorted(set(reserve.upper())):
        kind = chess.PIECE_SYMBOLS.index(letter.lower())
        squares = attacks_of_piece(kind, king, board.occupied, white=not white) & ~board.occupied
        for square in chess.scan_reversed(squares):
            if not free & ~attacks_of_piece(kind, square, past_the_king, white=white):
                yield chess.Move(square, square, drop=kind)


def _leaves_no_square(board: chess.Board, king: int, move: chess.Move) -> bool:
    """Whether a move leaves the other king no square to step to."""
    white, start, end = board.turn, 1 << move.from_square, 1 << move.to_square
    kind = move.drop or move.promotion or board.piece_type_at(move.from_square)
    assert kind
    men, beside = board.occupied_co[white] & ~start, board.occupied_co[not white] & ~end
    occupied = board.occupied & ~start & ~(1 << king) | end
    free = chess.BB_KING_ATTACKS[king] & ~beside
    free &= ~attacks_of_piece(kind, move.to_square, occupied, white=white)
    return not free or not free & ~attacks_of_pieces(board, men, occupied, white=white)


def _can_mate(board: chess.Board, reply: chess.Move) -> bool:
    """Whether there is a mate after this reply."""
    board.push(reply)
    try:
        return next(find_mates(board), None) is not None
    finally:
        board.pop()


def _is_mate(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    try:
        return board.is_checkmate()
    finally:
        board.pop()
