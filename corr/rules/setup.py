"""Setting up the first position, the normal array or one given as FEN."""

from __future__ import annotations

from collections.abc import Mapping

import chess

from corr.words import Refused

#: What no variant of chess can play with.
ODD_MEN = {
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "a side has two kings",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn stands on a first or last rank",
}
_COMPLAINTS = ODD_MEN | {
    chess.STATUS_OPPOSITE_CHECK: "the side that is not to move stands in check",
}


def board(fen: str | None, complaints: Mapping[chess.Status, str] = _COMPLAINTS) -> chess.Board:
    """The board of this FEN, rights that cannot be had left out; Refused if nobody can play it."""
    if fen is None:
        return chess.Board()
    try:
        found = chess.Board(fen)
    except ValueError as error:
        raise Refused(f"This FEN cannot be read: {error}.") from error
    _check(found, complaints)
    found.castling_rights = found.clean_castling_rights()
    if found.status() & chess.STATUS_INVALID_EP_SQUARE:
        found.ep_square = None
    return found


def _check(found: chess.Board, complaints: Mapping[chess.Status, str]) -> None:
    status = found.status()
    for fault, sentence in complaints.items():
        if status & fault:
            raise Refused(f"This position cannot be played: {sentence}.")
    if max(found.halfmove_clock, found.fullmove_number) > 0xFFFF:
        raise Refused("This position cannot be played: its move numbers are too large.")
