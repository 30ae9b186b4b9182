"""Packs slips (what the umpire tells one side) into bytes for the database, and unpacks them."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from corr.words.board import Pair, Side
from corr.words.codes import Data, Datum, SquareContents, find_code
from corr.words.orders import Castle
from corr.words.slips import Fact, Losses, RememberedSquares, Sight, Slip

#: What umpires say, the commonest last. Unpacking needs the very dictionary that was used to pack.
_COMMON = Path(__file__).with_name("slips.txt").read_bytes()
_RAW_DEFLATE = -12
_SAYING = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
#: Copied for each slip, since loading the dictionary anew takes many times as long.
_PACKING = zlib.compressobj(level=3, wbits=_RAW_DEFLATE, memLevel=4, zdict=_COMMON)
_UNPACKING = zlib.decompressobj(wbits=_RAW_DEFLATE, zdict=_COMMON)

#: The head of a sight: flags of its optional parts, the pieces in three planes, and the losses. Each kind of piece
#: is a number from 1 to 6, and each plane holds one bit of it for every square.
_HEAD = struct.Struct("<B3Q4H")
_CASTLING_RIGHTS = (), (Castle.SHORT,), (Castle.LONG,), (Castle.SHORT, Castle.LONG)
_CASTLING = 0b11
_SENSE_DUE, _MORE_SEEN, _PROMOTED, _RESERVES, _RECALLED, _TURN = (1 << bit for bit in range(2, 8))
_MORE = struct.Struct("<2Q")
_MASK = struct.Struct("<Q")
_NUMBER, _PART = struct.Struct("<H"), struct.Struct("<HB")
_UNTOLD = 0xFFFF


def pack(slip: Slip) -> tuple[bytes, bytes]:
    """Return a slip's facts (what the umpire says) and sight (the visible board) as bytes."""
    return _pack_facts(slip.facts), _pack_sight(slip.sight)


def unpack(side: Side, facts: bytes, sight: bytes) -> Slip:
    return Slip(side, _unpack_facts(facts), _unpack_sight(side, sight))


@lru_cache(maxsize=2048)
def _pack_facts(facts: tuple[Fact, ...]) -> bytes:
    """Pack facts as compressed JSON, cached since most slips repeat what others said."""
    packing = _PACKING.copy()
    return packing.compress(b"[" + b",".join(map(_fact_to_json, facts)) + b"]") + packing.flush()


@lru_cache(maxsize=2048)
def _fact_to_json(fact: Fact) -> bytes:
    """Encode a fact as JSON, cached since few facts are new even on a new slip."""
    return _SAYING([fact.code, fact.text, fact.plain]).encode()


@lru_cache(maxsize=1024)
def _unpack_facts(facts: bytes) -> tuple[Fact, ...]:
    """Unpack facts, cached since an email tells of several turns and most slips repeat others."""
    said = _UNPACKING.copy().decompress(facts)
    return tuple(
        Fact.from_stored(find_code(code), text, _data(data)) for code, text, data in json.loads(said)
    )


def _data(data: dict[str, Any]) -> Data:
    """Turn a fact's JSON data back into the form that a Fact holds."""
    return tuple((key, _datum(value)) for key, value in data.items())


def _datum(value: Any) -> Datum:
    """Turn one JSON value back into the value that a Fact holds."""
    if isinstance(value, dict):
        return SquareContents(tuple(value.items()))
    return tuple(value) if isinstance(value, list) else value


