"""Offers prepared set-ups by name, checks set-ups that players write, and reads the FEN of a first position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import chess

from corr.words.board import SQUARES, PieceKind, Side
from corr.words.errors import Refused
from corr.words.orders import Deploy
from corr.words.view import PreparedSetup

#: What the cards say of a deployment, and how to write one.
DEPLOYMENT = (
    (
        "Before the first move each side deploys all sixteen pieces on its own four ranks. The bishops go on "
        "squares of different colours, and pawns can also go on the back rank. Your opponent hears only that "
        "you have deployed. You can change your set-up until you have both deployed. Then the umpire tells "
        "each side, just once, where the other's king is."
    ),
    (
        "You can send up to five set-ups in order of preference. The umpire combines one of yours "
        "with one of your opponent's, best choices first, and uses the first combination in which "
        "neither king is attacked and White can move. If there is none, you both hear only that the "
        "deployments clash. You then deploy again, with half as much time. After the fifth clash the game is void."
    ),
)
DEPLOY_HELP = (
    '"deploy home" deploys a set-up by name. "deploy Ke1 Qd1 Ra1 Rh1 …" deploys your own: write all your '
    "pieces with their squares."
)

SETUPS = (
    PreparedSetup(
        "home",
        "the usual starting position",
        (
            "........",
            "........",
            "PPPPPPPP",
            "RNBQKBNR",
        ),
    ),
    PreparedSetup(
        "vanguard",
        "pawns far ahead, with room to move behind them",
        (
            "P.P.P.P.",
            ".P.P.P.P",
            "..NQ.N..",
            "R.B.KB.R",
        ),
    ),
    PreparedSetup(
        "corner",
        "the king safe in a corner beside a rook",
        (
            "........",
            "PPP..PPP",
            "..NPPN..",
            "R.BQ.BRK",
        ),
    ),
    PreparedSetup(
        "spread",
        "pieces all over the four ranks, with the bishops at the edges",
        (
            "..P..P..",
            "PN.PP.NP",
            "B.P..P.B",
            "R..QK..R",
        ),
    ),
    PreparedSetup(
        "upturned",
        "the pieces in front and the pawns behind them, on the back rank",
        (
            "........",
            "........",
            "RNBQKBNR",
            "PPPPPPPP",
        ),
    ),
)

PlacedPieces: TypeAlias = tuple[tuple[PieceKind, int], ...]

_ARMY = {
    PieceKind.KING: 1,
    PieceKind.QUEEN: 1,
    PieceKind.ROOK: 2,
    PieceKind.BISHOP: 2,
    PieceKind.KNIGHT: 2,
    PieceKind.PAWN: 8,
}
_ARMY_SENTENCE = "A set-up has one king, one queen, two rooks, two bishops, two knights and eight pawns"


def read_setup(order: Deploy, side: Side, prepared: Iterable[PreparedSetup]) -> PlacedPieces:
    """Return the pieces of a set-up, king first; Refused, with the fault, if it cannot be deployed."""
    men = _find_prepared(order.name, side, prepared) if order.name else order.men
    for fault in _faults(men, side):
        raise Refused(fault)
    return tuple(sorted(men, key=lambda each: (-list(PieceKind).index(each[0]), each[1])))


def _find_prepared(name: str, side: Side, prepared: Iterable[PreparedSetup]) -> PlacedPieces:
    known = {each.name: each for each in prepared}
    if name not in known:
        raise Refused(f'There is no prepared set-up called "{name}". Choose one of: {", ".join(known)}.')
    return known[name].men(side)


def _faults(men: PlacedPieces, side: Side) -> Iterator[str]:
    """Yield, as sentences, what is wrong with a set-up."""
    squares = Counter(square for _, square in men)
    yield from (
        f"Two of your pieces are on {SQUARES[square]}." for square, count in squares.items() if count > 1
    )
    rows = "1 to 4" if side is Side.WHITE else "5 to 8"
    yield from (
        f"You deploy on ranks {rows}, but your {man} on {SQUARES[square]} isn't there."
        for man, square in men
        if (square < 32) is not (side is Side.WHITE)
    )
    counts = Counter(man for man, _ in men)
    yield from (_army_fault(man, counts[man]) for man, count in _ARMY.items() if counts[man] != count)
    bishops = [square for man, square in men if man is PieceKind.BISHOP]
    if len({(square + square // 8) % 2 for square in bishops}) == 1:
        where = " and ".join(SQUARES[square] for square in bishops)
        yield f"Your bishops on {where} are on squares of the same colour. Please put one on each colour."


def _army_fault(man: PieceKind, count: int) -> str:
    have = f"{count} {man}{'s' if count > 1 else ''}" if count else f"no {man}"
    return f"{_ARMY_SENTENCE}; yours has {have}."


_KINGS = {
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "a side has two kings",
}
#: Faults that no variant can play with, unless pieces are deployed.
PIECE_FAULTS = _KINGS | {chess.STATUS_PAWNS_ON_BACKRANK: "a pawn is on the first or last rank"}
_CHESS = PIECE_FAULTS | {chess.STATUS_OPPOSITE_CHECK: "the side that isn't to move is in check"}


def parse_fen(fen: str | None, complaints: Mapping[chess.Status, str] = _CHESS) -> chess.Board:
    """Return the board of a FEN, the usual one for None; Refused if it cannot be played."""
    found = parse_promoted_fen(fen, complaints)
    found.promoted = 0
    return found


def parse_deployed_fen(fen: str) -> chess.Board:
    """Return the board of a FEN of deployed pieces, with pawns even on their first row; Refused if unplayable."""
    found = parse_fen(fen, _KINGS)
    for color, last in ((chess.WHITE, chess.BB_RANK_8), (chess.BLACK, chess.BB_RANK_1)):
        if found.pawns & found.occupied_co[color] & last:
            raise Refused("This position can't be played: a pawn is on its last rank.")
    return found


def parse_promoted_fen(fen: str | None, complaints: Mapping[chess.Status, str] = _CHESS) -> chess.Board:
    """Return the board of a FEN, keeping the marks of promoted pieces, `Q~`; Refused if it cannot be played."""
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
    """Raise Refused if a position has one of these faults or too large move numbers."""
    status = found.status()
    for fault, sentence in complaints.items():
        if status & fault:
            raise Refused(f"This position can't be played: {sentence}.")
    if max(found.halfmove_clock, found.fullmove_number) > 0xFFFF:
        raise Refused("This position can't be played: its move numbers are too large.")
