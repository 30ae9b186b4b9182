"""Models what the umpire of Reconnaissance Blind Chess knows: the board, and this turn's sense."""

from __future__ import annotations

import struct
from typing import NamedTuple

import chess

from corr.rules.core import snapshot
from corr.rules.core.sights import count_own_turns, hide_loss_kinds, make_sight, sights_after_end
from corr.rules.core.umpire import BLACK, SIDES, WHITE
from corr.words.board import Pair, Side
from corr.words.slips import Losses, Sight

VERSION = 0x55
_HEAD = struct.Struct("<B?Q")
#: Older snapshots also held what each side had last seen: two moves, two counts of squares, and the squares.
_OLD_VERSION = 0x52
_HEAD_BEFORE = struct.Struct("<B?Q2H2B")


class Truth(NamedTuple):
    """What only the umpire knows. Its board never changes: moves are made on a copy."""

    board: chess.Board
    lost: Pair[Losses]  # since the start
    seen: int | None  # the squares that this turn's sense has shown; None while it is due
    sights: Pair[Sight]
    over: bool = False

    def __repr__(self) -> str:
        return f"<Truth after {self.board.ply()} moves>"

    @property
    def turn(self) -> Side | None:
        return None if self.over else SIDES[self.board.turn]


def make_truth(board: chess.Board, lost: Pair[Losses], seen: int | None = None) -> Truth:
    """Return the truth of a turn's beginning, or after its sense, which has shown these squares."""
    white, black = (seen, None) if board.turn else (None, seen)
    sights = Pair(_sight(board, WHITE, lost, white), _sight(board, BLACK, lost, black))
    return Truth(board, lost, seen, sights)


def _sight(board: chess.Board, side: Side, lost: Pair[Losses], seen: int | None) -> Sight:
    own = board.occupied_co[side is WHITE] | (seen or 0)
    turn = count_own_turns(board, side)
    return make_sight(board, side, hide_loss_kinds(lost, side), own, sense_due=seen is None, turn=turn)


def truth_after_end(truth: Truth) -> Truth:
    """Return the same position after the end, which both sides see fully."""
    return truth._replace(seen=None, sights=sights_after_end(truth.board, truth.lost), over=True)


# ---------------------------------------------------------------- snapshots


def pack(truth: Truth) -> bytes:
    head = _HEAD.pack(VERSION, truth.seen is not None, truth.seen or 0)
    return head + snapshot.pack_position(truth.board, truth.lost, 0, over=truth.over)


def restore(data: bytes) -> Truth:
    has_sensed, seen, rest = _unpack(data)
    position = snapshot.restore_position(rest)
    truth = make_truth(position.board, position.lost, seen if has_sensed else None)
    return truth_after_end(truth) if position.over else truth


def _unpack(data: bytes) -> tuple[bool, int, bytes]:
    """Return whether this turn's sense was taken, the squares it has shown, and the position."""
    if data[0] == VERSION:
        _, has_sensed, seen = _HEAD.unpack_from(data)
        return has_sensed, seen, data[_HEAD.size :]
    if data[0] != _OLD_VERSION:
        raise ValueError("This snapshot has another version.")
    _, has_sensed, seen, _, _, whites, blacks = _HEAD_BEFORE.unpack_from(data)
    return has_sensed, seen, data[_HEAD_BEFORE.size + 2 * (whites + blacks) :]
