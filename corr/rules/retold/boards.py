"""The true boards of a game that is over, set up anew from what either side was handed."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from chess.variant import CrazyhouseBoard, find_variant

from corr.rules.retold.public_slips import Retelling
from corr.words.board import Side, squares_of
from corr.words.codes import Datum
from corr.words.orders import Castle
from corr.words.view import Card

#: Where nothing moved, be it a pass or a move that failed; what was asked for is among the comments.
NO_MOVE = "--"
_NO_MOVE = (None, "pass")
_CORNERS = {
    (Side.WHITE, Castle.SHORT): chess.H1,
    (Side.WHITE, Castle.LONG): chess.A1,
    (Side.BLACK, Castle.SHORT): chess.H8,
    (Side.BLACK, Castle.LONG): chess.A8,
}


def first(card: Card, game: Retelling) -> chess.Board:
    """The first position: what each side then saw of its own men and knew of its rights."""
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


def played(card: Card, board: chess.Board, game: Retelling) -> Iterator[str]:
    """Make the moves on this board, one after another.

    Each is told as other programs write it where they know the rules, else by its squares. Men that were pawns are
    marked where they become pawns again.
    """
    for number in range(1, len(game.movers)):
        yield made(card, board, game.made(number))


def made(card: Card, board: chess.Board, move: Datum) -> str:
    """Make a move on this board, and tell it."""
    moved = chess.Move.null() if move in _NO_MOVE else chess.Move.from_uci(str(move))
    written = _with_letter(board.san(moved)) if moved and card.chess else str(move)
    board.push(moved)
    if not isinstance(board, CrazyhouseBoard):
        board.promoted = chess.BB_EMPTY
    return written if moved else NO_MOVE


def _with_letter(san: str) -> str:
    """A dropped pawn has its letter here, `P@e4`; every program reads it so, and python-chess writes none."""
    return f"P{san}" if san.startswith("@") else san
