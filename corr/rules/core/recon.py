"""What the umpire of Reconnaissance Blind Chess knows: the board, whether a sense is due, what each side saw last."""

from __future__ import annotations

import struct
from typing import NamedTuple

import chess

from corr.rules.core import sensing, snapshot
from corr.rules.core.moves import Capture
from corr.rules.core.sights import seeing, untyped, whole
from corr.rules.core.umpire import BLACK, SIDES, WHITE
from corr.words.board import Pair, Side
from corr.words.slips import Recalled, Sight, Toll

VERSION = 0x52
_HEAD = struct.Struct("<B?Q2H2B")
_PAIR = struct.Struct("<Bc")
_NOTHING = Recalled(0, ())


class Truth(NamedTuple):
    """What only the umpire knows. Its board is never changed: whoever moves, moves on a copy."""

    board: chess.Board
    lost: Pair[Toll]  # since the start
    seen: int | None  # the squares that this turn's sense has shown; None while it is due
    looks: Pair[Recalled]  # what each side's last sense has shown of squares that were not its own
    sights: Pair[Sight]
    over: bool = False

    def __repr__(self) -> str:
        return f"<Truth after {self.board.ply()} moves>"


def first(board: chess.Board) -> Truth:
    """The first position: nothing is lost and nothing seen."""
    return _laid(board, Pair(Toll(), Toll()), None, Pair(_NOTHING, _NOTHING))


def looked(truth: Truth, side: Side, square: int | None, look: Recalled) -> Truth:
    """The same position after this side has sensed, which is what it remembers now."""
    board, seen, looks = truth.board, sensing.window(square), truth.looks.but(side, look)
    sights = truth.sights.but(side, _looking(board, side, truth.lost, seen, looks))
    return Truth(board, truth.lost, seen, looks, sights)


def remembered(truth: Truth, side: Side, look: sensing.Look) -> Recalled:
    """What this side has seen last once it has seen that."""
    if look is sensing.NOTHING:
        return truth.looks[side]
    return Recalled(truth.board.fullmove_number, look.squares)


def after_turn(
    truth: Truth, look: Recalled, board: chess.Board, lost: Pair[Toll], taken: Capture | None
) -> Truth:
    """The other side's turn on this board; the mover knows where its men have come to, and what it has taken."""
    white = truth.board.turn
    mover, other = (WHITE, BLACK) if white else (BLACK, WHITE)
    known, its_look = board.occupied_co[white], truth.looks[other]
    if taken is None:
        tolls, theirs = truth.sights[mover].lost, truth.sights[other]
    else:
        known |= 1 << taken.square
        tolls, theirs = untyped(lost, mover), _waiting(board, other, untyped(lost, other), its_look)
    look = sensing.outdated(look, known)
    mine = _waiting(board, mover, tolls, look)
    if white:
        return Truth(board, lost, None, Pair(look, its_look), Pair(mine, theirs))
    return Truth(board, lost, None, Pair(its_look, look), Pair(theirs, mine))


def ended(truth: Truth) -> Truth:
    """The same position after the end: both see everything."""
    return truth._replace(seen=None, sights=whole(truth.board, truth.lost), over=True)


def _laid(board: chess.Board, lost: Pair[Toll], seen: int | None, looks: Pair[Recalled]) -> Truth:
    """A truth with what both sides see of it."""
    mover = SIDES[board.turn]
    sights = Pair(
        _waiting(board, WHITE, untyped(lost, WHITE), looks.white),
        _waiting(board, BLACK, untyped(lost, BLACK), looks.black),
    )
    if seen is not None:
        sights = sights.but(mover, _looking(board, mover, lost, seen, looks))
    return Truth(board, lost, seen, looks, sights)


def _waiting(board: chess.Board, side: Side, lost: Pair[Toll], look: Recalled) -> Sight:
    """One's own men, and what one has seen last; a sense is due before the next move."""
    own = board.occupied_co[side is WHITE]
    return seeing(board, side, lost, own, None, (look,) if look.squares else (), sense_due=True)


def _looking(board: chess.Board, side: Side, lost: Pair[Toll], seen: int, looks: Pair[Recalled]) -> Sight:
    """One's own men and the sensed squares; where nothing was sensed, one recalls what one saw before."""
    recalled = (looks[side],) if looks[side].squares and not seen else ()
    return seeing(board, side, untyped(lost, side), board.occupied_co[side is WHITE] | seen, None, recalled)


# ---------------------------------------------------------------- as bytes


def pack(truth: Truth) -> bytes:
    """A version, this turn's sense, what both remember, then the position."""
    white, black, has_sensed = truth.looks.white, truth.looks.black, truth.seen is not None
    head = _HEAD.pack(
        VERSION, has_sensed, truth.seen or 0, white.move, black.move, len(white.squares), len(black.squares)
    )
    pairs = [_PAIR.pack(square, letter.encode()) for square, letter in (*white.squares, *black.squares)]
    return head + b"".join(pairs) + snapshot.pack_position(truth.board, truth.lost, 0, over=truth.over)


def restore(data: bytes) -> Truth:
    """The truth of a snapshot; ValueError for one that this version did not write."""
    if data[0] != VERSION:
        raise ValueError("This snapshot has another version.")
    _, has_sensed, seen, white_move, black_move, whites, blacks = _HEAD.unpack_from(data)
    end = _HEAD.size + _PAIR.size * (whites + blacks)
    pairs = tuple((square, letter.decode()) for square, letter in _PAIR.iter_unpack(data[_HEAD.size : end]))
    looks = Pair(Recalled(white_move, pairs[:whites]), Recalled(black_move, pairs[whites:]))
    position = snapshot.position(data[end:])
    truth = _laid(position.board, position.lost, seen if has_sensed else None, looks)
    return ended(truth) if position.over else truth
