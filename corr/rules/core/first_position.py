"""Sets up the first position, the usual one or one given as FEN."""

from __future__ import annotations

from collections.abc import Mapping

import chess

from corr.words.errors import Refused

_KINGS = {
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "a side has two kings",
}
#: Faults that no variant can play with, unless pieces are deployed.
PIECE_FAULTS = _KINGS | {chess.STATUS_PAWNS_ON_BACKRANK: "a pawn is on the first or last rank"}
_CHESS = PIECE_FAULTS | {chess.STATUS_OPPOSITE_CHECK: "the side that isn't to move is in check"}


def parse_fen(fen: str | None, complaints: Mapping[chess.Status, str] = _CHESS) -> chess.Board:
    """Return the board of a FEN without impossible rights; Refused if it cannot be played."""
    found = parse_promoted_fen(fen, complaints)
    found.promoted = 0
    return found


def parse_deployed_fen(fen: str) -> chess.Board:
    """Like board, for deployed pieces: pawns may be on their first row, and checks are ignored."""
    found = parse_fen(fen, _KINGS)
    for color, last in ((chess.WHITE, chess.BB_RANK_8), (chess.BLACK, chess.BB_RANK_1)):
        if found.pawns & found.occupied_co[color] & last:
            raise Refused("This position can't be played: a pawn is on its last row.")
    return found


def parse_promoted_fen(fen: str | None, complaints: Mapping[chess.Status, str] = _CHESS) -> chess.Board:
    """Like board, but keep the marks of promoted pieces, `Q~`; such a rook does not castle."""
    if fen is None:
        return chess.Board()
    try:
        found = chess.Board(fen)
    except ValueError as error:
        raise Refused(f"We can't read this FEN: {error}.") from error
    _check(found, complaints)
    found.castling_rights = found.clean_castling_rights() & ~found.promoted
    if found.status() & chess.STATUS_INVALID_EP_SQUARE:
        found.ep_square = None
    return found


def _check(found: chess.Board, complaints: Mapping[chess.Status, str]) -> None:
    status = found.status()
    for fault, sentence in complaints.items():
        if status & fault:
            raise Refused(f"This position can't be played: {sentence}.")
    if max(found.halfmove_clock, found.fullmove_number) > 0xFFFF:
        raise Refused("This position can't be played: its move numbers are too large.")
