"""Remembers what one turn has heard so far, across processes, until the next move."""

from __future__ import annotations

import struct

import chess

from corr.rules.core import snapshot
from corr.rules.core.sights import LossFilter, show_loss_kinds
from corr.rules.core.umpire import NOTHING_REMEMBERED, Memo, Truth

VERSION = 0x41
_HEAD = struct.Struct("<BBBH")
_DROP_ORIGIN = 64
_ANY: tuple[bool | None, ...] = (None, False, True)


def remember_refusal(truth: Truth, move: chess.Move, *, bound: bool) -> Truth:
    """Return the same position with this attempt known to be impossible."""
    tried = truth.memo.refused | {_attempt(move)}
    return truth._replace(memo=Memo(tried, truth.memo.any, bound))


def remember_answer(truth: Truth, *, answer: bool) -> Truth:
    """Return the same position with "any?" answered, and a pawn capture due if there is one."""
    return truth._replace(memo=Memo(truth.memo.refused, answer, answer))


def is_already_refused(truth: Truth, move: chess.Move) -> bool:
    """Whether an attempt was already refused in this turn, with any promotion."""
    return _attempt(move) in truth.memo.refused


def _attempt(move: chess.Move) -> tuple[int, int]:
    """Encode a move's two squares; a drop has its piece in place of an origin, numbered beyond the squares."""
    return (_DROP_ORIGIN + move.drop if move.drop else move.from_square, move.to_square)


def pack(truth: Truth) -> bytes:
    """Pack a snapshot, after a head with what the turn has heard, if anything."""
    memo = truth.memo
    if memo == NOTHING_REMEMBERED:
        return snapshot.pack(truth)
    tried = sorted(memo.refused)
    head = _HEAD.pack(VERSION, _ANY.index(memo.any), memo.bound, len(tried))
    return head + b"".join(map(bytes, tried)) + snapshot.pack(truth)


def restore(data: bytes, shown: LossFilter = show_loss_kinds) -> Truth:
    """Restore such a snapshot; ValueError for one that this version did not write."""
    if data[:1] != bytes([VERSION]):
        return snapshot.restore(data, shown)
    _, answer, bound, count = _HEAD.unpack_from(data)
    end = _HEAD.size + 2 * count
    tried = frozenset((data[at], data[at + 1]) for at in range(_HEAD.size, end, 2))
    return snapshot.restore(data[end:], shown)._replace(memo=Memo(tried, _ANY[answer], bool(bound)))
