"""Plays chess with drops: a captured piece enters the captor's reserve, a promoted one as a pawn."""

from __future__ import annotations

import re
import struct
from hashlib import blake2b

import chess

from corr.rules.core import checks, first_position, reserve, turn_memory
from corr.rules.core.drops import can_drop, drop
from corr.rules.core.ending import can_move, lasting
from corr.rules.core.game_setup import Kit
from corr.rules.core.moves import Capture, attempt, capture
from corr.rules.core.played_move import Played, packed
from corr.rules.core.sights import TollsShown, both, sight, typed, whole
from corr.rules.core.tries import en_passant, pawn_tries
from corr.rules.core.umpire import SIDES, WHITE, Truth
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.slips import Sight, Toll

VERSION = 0x43
_HEAD = struct.Struct("<BQBB")
_MARKS = struct.Struct("<Q").pack
_MOST = 30
_RESERVES = re.compile(r"\s*([^\s\[\]]+)\[([QRBNPqrbnp]*)\](.*)", re.DOTALL)


def play(truth: Truth, move: chess.Move) -> Played | None:
    """Make a move or a drop; None if it is illegal."""
    return _drop(truth, move) if move.drop else _move(truth, move)


def reserves_of(truth: Truth) -> Pair[str]:
    """Return what the two sides may drop."""
    assert truth.reserves is not None
    return truth.reserves


def entering(board: chess.Board, taken: Capture) -> chess.PieceType:
    """Return the kind of piece in which a capture enters the reserve."""
    man = board.piece_type_at(taken.square)
    assert man
    return chess.PAWN if board.promoted >> taken.square & 1 else man


def _move(truth: Truth, move: chess.Move) -> Played | None:
    board = attempt(truth.board, truth.siege, move)
    if board is None:
        return None
    board.promoted = _promoted(truth.board, move)
    taken, other = capture(truth.board, move), SIDES[board.turn]
    if taken is None:
        return _settled(
            board, _before(truth, board), None, truth.lost, reserves_of(truth), truth.sights[other]
        )
    lost = truth.lost.but(other, Toll(truth.lost[other].men + 1, None))
    reserves = reserve.gained(reserves_of(truth), other.other, entering(truth.board, taken))
    return _settled(board, _before(truth, board), taken, lost, reserves, None)


def _drop(truth: Truth, move: chess.Move) -> Played | None:
    board, side = drop(truth.board, truth.siege, move), SIDES[truth.board.turn]
    if board is None:
        return None
    assert move.drop
    reserves = reserve.spent(reserves_of(truth), side, move.drop)
    return _settled(board, truth.keys, None, truth.lost, reserves, None)


def _promoted(board: chess.Board, move: chess.Move) -> int:
    start, end = 1 << move.from_square, 1 << move.to_square
    still = board.promoted & ~(start | end)
    return still | end if move.promotion or board.promoted & start else still


def _before(truth: Truth, board: chess.Board) -> bytes:
    """Return the positions that may recur: drops return pieces, so only a lost castling right is final."""
    return truth.keys if board.castling_rights == truth.board.castling_rights else b""


def _settled(
    board: chess.Board,
    before: bytes,
    taken: Capture | None,
    lost: Pair[Toll],
    reserves: Pair[str],
    still: Sight | None,
) -> Played:
    """Compute everything about a new position; `still` is what the side to move saw, if unchanged."""
    king, checkers, pinned = besieged = checks.siege(board, board.turn)
    passing = en_passant(board)
    keys = before + _key(board, passing, reserves)
    end = _ending(board, besieged, reserves[SIDES[board.turn]], keys)
    tries = pawn_tries(board, checkers, pinned, passing)
    if end is not None:
        sights = whole(board, lost, reserves)
    elif still is None:
        sights = both(board, lost, typed, reserves)
    else:
        other = SIDES[not board.turn]
        mine = sight(board, other, lost, reserves)
        sights = Pair(mine, still) if other is WHITE else Pair(still, mine)
    truth = Truth(board, besieged, lost, sights, keys, tries, end is not None, reserves=reserves)
    return Played(truth, taken, checks.kinds(king, checkers) if checkers else 0, end)


def _ending(board: chess.Board, besieged: checks.Siege, own: str, keys: bytes) -> str | None:
    """Mate and stalemate need that no drop helps; material always suffices, since no piece leaves the game."""
    _, checkers, pinned = besieged
    if not can_move(board, checkers, pinned) and not can_drop(board, besieged, own):
        return "checkmate" if checkers else "stalemate"
    return lasting(board, keys)


def _key(board: chess.Board, passing: int, reserves: Pair[str]) -> bytes:
    """Return a digest of the position with promoted pieces and reserves, equal in every process."""
    beside = _MARKS(board.promoted) + (reserves.white + reserves.black).encode()
    return blake2b(packed(board, passing) + beside, digest_size=8).digest()


# ---------------------------------------------------------------- set-up, FEN and snapshots


def _lay(fen: str | None, _shown: TollsShown) -> Played:
    """Set up a FEN such as `4k3/8/8/8/8/8/8/Q~3K3[Np] w - - 0 1`; without brackets, the reserves are empty."""
    found = _RESERVES.fullmatch(fen or "")
    board = first_position.marked(f"{found[1]}{found[3]}" if found else fen)
    letters = reserve.ordered(found[2]) if found else ""
    if len(letters) > _MOST:
        raise Refused("This position can't be played: there are too many pieces in reserve.")
    white = "".join(filter(str.isupper, letters))
    lost = Pair(Toll(0, None), Toll(0, None))
    return _settled(board, b"", None, lost, Pair(white, letters[len(white) :]), None)


def _fen(truth: Truth) -> str:
    men, rest = truth.board.fen(promoted=True).split(" ", maxsplit=1)
    return f"{men}[{reserves_of(truth).white}{reserves_of(truth).black}] {rest}"


def _pack(truth: Truth) -> bytes:
    """Pack a common snapshot, after a head with the promoted pieces and the reserves."""
    white, black = (letters.encode() for letters in (reserves_of(truth).white, reserves_of(truth).black))
    head = _HEAD.pack(VERSION, truth.board.promoted, len(white), len(black))
    return head + white + black + turn_memory.pack(truth)


def _restore(data: bytes, _shown: TollsShown) -> Truth:
    """Restore such a snapshot; ValueError for one that this version did not write."""
    if data[:1] != bytes([VERSION]):
        raise ValueError("This snapshot has another version.")
    _, promoted, white, black = _HEAD.unpack_from(data)
    end = _HEAD.size + white + black
    letters = data[_HEAD.size : end].decode()
    truth = turn_memory.restore(data[end:])
    truth.board.promoted = promoted
    lost = Pair(Toll(truth.lost.white.men, None), Toll(truth.lost.black.men, None))
    reserves = Pair(letters[:white], letters[white:])
    seen = whole(truth.board, lost, reserves) if truth.over else both(truth.board, lost, typed, reserves)
    return truth._replace(lost=lost, reserves=reserves, sights=seen)


def _can_mate(_truth: Truth, _side: Side) -> bool:
    """Either side may still capture pieces and drop them."""
    return True


#: The pieces of chess with reserves.
CRAZYHOUSE = Kit(_lay, _fen, _pack, _restore, _can_mate)
