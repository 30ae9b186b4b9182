"""What one turn has heard so far: known again in any process, forgotten with the next move."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import TypeAlias

import chess

from corr.rules import snapshot
from corr.rules.umpire import Truth

VERSION = 0x41
_HEAD = struct.Struct("<BH")

Squares: TypeAlias = tuple[int, int]


def refused(truth: Truth, move: chess.Move) -> Truth:
    """The same position, in which this attempt is now known to be impossible."""
    return replace(truth, refused=truth.refused | {(move.from_square, move.to_square)})


def is_known(truth: Truth, move: chess.Move) -> bool:
    """True for an attempt that was refused in this turn already, whatever the pawn was to become."""
    return (move.from_square, move.to_square) in truth.refused


def pack(truth: Truth) -> bytes:
    """A snapshot with what the turn has heard before it."""
    tried = sorted(truth.refused)
    return _HEAD.pack(VERSION, len(tried)) + b"".join(map(bytes, tried)) + snapshot.pack(truth)


def restore(data: bytes) -> Truth:
    """The truth of such a snapshot; ValueError for one that this version did not write."""
    if data[:1] != bytes([VERSION]):
        raise ValueError("This snapshot has another version.")
    start, end = _HEAD.size, _HEAD.size + 2 * _HEAD.unpack_from(data)[1]
    tried = frozenset((data[at], data[at + 1]) for at in range(start, end, 2))
    return replace(snapshot.restore(data[end:]), refused=tried)
