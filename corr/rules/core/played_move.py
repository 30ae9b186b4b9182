"""Plays a move and computes what an umpire must know of the new position: check, pawn tries, the end."""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import NamedTuple

import chess

from corr.rules.core import checks
from corr.rules.core.ending import ending
from corr.rules.core.moves import Capture, attempt, capture
from corr.rules.core.sights import TollsShown, both, sight, typed, whole
from corr.rules.core.tries import en_passant, pawn_tries
from corr.rules.core.umpire import BLACK, SIDES, WHITE, Truth
from corr.words.board import Pair, Side
from corr.words.slips import Sight, Toll

_POSITION = struct.Struct("<8QBB").pack


class Played(NamedTuple):
    """A new truth, what was captured, the kinds of check, and the reason if the game ends."""

    truth: Truth
    taken: Capture | None
    checks: int
    end: str | None


def first(board: chess.Board, shown: TollsShown = typed) -> Played:
    """Compute the first position, with nothing lost yet."""
    return _settled(board, b"", None, Pair(Toll(), Toll()), None, shown)


def play(truth: Truth, move: chess.Move, shown: TollsShown = typed) -> Played | None:
    """Make a move; None if it is illegal."""
    board = attempt(truth.board, truth.siege, move)
    if board is None:
        return None
    before = truth.keys if board.halfmove_clock else b""
    taken, other = capture(truth.board, move), SIDES[board.turn]
    if taken is None:
        return _settled(board, before, None, truth.lost, truth.sights, shown)
    return _settled(board, before, taken, toll(truth.lost, other, taken), None, shown)


def _settled(
    board: chess.Board,
    before: bytes,
    taken: Capture | None,
    lost: Pair[Toll],
    seen: Pair[Sight] | None,
    shown: TollsShown,
) -> Played:
    """Compute everything about a new position; `seen` is what the sides saw, if nothing was captured since."""
    king, checkers, pinned = besieged = checks.siege(board, board.turn)
    passing = en_passant(board)
    keys = before + _key(board, passing)
    end = ending(board, checkers, pinned, keys)
    tries = pawn_tries(board, checkers, pinned, passing)
    if end is not None:
        sights = whole(board, lost)
    elif seen is None:
        sights = both(board, lost, shown)
    elif board.turn:
        sights = Pair(seen.white, sight(board, BLACK, seen.black.lost))
    else:
        sights = Pair(sight(board, WHITE, seen.white.lost), seen.black)
    truth = Truth(board, besieged, lost, sights, keys, tries, end is not None)
    return Played(truth, taken, checks.kinds(king, checkers) if checkers else 0, end)


def toll(lost: Pair[Toll], side: Side, taken: Capture) -> Pair[Toll]:
    """Return the losses after this capture."""
    so_far = lost[side]
    assert so_far.pawns is not None
    return lost.but(side, Toll(so_far.men + 1, so_far.pawns + taken.pawn))


def _key(board: chess.Board, passing: int) -> bytes:
    """Return a name for the position that is the same in any process: a digest, never hash()."""
    return blake2b(packed(board, passing), digest_size=8).digest()


def packed(board: chess.Board, passing: int) -> bytes:
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
