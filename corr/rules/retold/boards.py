"""Rebuilds the true boards of a finished game from the slips of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import chess
from chess.variant import CrazyhouseBoard, find_variant

from corr.rules.core.checks import CASTLINGS
from corr.rules.core.sights import make_sight
from corr.rules.core.umpire import SIDES, Umpire
from corr.rules.retold.retold_game import RetoldGame
from corr.words.board import Pair, Side, squares_of
from corr.words.codes import Datum
from corr.words.orders import Order
from corr.words.slips import Sight, Slip
from corr.words.view import VariantInfo

NO_MOVE = "--"  # marks a pass or a failed move; the comments say what was asked for
_NO_MOVE = (None, "pass")
_CORNERS = {(SIDES[each.king == chess.E1], each.word): each.rook for each in CASTLINGS.values()}


def build_first_board(card: VariantInfo, game: RetoldGame) -> chess.Board:
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


def play_moves(card: VariantInfo, board: chess.Board, game: RetoldGame) -> Iterator[str]:
    """Make the game's moves on this board one by one, and yield each as its PGN shows it."""
    for number in range(1, len(game.movers)):
        yield play_move(card, board, game.made(number))


def play_move(card: VariantInfo, board: chess.Board, move: Datum) -> str:
    """Make a move on this board, and return it as a PGN shows it; `--` for none."""
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


class Trial(NamedTuple):
    """A position, the orders tried in it, and the position at the end."""

    first: Pair[Slip | None]
    tried: tuple[tuple[Side, Pair[Slip | None]], ...]  # the side of each try, and its slips
    whole: Sight
    turn: Side | None  # the side to move at the end

    def slips(self, side: Side) -> tuple[Slip, ...]:
        seen = (slips[side] for slips in (self.first, *(slips for _, slips in self.tried)))
        return tuple(slip for slip in seen if slip)


def try_orders(umpire: Umpire[Any], position: str, orders: Iterable[Order]) -> Trial:
    """Try orders in a position, one after another, each by the side to move."""
    ruling = first = umpire.start(position)
    answers = []
    for order in orders:
        assert ruling.turn is not None
        side = ruling.turn
        ruling = umpire.judge(ruling.truth, side, order)
        answers.append((side, ruling.slips))
    truth = ruling.truth
    reserves = getattr(truth, "reserves", None)
    whole = make_sight(truth.board, Side.WHITE, truth.lost, chess.BB_ALL, reserves)
    return Trial(first.slips, tuple(answers), whole, ruling.turn)
