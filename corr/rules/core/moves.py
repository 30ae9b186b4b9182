"""Plays a move on the true board, on python-chess's bitboards: whether it is legal, and the board after it."""

from __future__ import annotations

from typing import NamedTuple

import chess

from corr.rules.core.checks import BETWEEN, CASTLINGS, DIAGONALS, ORTHOGONALS, Siege, find_siege

_ROOK_STEPS = {each.king_to: 1 << each.rook | 1 << each.rook_to for each in CASTLINGS.values()}


class Capture(NamedTuple):
    """A captured piece: its square, and whether it was a pawn."""

    square: int
    pawn: bool


def attempt(board: chess.Board, siege: Siege, move: chess.Move) -> chess.Board | None:
    """Return the board after a move, or None if illegal; `siege` says what attacks the mover's king."""
    own = board.occupied_co[board.turn]
    if (
        not own >> move.from_square & 1
        or own >> move.to_square & 1
        or not can_reach(board, board.occupied, move)
    ):
        return None
    return make_move(board, move) if _is_safe(board, siege, move) else None


def _is_safe(board: chess.Board, siege: Siege, move: chess.Move) -> bool:
    """Whether a move leaves the mover's own king out of check."""
    origin, target = move.from_square, move.to_square
    king, checkers, pinned = siege
    if origin == king:
        return not board.attackers_mask(not board.turn, target, board.occupied & ~(1 << king))
    if target == board.ep_square and board.pawns >> origin & 1:
        return not find_siege(make_move(board, move), board.turn)[1]
    if checkers and not _can_answer_check(king, checkers, target):
        return False
    return not pinned >> origin & 1 or chess.ray(origin, target) >> king & 1 == 1


def _can_answer_check(king: int, checkers: int, target: int) -> bool:
    """Whether a piece that lands there captures the only checker or blocks it."""
    checker = checkers.bit_length() - 1
    return checkers == 1 << checker and (checkers | BETWEEN[king][checker]) >> target & 1 == 1


def find_capture(board: chess.Board, move: chess.Move) -> Capture | None:
    target = move.to_square
    if board.occupied >> target & 1:
        return Capture(target, board.pawns >> target & 1 == 1)
    if target == board.ep_square and board.pawns >> move.from_square & 1:
        return Capture(_en_passant_victim(target), pawn=True)
    return None


def _en_passant_victim(target: int) -> int:
    return target - 8 if target >= chess.A6 else target + 8


def can_reach(board: chess.Board, occupied: int, move: chess.Move) -> bool:
    """Whether the piece can go there past the occupied squares, ignoring its king's safety except in castling."""
    origin, target = move.from_square, move.to_square
    start, end = 1 << origin, 1 << target
    if board.pawns & start:
        return _can_pawn_reach(board, occupied, origin, target)
    if board.knights & start:
        return chess.BB_KNIGHT_ATTACKS[origin] & end != 0
    if board.kings & start:
        return chess.BB_KING_ATTACKS[origin] & end != 0 or _can_castle(board, move)
    lines = 0 if board.bishops & start else ORTHOGONALS[origin]
    if not board.rooks & start:
        lines |= DIAGONALS[origin]
    return lines & end != 0 and not BETWEEN[origin][target] & occupied


def _can_castle(board: chess.Board, move: chess.Move) -> bool:
    return (move.from_square, move.to_square) in CASTLINGS and move in board.generate_castling_moves()


def _can_pawn_reach(board: chess.Board, occupied: int, origin: int, target: int) -> bool:
    turn = board.turn
    if chess.BB_PAWN_ATTACKS[turn][origin] >> target & 1:
        return occupied >> target & 1 == 1 or target == board.ep_square
    ahead = target - origin if turn else origin - target
    if ahead == 8:
        return not occupied >> target & 1
    at_home = origin >> 3 == (1 if turn else 6)
    between = 1 << target | 1 << (origin + target >> 1)
    return ahead == 16 and at_home and not occupied & between


def make_move(board: chess.Board, move: chess.Move) -> chess.Board:
    """Return the board with the piece moved, any captured piece removed, and the turn passed on."""
    turn, end = board.turn, 1 << move.to_square
    moved = clear_squares(board, 1 << move.from_square | end)
    if board.pawns >> move.from_square & 1:
        _set_pawn(moved, board.ep_square, move)
        moved.halfmove_clock = 0
    else:
        _set_piece(moved, board, move)
        moved.halfmove_clock = 0 if board.occupied & end else board.halfmove_clock + 1
    moved.occupied_co[turn] |= end
    moved.occupied = moved.occupied_co[True] | moved.occupied_co[False]
    moved.turn = not turn
    moved.fullmove_number = board.fullmove_number + (not turn)
    return moved


