"""Plays on from a position of a finished game, with any move the variant allows there."""

from __future__ import annotations

from typing import Any

import chess
from chess.variant import CrazyhouseBoard

from corr.rules.core.reserve import sort_pieces
from corr.rules.core.sights import make_sight
from corr.rules.core.umpire import SIDES, Umpire
from corr.rules.retold import boards, square_changes
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.slips import Losses
from corr.words.view import Analysis, SquareChanges


def analyse_line(umpire: Umpire[Any], start: chess.Board, line: tuple[str, ...]) -> Analysis:
    """Return the position after these moves; Refused if one of them is illegal."""
    board, before, written = start.copy(stack=False), start, list[str]()
    for move in line:
        if move not in _legal(umpire, board):
            raise Refused(f"{move} isn't possible here.")
        before = board.copy(stack=False)
        written.append(boards.play_move(umpire.card, board, move))
    return Analysis(
        turn=SIDES[board.turn],
        fen=board.fen(),
        whole=make_sight(board, Side.WHITE, Pair(Losses(), Losses()), chess.BB_ALL, _reserves(board)),
        marks=_marks(umpire, before, board, line),
        moves=tuple(written),
        legal=_legal(umpire, board),
    )


def _legal(umpire: Umpire[Any], board: chess.Board) -> tuple[str, ...]:
    """Return the legal moves of the side to move; none once a king is gone."""
    kings = (board.pieces_mask(chess.KING, color) for color in chess.COLORS)
    return tuple(umpire.legal(board)) if all(kings) else ()


def _marks(
    umpire: Umpire[Any], before: chess.Board, board: chess.Board, line: tuple[str, ...]
) -> SquareChanges:
    if not line:
        return SquareChanges()
    is_check = bool(umpire.card.chess) and board.is_check()
    return square_changes.changes_by_move(line[-1], before, board, is_check=is_check)


def _reserves(board: chess.Board) -> Pair[str] | None:
    if not isinstance(board, CrazyhouseBoard):
        return None
    white, black = str(board.pockets[chess.WHITE]), str(board.pockets[chess.BLACK])
    return Pair(sort_pieces(white.upper()), sort_pieces(black.lower()))
