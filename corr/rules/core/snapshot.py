"""Encodes an umpire's state as bytes and decodes it: this turn's refusals and answer, the board, past positions."""

from __future__ import annotations

import struct
from typing import NamedTuple

import chess

from corr.rules.core.checks import find_siege
from corr.rules.core.sights import LossFilter, show_loss_kinds, sights_after_end, sights_in_play
from corr.rules.core.umpire import NOTHING_REMEMBERED, Memo, Truth
from corr.words.board import Pair
from corr.words.slips import Losses

VERSION, MEMO_VERSION = 2, 0x41

#: The head of each version's snapshots; in the first one, no side could lose more than 255 pieces.
_HEADS = {1: struct.Struct("<B8QBBHHB4B"), VERSION: struct.Struct("<B8QBBHHB4H")}
_MEMO_HEAD = struct.Struct("<BBBH")
_ANY: tuple[bool | None, ...] = (None, False, True)
_OVER_BIT, _TURN = 1, 2
_NO_SQUARE = 64


class Position(NamedTuple):
    """A snapshot's content without earlier positions."""

    board: chess.Board
    lost: Pair[Losses]
    tries: int
    over: bool


def pack(truth: Truth) -> bytes:
    """Encode an umpire's state for the database; `restore` decodes it."""
    return (
        _pack_memo(truth.memo)
        + pack_position(truth.board, truth.lost, truth.tries, over=truth.over)
        + truth.keys
    )


def _pack_memo(memo: Memo) -> bytes:
    """Encode what was said in this turn; empty if nothing was."""
    if memo == NOTHING_REMEMBERED:
        return b""
    tried = sorted(memo.refused)
    return _MEMO_HEAD.pack(MEMO_VERSION, _ANY.index(memo.any), memo.bound, len(tried)) + b"".join(
        map(bytes, tried)
    )


def restore(data: bytes, shown: LossFilter = show_loss_kinds) -> Truth:
    """Decode what `pack` wrote; ValueError for another version."""
    memo = NOTHING_REMEMBERED
    if data[:1] == bytes([MEMO_VERSION]):
        _, answer, bound, count = _MEMO_HEAD.unpack_from(data)
        end = _MEMO_HEAD.size + 2 * count
        tried = frozenset((data[at], data[at + 1]) for at in range(_MEMO_HEAD.size, end, 2))
        memo, data = Memo(tried, _ANY[answer], bool(bound)), data[end:]
    board, lost, tries, over = restore_position(data)
    sights = sights_after_end(board, lost) if over else sights_in_play(board, lost, shown)
    return Truth(
        board, find_siege(board, board.turn), lost, sights, data[_head(data).size :], tries, over, memo
    )


def pack_position(board: chess.Board, lost: Pair[Losses], tries: int, *, over: bool) -> bytes:
    """Encode the format's version, the board and the counters."""
    white, black = lost.white, lost.black
    return _HEADS[VERSION].pack(
        VERSION,
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.castling_rights,
        _OVER_BIT * over | _TURN * board.turn,
        _NO_SQUARE if board.ep_square is None else board.ep_square,
        board.halfmove_clock,
        board.fullmove_number,
        tries,
        white.men,
        white.pawns or 0,
        black.men,
        black.pawns or 0,
    )


def restore_position(data: bytes) -> Position:
    said = _head(data).unpack_from(data)
    _, *men, white, castling, flags, square, halfmoves, moves, tries, wm, wp, bm, bp = said
    board = _board(men, white)
    board.castling_rights = castling
    board.turn = bool(flags & _TURN)
    board.ep_square = None if square == _NO_SQUARE else square
    board.halfmove_clock = halfmoves
    board.fullmove_number = moves
    return Position(board, Pair(Losses(wm, wp), Losses(bm, bp)), tries, bool(flags & _OVER_BIT))


def _head(data: bytes) -> struct.Struct:
    """Return the layout of a snapshot's version; ValueError if it is unknown."""
    head = _HEADS.get(data[0]) if data else None
    if head is None:
        raise ValueError("This snapshot has another version.")
    return head


def _board(men: list[int], white: int) -> chess.Board:
    board = chess.Board(None)
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = men
    board.occupied = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    board.occupied_co[chess.WHITE] = white
    board.occupied_co[chess.BLACK] = board.occupied & ~white
    return board
