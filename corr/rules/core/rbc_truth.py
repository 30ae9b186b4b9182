"""Holds what the umpire of Reconnaissance Blind Chess knows; computes what a sense shows and a move becomes."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import NamedTuple

import chess

from corr.rules.core import snapshot
from corr.rules.core.checks import BETWEEN
from corr.rules.core.notation import chess_move
from corr.rules.core.sights import count_own_turns, hide_loss_kinds, make_sight, sights_after_end
from corr.rules.core.umpire import BLACK, SIDES, WHITE
from corr.words.board import SQUARES, Pair, PieceKind, Side, squares_of
from corr.words.codes import Common, SquareContents
from corr.words.slips import Fact, Losses, Sight

VERSION = 0x55
_HEAD = struct.Struct("<B?Q")
#: Older snapshots also held what each side had last seen: two moves, two counts of squares, and the squares.
_OLD_VERSION = 0x52
_HEAD_BEFORE = struct.Struct("<B?Q2H2B")


class Truth(NamedTuple):
    """What only the umpire knows. Its board never changes: moves are made on a copy."""

    board: chess.Board
    lost: Pair[Losses]  # since the start
    seen: int | None  # the squares that this turn's sense has shown; None while it is due
    sights: Pair[Sight]
    over: bool = False

    def __repr__(self) -> str:
        return f"<Truth after {self.board.ply()} moves>"

    @property
    def turn(self) -> Side | None:
        return None if self.over else SIDES[self.board.turn]


def make_truth(board: chess.Board, lost: Pair[Losses], seen: int | None = None) -> Truth:
    """Build the umpire's state at a turn's beginning, or after a sense that has shown `seen`."""
    white, black = (seen, None) if board.turn else (None, seen)
    sights = Pair(_sight(board, WHITE, lost, white), _sight(board, BLACK, lost, black))
    return Truth(board, lost, seen, sights)


def _sight(board: chess.Board, side: Side, lost: Pair[Losses], seen: int | None) -> Sight:
    """Return what a side sees: its own pieces, and the squares that its sense showed."""
    own = board.occupied_co[side is WHITE] | (seen or 0)
    turn = count_own_turns(board, side)
    return make_sight(board, side, hide_loss_kinds(lost, side), own, sense_due=seen is None, turn=turn)


def truth_after_end(truth: Truth) -> Truth:
    """Return the same position after the end, which both sides see fully."""
    return truth._replace(seen=None, sights=sights_after_end(truth.board, truth.lost), over=True)


def pack(truth: Truth) -> bytes:
    head = _HEAD.pack(VERSION, truth.seen is not None, truth.seen or 0)
    return head + snapshot.pack_position(truth.board, truth.lost, 0, over=truth.over)


def restore(data: bytes) -> Truth:
    has_sensed, seen, rest = _unpack(data)
    position = snapshot.restore_position(rest)
    truth = make_truth(position.board, position.lost, seen if has_sensed else None)
    return truth_after_end(truth) if position.over else truth


def _unpack(data: bytes) -> tuple[bool, int, bytes]:
    """Split what `pack` wrote, in any version: whether a sense was taken, its squares, the rest."""
    if data[0] == VERSION:
        _, has_sensed, seen = _HEAD.unpack_from(data)
        return has_sensed, seen, data[_HEAD.size :]
    if data[0] != _OLD_VERSION:
        raise ValueError("This snapshot has another version.")
    _, has_sensed, seen, _, _, whites, blacks = _HEAD_BEFORE.unpack_from(data)
    return has_sensed, seen, data[_HEAD_BEFORE.size + 2 * (whites + blacks) :]


#: The squares of each window, as a bitboard, and in order: file by file, and up each file.
_SENSED_MASKS = [chess.BB_KING_ATTACKS[square] | 1 << square for square in range(64)]
_ORDER = [sorted(squares_of(window), key=SQUARES.__getitem__) for window in _SENSED_MASKS]


def _piece_names(side: Side) -> dict[str, str]:
    """Return this side's names for pieces by FEN letters, in the order of telling, an empty square last."""
    whose = ((side.other, f"{side.other.called}'s"), (side, "your own"))
    men = ((color, f"{name} {man}", man.letter) for color, name in whose for man in reversed(PieceKind))
    return {letter if color is Side.WHITE else letter.lower(): name for color, name, letter in men} | {
        ".": "nothing"
    }


