"""Plays chess with drops: a captured piece enters the captor's reserve, a promoted one as a pawn."""

from __future__ import annotations

import re
import struct
from collections import Counter
from functools import lru_cache

import chess

from corr.rules.core import checks, setups, snapshot
from corr.rules.core.endings import can_move, find_progress_draw
from corr.rules.core.moves import (
    Capture,
    attempt,
    can_drop,
    count_en_passant,
    count_pawn_tries,
    drop,
    find_capture,
)
from corr.rules.core.played_move import PlayedMove, position_key
from corr.rules.core.referee import Referee
from corr.rules.core.sights import (
    show_loss_kinds,
    sights_after_end,
    sights_in_play,
)
from corr.rules.core.umpire import SIDES, WHITE, Ruling, Truth
from corr.words.board import Pair, PieceKind, Side
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.slips import Fact, Losses, Sight

_LETTERS = " PNBRQK"
_ORDER = "QRBNPqrbnp"
_COUNTS = ("", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def is_in_reserve(reserve: str, man: int) -> bool:
    return _LETTERS[man] in reserve.upper()


def add_to_reserve(reserves: Pair[str], side: Side, man: int) -> Pair[str]:
    return reserves.with_value(side, sort_reserve(reserves[side] + _letter(side, man)))


def remove_from_reserve(reserves: Pair[str], side: Side, man: int) -> Pair[str]:
    return reserves.with_value(side, reserves[side].replace(_letter(side, man), "", 1))


def _letter(side: Side, man: int) -> str:
    return _LETTERS[man] if side is WHITE else _LETTERS[man].lower()


@lru_cache(maxsize=8192)
def sort_reserve(letters: str) -> str:
    """Sort a reserve's letters: White's before Black's, queens first and pawns last."""
    return "".join(sorted(letters, key=_ORDER.index))


@lru_cache(maxsize=8192)
def reserves_fact(reserves: Pair[str]) -> Fact:
    white, black = _describe_reserve(reserves.white), _describe_reserve(reserves.black)
    text = f"White's reserve: {white}. Black's reserve: {black}."
    return Fact(Common.RESERVES, text, (("white", reserves.white), ("black", reserves.black)))


def _describe_reserve(reserve: str) -> str:
    """Return a reserve in words, `two queens, a rook and a pawn`."""
    *most, last = [_describe_count(letter, count) for letter, count in Counter(reserve).items()] or [
        "nothing"
    ]
    return f"{', '.join(most)} and {last}" if most else last


def _describe_count(letter: str, count: int) -> str:
    number = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{number} {PieceKind.from_letter(letter)}{'s' * (count > 1)}"


VERSION = 0x43
_HEAD = struct.Struct("<BQBB")
_MARKS = struct.Struct("<Q").pack
_MOST_RESERVE = 30
_RESERVES = re.compile(r"\s*([^\s\[\]]+)\[([QRBNPqrbnp]*)\](.*)", re.DOTALL)


def play(truth: Truth, move: chess.Move) -> PlayedMove | None:
    """Make a move or a drop on the true board; None if it is illegal."""
    return _drop(truth, move) if move.drop else _move(truth, move)


def reserves_of(truth: Truth) -> Pair[str]:
    assert truth.reserves is not None
    return truth.reserves


def kind_for_reserve(board: chess.Board, capture: Capture) -> chess.PieceType:
    """Return the kind in which a captured piece enters the reserve: a promoted one is a pawn."""
    man = board.piece_type_at(capture.square)
    assert man
    return chess.PAWN if board.promoted >> capture.square & 1 else man


def _move(truth: Truth, move: chess.Move) -> PlayedMove | None:
    """Make a move, and put any captured piece into the reserve; None if it is illegal."""
    board = attempt(truth.board, truth.siege, move)
    if board is None:
        return None
    board.promoted = _promoted_after(truth.board, move)
    taken, other = find_capture(truth.board, move), SIDES[board.turn]
    lost, reserves = truth.lost, reserves_of(truth)
    if taken:
        lost = lost.with_value(other, Losses(lost[other].men + 1, None))
        reserves = add_to_reserve(reserves, other.other, kind_for_reserve(truth.board, taken))
    # Drops return pieces, so only a lost castling right makes the positions before unrepeatable.
    keys = truth.keys if board.castling_rights == truth.board.castling_rights else b""
    return _describe_position(board, keys, taken, lost, reserves)


def _drop(truth: Truth, move: chess.Move) -> PlayedMove | None:
    """Drop a piece from the reserve onto the board; None if it is illegal."""
    board, side = drop(truth.board, truth.siege, move), SIDES[truth.board.turn]
    if board is None:
        return None
    assert move.drop
    reserves = remove_from_reserve(reserves_of(truth), side, move.drop)
    return _describe_position(board, truth.keys, None, truth.lost, reserves)


def _promoted_after(board: chess.Board, move: chess.Move) -> int:
    start, end = 1 << move.from_square, 1 << move.to_square
    still = board.promoted & ~(start | end)
    return still | end if move.promotion or board.promoted & start else still


def _describe_position(
    board: chess.Board,
    before: bytes,
    capture: Capture | None,
    lost: Pair[Losses],
    reserves: Pair[str],
) -> PlayedMove:
    """Compute what the umpire must know of a new position: checks, pawn tries, sights, the end."""
    king, checkers, pinned = siege = checks.find_siege(board, board.turn)
    passing = count_en_passant(board)
    extra = _MARKS(board.promoted) + (reserves.white + reserves.black).encode()
    keys = before + position_key(board, passing, extra)
    end = _ending(board, siege, reserves[SIDES[board.turn]], keys)
    tries = count_pawn_tries(board, checkers, pinned, passing)
    sights = _sights(board, lost, reserves, over=end is not None)
    truth = Truth(board, siege, lost, sights, keys, tries, end is not None, reserves=reserves)
    return PlayedMove(truth, capture, checks.find_kinds(king, checkers) if checkers else 0, end)


def _sights(board: chess.Board, lost: Pair[Losses], reserves: Pair[str], *, over: bool) -> Pair[Sight]:
    if over:
        return sights_after_end(board, lost, reserves)
    return sights_in_play(board, lost, show_loss_kinds, reserves)


def _ending(board: chess.Board, siege: checks.Siege, own: str, keys: bytes) -> str | None:
    """Return how the game ends here, or None; mate and stalemate need that no drop helps."""
    _, checkers, pinned = siege
    if not can_move(board, checkers, pinned) and not can_drop(board, siege, own):
        return "checkmate" if checkers else "stalemate"
    return find_progress_draw(board, keys)


class CrazyhouseReferee(Referee):
    """A variant with the pieces of chess and reserves; either side may still capture pieces and drop them."""

    def start(self, fen: str | None = None) -> Ruling[Truth]:
        """Set up a FEN such as `4k3/8/8/8/8/8/8/Q~3K3[Np] w - - 0 1`; without brackets, the reserves are empty."""
        found = _RESERVES.fullmatch(fen or "")
        board = setups.parse_promoted_fen(f"{found[1]}{found[3]}" if found else fen)
        letters = sort_reserve(found[2]) if found else ""
        if len(letters) > _MOST_RESERVE:
            raise Refused("This position can't be played: there are too many pieces in reserve.")
        white = "".join(filter(str.isupper, letters))
        lost, reserves = Pair(Losses(0, None), Losses(0, None)), Pair(white, letters[len(white) :])
        return self.begin(_describe_position(board, b"", None, lost, reserves))

    def can_mate(self, _truth: Truth, _side: Side) -> bool:
        return True

    def fen(self, truth: Truth) -> str:
        men, rest = truth.board.fen(promoted=True).split(" ", maxsplit=1)
        return f"{men}[{reserves_of(truth).white}{reserves_of(truth).black}] {rest}"

    def pack(self, truth: Truth) -> bytes:
        """Encode the truth for the database: promoted pieces and reserves, then the usual snapshot."""
        white, black = (letters.encode() for letters in (reserves_of(truth).white, reserves_of(truth).black))
        head = _HEAD.pack(VERSION, truth.board.promoted, len(white), len(black))
        return head + white + black + snapshot.pack(truth)

    def restore(self, data: bytes) -> Truth:
        if data[:1] != bytes([VERSION]):
            raise ValueError("This snapshot has another version.")
        _, promoted, white, black = _HEAD.unpack_from(data)
        end = _HEAD.size + white + black
        letters = data[_HEAD.size : end].decode()
        truth = snapshot.restore(data[end:])
        truth.board.promoted = promoted
        lost = Pair(Losses(truth.lost.white.men, None), Losses(truth.lost.black.men, None))
        reserves = Pair(letters[:white], letters[white:])
        sights = _sights(truth.board, lost, reserves, over=truth.over)
        return truth._replace(lost=lost, reserves=reserves, sights=sights)
