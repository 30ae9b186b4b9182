"""Plays a move and describes the new position to the umpire: capture, check, pawn tries, how it ends."""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import NamedTuple

import chess

from corr.rules.core import checks
from corr.rules.core.endings import find_ending
from corr.rules.core.moves import Capture, attempt, count_en_passant, count_pawn_tries, find_capture
from corr.rules.core.sights import (
    LossFilter,
    make_sight,
    show_loss_kinds,
    sights_after_end,
    sights_in_play,
)
from corr.rules.core.umpire import SIDES, Truth
from corr.words.board import Pair, Side
from corr.words.slips import Losses, Sight

_POSITION = struct.Struct("<8QBB").pack


class PlayedMove(NamedTuple):
    """A new truth, what was captured, the kinds of check, and the reason if the game ends."""

    truth: Truth
    taken: Capture | None
    checks: int
    end: str | None


def play_first_position(board: chess.Board, shown: LossFilter = show_loss_kinds) -> PlayedMove:
    """Compute the position in which a game begins, with nothing lost yet."""
    return _describe_position(board, b"", None, Pair(Losses(), Losses()), shown)


def play(truth: Truth, move: chess.Move, shown: LossFilter = show_loss_kinds) -> PlayedMove | None:
    """Make a move on the true board; None if it is illegal."""
    board = attempt(truth.board, truth.siege, move)
    if board is None:
        return None
    before = truth.keys if board.halfmove_clock else b""
    taken = find_capture(truth.board, move)
    lost = add_loss(truth.lost, SIDES[board.turn], taken) if taken else truth.lost
    return _describe_position(board, before, taken, lost, shown, None if taken else truth.sights)


def _describe_position(
    board: chess.Board,
    before: bytes,
    capture: Capture | None,
    lost: Pair[Losses],
    shown: LossFilter,
    seen: Pair[Sight] | None = None,
) -> PlayedMove:
    """Compute what the umpire must know of a new position; `seen` holds the last sights if nothing was captured."""
    king, checkers, pinned = siege = checks.find_siege(board, board.turn)
    passing = count_en_passant(board)
    keys = before + position_key(board, passing)
    end = find_ending(board, checkers, pinned, keys)
    tries = count_pawn_tries(board, checkers, pinned, passing)
    if end is not None:
        sights = sights_after_end(board, lost)
    elif seen is None:
        sights = sights_in_play(board, lost, shown)
    else:  # the side to move sees what it saw
        mover = SIDES[not board.turn]
        mine = make_sight(board, mover, seen[mover].lost, board.occupied_co[not board.turn])
        sights = seen.with_value(mover, mine)
    truth = Truth(board, siege, lost, sights, keys, tries, end is not None)
    return PlayedMove(truth, capture, checks.find_kinds(king, checkers) if checkers else 0, end)


def add_loss(lost: Pair[Losses], side: Side, capture: Capture) -> Pair[Losses]:
    so_far = lost[side]
    assert so_far.pawns is not None
    return lost.with_value(side, Losses(so_far.men + 1, so_far.pawns + capture.pawn))


def position_key(board: chess.Board, passing: int, extra: bytes = b"") -> bytes:
    """Hash a position, and `extra` with it, to eight bytes by which repetitions are found."""
    return blake2b(pack_position(board, passing) + extra, digest_size=8).digest()


def pack_position(board: chess.Board, passing: int) -> bytes:
    """Encode a position; the en passant square counts only if one of its `passing` captures is legal."""
    square = board.ep_square if passing and board.ep_square is not None else 64
    return _POSITION(
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[True],
        board.castling_rights,
        board.turn,
        square,
    )