_PIECE_NAMES = {side: _piece_names(side) for side in Side}

_NOTHING_FACT = Fact(Common.SENSED, "You sensed nothing", (("squares", SquareContents(())),))


def sensed_mask(square: int | None) -> int:
    """Return the squares that a sense shows, as a bitboard; none if there was no sense."""
    return 0 if square is None else _SENSED_MASKS[square]


def sense_fact(board: chess.Board, side: Side, square: int | None) -> Fact:
    """Tell this side what is really around a square."""
    if square is None:
        return _NOTHING_FACT
    around = _SENSED_MASKS[square]
    if not board.occupied & around:
        return _EMPTY[square]
    return _look(
        side,
        square,
        board.occupied_co[True] & around,
        board.pawns & around,
        board.knights & around,
        board.bishops & around,
        board.rooks & around,
        board.queens & around,
        board.kings & around,
    )


@lru_cache(maxsize=4096)
def _look(side: Side, square: int, white: int, *men: int) -> Fact:
    """Make a sense's report to this side of the squares around `square`."""
    letters = dict.fromkeys(_ORDER[square], ".")
    for letter, kind in zip("PNBRQK", men, strict=True):
        for each in chess.scan_reversed(kind):
            letters[each] = letter if white >> each & 1 else letter.lower()
    contents = tuple([(SQUARES[each], letter) for each, letter in letters.items()])
    said = f"Around {SQUARES[square]} you see {_describe_contents(side, contents)}"
    return Fact(Common.SENSED, said, (("squares", SquareContents(contents)),))


def has_content(board: chess.Board, square: int, what: str, side: Side) -> bool:
    """Whether a square is empty, or has an opposing piece of the kind asked for."""
    if what == "empty" or not board.occupied_co[side is Side.BLACK] >> square & 1:
        return what == "empty" and not board.occupied >> square & 1
    kind = board.piece_type_at(square)
    return what == "enemy" or (kind is not None and what == chess.piece_symbol(kind))


def _describe_contents(side: Side, contents: tuple[tuple[str, str], ...]) -> str:
    """Word a sense's report: each kind of piece with its squares."""
    squares: dict[str, list[str]] = {}
    for name, letter in contents:
        squares.setdefault(letter, []).append(name)
    called = _PIECE_NAMES[side]
    return "; ".join(
        [_describe_squares(called[letter], squares[letter]) for letter in called if letter in squares]
    )


def _describe_squares(what: str, names: list[str]) -> str:
    *first, last = names
    if not first:
        return f"{what} on {last}"
    return f"{what}{'' if what == 'nothing' else 's'} on {', '.join(first)} and {last}"


_EMPTY = [_look(Side.WHITE, square, 0, *[0] * 6) for square in range(64)]

_TWO_RANKS = 16


def resolve_move(board: chess.Board, move: chess.Move) -> chess.Move | None:
    """Return the move that a requested one becomes on the true board; None if it fails."""
    origin, target = move.from_square, move.to_square
    if board.pawns >> origin & 1:
        return _resolve_pawn_move(board, move)
    if board.kings >> origin & 1 and abs(target - origin) == 2:
        rook = target + 1 if target > origin else target - 2
        return None if BETWEEN[origin][rook] & board.occupied else move
    hidden = BETWEEN[origin][target] & board.occupied
    nearest = hidden & -hidden if target > origin else hidden
    return chess_move(origin, nearest.bit_length() - 1, None) if hidden else move


def _resolve_pawn_move(board: chess.Board, move: chess.Move) -> chess.Move | None:
    """Return the move that a requested pawn move becomes; None if it fails. A double step may end halfway."""
    origin, target = move.from_square, move.to_square
    if (target - origin) & 7:
        return move if board.occupied >> target & 1 or target == board.ep_square else None
    if not board.occupied >> target & 1 and not BETWEEN[origin][target] & board.occupied:
        return move
    halfway = origin + target >> 1
    is_double = abs(target - origin) == _TWO_RANKS
    return chess_move(origin, halfway, None) if is_double and not board.occupied >> halfway & 1 else None