def pass_turn(board: chess.Board) -> chess.Board:
    """Return the same pieces with the turn passed on and no en passant."""
    same = clear_squares(board, 0)
    same.occupied = board.occupied
    same.turn = not board.turn
    same.halfmove_clock = board.halfmove_clock + 1
    same.fullmove_number = board.fullmove_number + (not board.turn)
    return same


def clear_squares(board: chess.Board, touched: int) -> chess.Board:
    """Return a copy of the board with these squares empty; the caller sets whose turn it is."""
    emptied, rest = chess.Board.__new__(chess.Board), ~touched
    emptied.chess960, emptied.move_stack = False, []
    emptied._stack = []  # noqa: SLF001  # a field of every board of python-chess's
    emptied.turn = board.turn
    emptied.ep_square, emptied.halfmove_clock, emptied.fullmove_number = None, 0, 1
    emptied.castling_rights = board.castling_rights & rest
    emptied.pawns = board.pawns & rest
    emptied.knights = board.knights & rest
    emptied.bishops = board.bishops & rest
    emptied.rooks = board.rooks & rest
    emptied.queens = board.queens & rest
    emptied.kings = board.kings & rest
    emptied.occupied = emptied.promoted = chess.BB_EMPTY
    black, white = board.occupied_co
    emptied.occupied_co = [black & rest, white & rest]
    return emptied


def _set_pawn(after: chess.Board, passing: int | None, move: chess.Move) -> None:
    """Place a pawn or what it becomes, and handle en passant both ways."""
    origin, target = move.from_square, move.to_square
    if move.promotion:
        put_piece(after, move.promotion, 1 << target)
        return
    after.pawns |= 1 << target
    if target == passing:
        taken = ~(1 << _en_passant_victim(target))
        after.pawns &= taken
        after.occupied_co[not after.turn] &= taken
    elif abs(target - origin) == 16:
        after.ep_square = origin + target >> 1


def _set_piece(after: chess.Board, board: chess.Board, move: chess.Move) -> None:
    """Place a piece; a king loses his castling rights, and takes his rook along when he castles."""
    kind = board.piece_type_at(move.from_square)
    assert kind
    put_piece(after, kind, 1 << move.to_square)
    if kind == chess.KING:
        after.castling_rights &= ~(chess.BB_RANK_1 if board.turn else chess.BB_RANK_8)
        if abs(move.to_square - move.from_square) == 2:
            after.rooks ^= _ROOK_STEPS[move.to_square]
            after.occupied_co[board.turn] ^= _ROOK_STEPS[move.to_square]


def put_piece(board: chess.Board, kind: chess.PieceType, square: int) -> None:
    """Add a piece to the bitboard of its kind; its square is a bitboard too."""
    if kind == chess.PAWN:
        board.pawns |= square
    elif kind == chess.KNIGHT:
        board.knights |= square
    elif kind == chess.BISHOP:
        board.bishops |= square
    elif kind == chess.ROOK:
        board.rooks |= square
    elif kind == chess.QUEEN:
        board.queens |= square
    else:
        board.kings |= square


_PAWN_RANKS = chess.BB_ALL & ~chess.BB_BACKRANKS


def drop(board: chess.Board, siege: Siege, move: chess.Move) -> chess.Board | None:
    """Return the board after a drop; None if it is illegal."""
    assert move.drop
    if not (_squares(board, siege) & droppable_squares(move.drop)) >> move.to_square & 1:
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


def can_drop(board: chess.Board, siege: Siege, reserve: str) -> bool:
    squares = _squares(board, siege) if reserve else 0
    return squares & _PAWN_RANKS != 0 or (squares != 0 and not reserve.upper().startswith("P"))


def droppable_squares(man: chess.PieceType) -> int:
    """Return the squares where a kind of piece may be dropped if they are empty."""
    return _PAWN_RANKS if man == chess.PAWN else chess.BB_ALL


def _squares(board: chess.Board, siege: Siege) -> int:
    """Return the squares where a drop leaves the king safe: empty, or blocking the only checker."""
    king, checkers, _ = siege
    if not checkers:
        return chess.BB_ALL & ~board.occupied
    return 0 if checkers & checkers - 1 else BETWEEN[king][checkers.bit_length() - 1]


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
