"""A truth as bytes: a version, the position, the counters, then eight bytes a remembered position."""

from __future__ import annotations

import struct
from typing import NamedTuple

import chess

from corr.rules.checks import siege
from corr.rules.sights import Shown, both, typed, whole
from corr.rules.umpire import Truth
from corr.words import Pair, Toll

VERSION = 1

_HEAD = struct.Struct("<B8QBBHHB4B")
_OVER, _TURN = 1, 2
_NO_SQUARE = 64


class Position(NamedTuple):
    """What a snapshot says but for the positions before it."""

    board: chess.Board
    lost: Pair[Toll]
    tries: int
    over: bool


def pack(truth: Truth) -> bytes:
    """The snapshot that `restore` reads back."""
    return pack_position(truth.board, truth.lost, truth.tries, over=truth.over) + truth.keys


def restore(data: bytes, shown: Shown = typed) -> Truth:
    """The truth of a snapshot; ValueError for one that this version did not write."""
    board, lost, tries, over = position(data)
    sights = whole(board, lost) if over else both(board, lost, shown)
    return Truth(board, siege(board, board.turn), lost, sights, data[_HEAD.size :], tries, over)


def pack_position(board: chess.Board, lost: Pair[Toll], tries: int, *, over: bool) -> bytes:
    """A version, the position, the counters."""
    white, black = lost.white, lost.black
    return _HEAD.pack(
        VERSION,
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.castling_rights,
        _OVER * over | _TURN * board.turn,
        _NO_SQUARE if board.ep_square is None else board.ep_square,
        board.halfmove_clock,
        board.fullmove_number,
        tries,
        white.men,
        white.pawns or 0,
        black.men,
        black.pawns or 0,
    )


def position(data: bytes) -> Position:
    """What was packed so; ValueError for what this version did not write."""
    if data[:1] != bytes([VERSION]):
        raise ValueError("This snapshot has another version.")
    (_, *men, white, castling, flags, square, halfmoves, moves, tries, wm, wp, bm, bp) = _HEAD.unpack_from(
        data
    )
    board = _board(men, white)
    board.castling_rights = castling
    board.turn = bool(flags & _TURN)
    board.ep_square = None if square == _NO_SQUARE else square
    board.halfmove_clock = halfmoves
    board.fullmove_number = moves
    return Position(board, Pair(Toll(wm, wp), Toll(bm, bp)), tries, bool(flags & _OVER))


def _board(men: list[int], white: int) -> chess.Board:
    """A board with these men on it."""
    board = chess.Board(None)
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = men
    board.occupied = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    board.occupied_co[chess.WHITE] = white
    board.occupied_co[chess.BLACK] = board.occupied & ~white
    return board
