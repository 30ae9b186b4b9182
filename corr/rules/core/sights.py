"""Computes what a side sees of the true board: its own pieces, and everything once the game is over."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import chess

from corr.rules.core.umpire import BLACK, WHITE
from corr.words.board import Pair, Side
from corr.words.orders import Castle
from corr.words.slips import Sight, Toll

_RIGHTS: dict[int, tuple[Castle, ...]] = {
    0: (),
    chess.BB_H1: (Castle.SHORT,),
    chess.BB_A1: (Castle.LONG,),
    chess.BB_H1 | chess.BB_A1: (Castle.SHORT, Castle.LONG),
    chess.BB_H8: (Castle.SHORT,),
    chess.BB_A8: (Castle.LONG,),
    chess.BB_H8 | chess.BB_A8: (Castle.SHORT, Castle.LONG),
}


#: Returns what a side knows of the losses.
TollsShown: TypeAlias = Callable[[Pair[Toll], Side], Pair[Toll]]


def typed(lost: Pair[Toll], _side: Side) -> Pair[Toll]:
    """Tell both sides how many pawns each has lost."""
    return lost


@lru_cache(maxsize=4096)
def untyped(lost: Pair[Toll], side: Side) -> Pair[Toll]:
    """Hide from a side what kinds of pieces it has captured."""
    return lost.but(side.other, Toll(lost[side.other].men, None))


def both(
    board: chess.Board, lost: Pair[Toll], shown: TollsShown, reserves: Pair[str] | None = None
) -> Pair[Sight]:
    """Return what the two sides see while they play."""
    return Pair(
        sight(board, WHITE, shown(lost, WHITE), reserves),
        sight(board, BLACK, shown(lost, BLACK), reserves),
    )


def whole(board: chess.Board, lost: Pair[Toll], reserves: Pair[str] | None = None) -> Pair[Sight]:
    """Return what both see once the game is over: everything."""
    return Pair(
        seeing(board, WHITE, lost, chess.BB_ALL, reserves),
        seeing(board, BLACK, lost, chess.BB_ALL, reserves),
    )


def sight(board: chess.Board, side: Side, lost: Pair[Toll], reserves: Pair[str] | None = None) -> Sight:
    """Return what this side sees now: its own pieces."""
    return seeing(board, side, lost, board.occupied_co[side is WHITE], reserves)


def seeing(
    board: chess.Board,
    side: Side,
    lost: Pair[Toll],
    seen: int,
    reserves: Pair[str] | None = None,
    *,
    sense_due: bool = False,
    turn: int | None = None,
) -> Sight:
    """Return what a side sees that sees these squares, including those of its own pieces."""
    white = side is WHITE
    return Sight(
        side,
        board.occupied_co[white],
        seen,
        board.pawns & seen,
        board.knights & seen,
        board.bishops & seen,
        board.rooks & seen,
        board.queens & seen,
        board.kings & seen,
        _RIGHTS[board.castling_rights & (chess.BB_RANK_1 if white else chess.BB_RANK_8)],
        lost,
        board.promoted & seen,
        reserves,
        sense_due=sense_due,
        turn=turn,
    )


def own_turn(board: chess.Board, side: Side) -> int:
    """Return how many turns of its own this side has begun, counted from move one."""
    return board.fullmove_number - (board.turn and side is BLACK)
