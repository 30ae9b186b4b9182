"""Computes what a side sees of the true board: its own pieces, and everything once the game is over."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import chess

from corr.rules.core.umpire import BLACK, WHITE
from corr.words.board import Pair, Side
from corr.words.orders import Castle
from corr.words.slips import Losses, Sight

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
LossFilter: TypeAlias = Callable[[Pair[Losses], Side], Pair[Losses]]


def show_loss_kinds(lost: Pair[Losses], _side: Side) -> Pair[Losses]:
    """Return the losses unchanged, where the umpire tells pawns from other captured pieces."""
    return lost


@lru_cache(maxsize=4096)
def hide_loss_kinds(lost: Pair[Losses], side: Side) -> Pair[Losses]:
    """Hide from a side how many of the pieces it has captured were pawns."""
    return lost.with_value(side.other, Losses(lost[side.other].men, None))


def sights_in_play(
    board: chess.Board, lost: Pair[Losses], shown: LossFilter, reserves: Pair[str] | None = None
) -> Pair[Sight]:
    """Return what the two sides see while they play: their own pieces."""
    return Pair(
        make_sight(board, WHITE, shown(lost, WHITE), board.occupied_co[chess.WHITE], reserves),
        make_sight(board, BLACK, shown(lost, BLACK), board.occupied_co[chess.BLACK], reserves),
    )


def sights_after_end(
    board: chess.Board, lost: Pair[Losses], reserves: Pair[str] | None = None
) -> Pair[Sight]:
    """Return what both sides see once the game is over: the whole board."""
    return Pair(
        make_sight(board, WHITE, lost, chess.BB_ALL, reserves),
        make_sight(board, BLACK, lost, chess.BB_ALL, reserves),
    )


def make_sight(
    board: chess.Board,
    side: Side,
    lost: Pair[Losses],
    seen: int,
    reserves: Pair[str] | None = None,
    *,
    sense_due: bool = False,
    turn: int | None = None,
) -> Sight:
    """Build what a side sees of a board, given the squares it sees, its own included."""
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


def count_own_turns(board: chess.Board, side: Side) -> int:
    """Return how many turns of its own this side has begun, counted from move one."""
    return board.fullmove_number - (board.turn and side is BLACK)