def _pack_sight(sight: Sight) -> bytes:
    """Pack a sight, the board that a side sees, into a few numbers; see `_HEAD`."""
    ones = sight.pawns | sight.bishops | sight.queens
    twos = sight.knights | sight.bishops | sight.kings
    fours = sight.rooks | sight.queens | sight.kings
    has, more = _CASTLING_RIGHTS.index(sight.castling), b""
    if sight.sense_due:
        has |= _SENSE_DUE
    if not sight.own == sight.seen == ones | twos | fours:
        has, more = has | _MORE_SEEN, _MORE.pack(sight.own, sight.seen)
    if sight.promoted:
        has, more = has | _PROMOTED, more + _MASK.pack(sight.promoted)
    if sight.reserves:
        has, more = (
            has | _RESERVES,
            more + _pack_reserve(sight.reserves.white) + _pack_reserve(sight.reserves.black),
        )
    if sight.turn is not None:
        has, more = has | _TURN, more + _NUMBER.pack(sight.turn)
    if sight.recalled:
        has, more = has | _RECALLED, more + b"".join(map(_pack_remembered, sight.recalled))
    white, black = sight.lost.white, sight.lost.black
    return (
        _HEAD.pack(has, ones, twos, fours, white.men, _pack_pawns(white), black.men, _pack_pawns(black))
        + more
    )


def _pack_pawns(toll: Losses) -> int:
    """Return how many pawns a side lost, or `_UNTOLD` if the umpire doesn't tell."""
    return _UNTOLD if toll.pawns is None else toll.pawns


def _pack_reserve(men: str) -> bytes:
    """Pack the letters of the pieces in a side's reserve, after their count."""
    return bytes([len(men)]) + men.encode()


def _pack_remembered(recalled: RememberedSquares) -> bytes:
    """Pack the squares that a side remembers from one of its turns."""
    letters = b"".join(bytes((square, ord(letter))) for square, letter in recalled.squares)
    return _PART.pack(recalled.move, len(recalled.squares)) + letters


@lru_cache(maxsize=2048)
def _unpack_sight(side: Side, kept: bytes) -> Sight:
    """Unpack a sight, cached since it is the same in most successive slips."""
    has, ones, twos, fours, white, white_pawns, black, black_pawns = _HEAD.unpack_from(kept)
    own = seen = ones | twos | fours
    promoted, reserves, turn, rest = 0, None, None, kept[_HEAD.size :]
    if has & _MORE_SEEN:
        (own, seen), rest = _MORE.unpack_from(rest), rest[_MORE.size :]
    if has & _PROMOTED:
        (promoted,), rest = _MASK.unpack_from(rest), rest[_MASK.size :]
    if has & _RESERVES:
        reserve, rest = _unpack_reserve(rest)
        others, rest = _unpack_reserve(rest)
        reserves = Pair(reserve, others)
    if has & _TURN:
        (turn,), rest = _NUMBER.unpack_from(rest), rest[_NUMBER.size :]
    return Sight(
        side,
        own,
        seen,
        ones & ~(twos | fours),
        twos & ~(ones | fours),
        ones & twos,
        fours & ~(ones | twos),
        ones & fours,
        twos & fours,
        _CASTLING_RIGHTS[has & _CASTLING],
        Pair(_unpack_losses(white, white_pawns), _unpack_losses(black, black_pawns)),
        promoted,
        reserves,
        tuple(_unpack_recalled(rest)) if has & _RECALLED else (),
        bool(has & _SENSE_DUE),
        turn,
    )


def _unpack_losses(men: int, pawns: int) -> Losses:
    """Return a side's losses; the pawns are None if the umpire doesn't tell."""
    return Losses(men, None if pawns == _UNTOLD else pawns)


def _unpack_reserve(rest: bytes) -> tuple[str, bytes]:
    """Unpack the pieces in a side's reserve; return them and the bytes after them."""
    end = 1 + rest[0]
    return rest[1:end].decode(), rest[end:]


def _unpack_recalled(rest: bytes) -> Iterator[RememberedSquares]:
    """Unpack the squares that a side remembers, turn by turn, until the bytes end."""
    while rest:
        move, count = _PART.unpack_from(rest)
        end = _PART.size + 2 * count
        squares, letters = rest[_PART.size : end : 2], rest[_PART.size + 1 : end : 2]
        yield RememberedSquares(move, tuple(zip(squares, map(chr, letters), strict=True)))
        rest = rest[end:]
