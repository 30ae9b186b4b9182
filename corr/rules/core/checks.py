"""Finds who attacks a king, along which line, and which pieces are pinned to him; and castling's squares."""

from __future__ import annotations

from itertools import compress
from typing import NamedTuple, TypeAlias

import chess

from corr.words.orders import Castle

#: The kinds of check in the order of announcement, so that the order reveals nothing.
KINDS = ("rank", "file", "long-diagonal", "short-diagonal", "knight")
RANK, FILE, LONG, SHORT, KNIGHT = (1 << number for number in range(5))

#: The squares in line with a square, and those between two squares, on an empty board.
ORTHOGONALS = [chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0] for square in range(64)]
DIAGONALS = [chess.BB_DIAG_ATTACKS[square][0] for square in range(64)]
BETWEEN = [[chess.between(king, sniper) for sniper in range(64)] for king in range(64)]


class Castling(NamedTuple):
    """A castling move: its word, and the squares of the king and the rook, before and after."""

    word: Castle
    king: int
    king_to: int
    rook: int
    rook_to: int


#: By the king's two squares.
CASTLINGS = {
    (each.king, each.king_to): each
    for each in (
        Castling(Castle.SHORT, chess.E1, chess.G1, chess.H1, chess.F1),
        Castling(Castle.LONG, chess.E1, chess.C1, chess.A1, chess.D1),
        Castling(Castle.SHORT, chess.E8, chess.G8, chess.H8, chess.F8),
        Castling(Castle.LONG, chess.E8, chess.C8, chess.A8, chess.D8),
    )
}

#: A king, the pieces that check him, and his own pieces that alone block a line piece.
Siege: TypeAlias = tuple[int, int, int]


def _kind(king: int, attacker: int) -> int:
    """Return the bit for the kind of check that `attacker` gives: by rank, file, diagonal or knight."""
    file, rank = chess.square_file(king), chess.square_rank(king)
    files, ranks = chess.square_file(attacker) - file, chess.square_rank(attacker) - rank
    if ranks == 0:
        return RANK
    if files == 0:
        return FILE
    if abs(files) != abs(ranks):
        return KNIGHT
    rising, falling = 8 - abs(file - rank), 8 - abs(file + rank - 7)
    return LONG if (rising > falling) == (files == ranks) else SHORT


_KIND = [[_kind(king, attacker) for attacker in range(64)] for king in range(64)]


def find_kinds(king: int, checkers: int) -> int:
    """Return the kinds of check that pieces on these squares give, as bits."""
    row = _KIND[king]
    found = 0
    while checkers:
        found |= row[checkers.bit_length() - 1]
        checkers &= ~(1 << checkers.bit_length() - 1)
    return found


def name_kinds(found: int) -> tuple[str, ...]:
    return tuple(compress(KINDS, (found >> number & 1 for number in range(5))))


def find_siege(board: chess.Board, color: chess.Color) -> Siege:
    """Return a colour's king, the pieces that check him, and his own pieces that alone block a line piece."""
    own, enemies, queens = board.occupied_co[color], board.occupied_co[not color], board.queens
    king = (board.kings & own).bit_length() - 1
    checkers = chess.BB_KNIGHT_ATTACKS[king] & board.knights
    checkers |= chess.BB_PAWN_ATTACKS[color][king] & board.pawns
    checkers |= chess.BB_KING_ATTACKS[king] & board.kings
    checkers &= enemies
    pinned = 0
    snipers = (
        ORTHOGONALS[king] & (board.rooks | queens) | DIAGONALS[king] & (board.bishops | queens)
    ) & enemies
    while snipers:
        sniper = snipers.bit_length() - 1
        snipers ^= 1 << sniper
        between = BETWEEN[king][sniper] & board.occupied
        if not between:
            checkers |= 1 << sniper
        elif not between & between - 1:
            pinned |= between & own
    return king, checkers, pinned
