"""Rebuilds the true boards of a finished game from the slips of both sides."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from chess.variant import CrazyhouseBoard, find_variant

from corr.rules.core.checks import CASTLINGS
from corr.rules.core.umpire import SIDES
from corr.rules.retold.public_slips import RetoldGame
from corr.words.board import Side, squares_of
from corr.words.codes import Datum
from corr.words.view import Card

#: Marks a pass or a failed move; the comments say what was asked for.
NO_MOVE = "--"
_NO_MOVE = (None, "pass")
_CORNERS = {(SIDES[each.king == chess.E1], each.word): each.rook for each in CASTLINGS.values()}


def build_first_board(card: Card, game: RetoldGame) -> chess.Board:
    """Build the first position from what each side saw of its own pieces and rights."""
    board: chess.Board = find_variant(card.chess or "Standard")(None)
    for side in Side:
        sight = game.turns[side][0][0].sight
        for kind, (_, mask) in enumerate(sight.masks(), start=chess.PAWN):
            for square in squares_of(mask & sight.own):
                board.set_piece_at(square, chess.Piece(kind, side is Side.WHITE))
        for castle in sight.castling:
            board.castling_rights |= 1 << _CORNERS[side, castle]
    board.turn = game.movers[0] is Side.BLACK
    return board


def play_moves(card: Card, board: chess.Board, game: RetoldGame) -> Iterator[str]:
    """Make the moves on this board one after another, and yield each as written.

    They are in standard notation if other programs know the rules, else by their squares. In variants where
    captured promoted pieces become pawns again, those are marked.
    """
    for number in range(1, len(game.movers)):
        yield play_move(card, board, game.made(number))


def play_move(card: Card, board: chess.Board, move: Datum) -> str:
    """Make a move on this board, and return it as written."""
    moved = chess.Move.null() if move in _NO_MOVE else chess.Move.from_uci(str(move))
    written = board.san(moved) if moved and card.chess else str(move)
    if written.startswith("@"):
        written = (
            f"P{written}"  # python-chess writes no letter for a dropped pawn, and every program reads one
        )
    board.push(moved)
    if not isinstance(board, CrazyhouseBoard):
        board.promoted = chess.BB_EMPTY
    return written if moved else NO_MOVE
