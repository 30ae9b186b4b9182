"""What a side sees of the true board: its own men, and everything once the game is over."""

from __future__ import annotations

import chess

from corr.rules.umpire import WHITE
from corr.words import Castle, Pair, Side, Sight, Toll

_RIGHTS: dict[int, tuple[Castle, ...]] = {
    0: (),
    chess.BB_H1: (Castle.SHORT,),
    chess.BB_A1: (Castle.LONG,),
    chess.BB_H1 | chess.BB_A1: (Castle.SHORT, Castle.LONG),
    chess.BB_H8: (Castle.SHORT,),
    chess.BB_A8: (Castle.LONG,),
    chess.BB_H8 | chess.BB_A8: (Castle.SHORT, Castle.LONG),
}


def sight(board: chess.Board, side: Side, lost: Pair[Toll], *, over: bool) -> Sight:
    """What this side sees now."""
    white = side is WHITE
    own = board.occupied_co[white]
    seen = chess.BB_ALL if over else own
    return Sight(
        side,
        own,
        seen,
        board.pawns & seen,
        board.knights & seen,
        board.bishops & seen,
        board.rooks & seen,
        board.queens & seen,
        board.kings & seen,
        _RIGHTS[board.castling_rights & (chess.BB_RANK_1 if white else chess.BB_RANK_8)],
        lost,
    )
