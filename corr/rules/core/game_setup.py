"""Bundles what a game is played with: how its pieces are set up, written down, packed and restored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

from corr.rules.core import first_position, snapshot
from corr.rules.core.options import options
from corr.rules.core.played_move import PlayedMove, play_first_position
from corr.rules.core.sights import LossFilter
from corr.rules.core.umpire import WHITE, Truth
from corr.words.board import Side
from corr.words.slips import Sight


def _legal(board: chess.Board) -> tuple[str, ...]:
    """List legal moves without captures of the king.

    Those are possible if the side that is not to move is in check.
    """
    return tuple(move.uci() for move in board.legal_moves if not board.kings >> move.to_square & 1)


@dataclass(frozen=True, slots=True)
class GameRules:
    """The functions of one kind of chess: set-up, FEN, snapshots, moves, and whether a side could still mate."""

    lay: Callable[[str | None, LossFilter], PlayedMove]
    fen: Callable[[Truth], str]
    pack: Callable[[Truth], bytes]
    restore: Callable[[bytes, LossFilter], Truth]
    can_mate: Callable[[Truth, Side], bool]
    options: Callable[[Sight], tuple[str, ...]] = options
    legal: Callable[[chess.Board], tuple[str, ...]] = _legal


def _lay(fen: str | None, shown: LossFilter) -> PlayedMove:
    return play_first_position(first_position.parse_fen(fen), shown)


def _fen(truth: Truth) -> str:
    return truth.board.fen()


def _can_mate(truth: Truth, side: Side) -> bool:
    return not truth.board.has_insufficient_material(side is WHITE)


#: The pieces of chess.
CHESS = GameRules(_lay, _fen, snapshot.pack, snapshot.restore, _can_mate)
