"""What Classic's umpire says, as facts made once; Welbeck's and Assassin's say the same. Both hear every word."""

from __future__ import annotations

from functools import cache, lru_cache

from corr.rules import announce, checks
from corr.rules.announce import Facts
from corr.rules.asking import Voice
from corr.rules.play import Played
from corr.words import SQUARES, Fact, Side

_ILLEGAL = {
    side: Fact("illegal", f"{side.called} attempted an illegal move", (("side", side),)) for side in Side
}
_IMPOSSIBLE = {side: Fact("impossible", f"{side.called}: Impossible", (("side", side),)) for side in Side}

#: This side made a move, as the other is told.
MOVED = {side: Fact("moved", f"{side.called} has moved", (("side", side), ("move", None))) for side in Side}


def _asked(side: Side, answer: str) -> Fact:
    data = (("side", side), ("answer", answer == "Try!"))
    return Fact("any", f"{side.called} asked Any?: {answer}", data)


VOICE = Voice(
    _ILLEGAL,
    _IMPOSSIBLE,
    {(side, answer == "Try!"): _asked(side, answer) for side in Side for answer in ("No", "Try!")},
)

_LINES = {
    "rank": "on the row",
    "file": "on the column",
    "long-diagonal": "on the large diagonal",
    "short-diagonal": "on the small diagonal",
    "knight": "by a knight",
}


@lru_cache(maxsize=8192)
def moved(side: Side, origin: int, target: int, promotion: int | None) -> Fact:
    """This side made a move, as the mover is told."""
    made = announce.moved(side, origin, target, promotion)
    return Fact(made.code, MOVED[side].text, made.data)


def found(played: Played) -> Facts:
    """The check that a new position gives, if it gives one."""
    return (_CHECK[played.checks],) if played.checks else ()


def made(played: Played, side: Side, landed: int) -> Facts:
    """What both hear of a move: that it took something, then the check."""
    taken = played.taken
    captured = (_capture(side, landed, en_passant=landed != taken.square),) if taken else ()
    return (*captured, *found(played))


@cache
def _capture(side: Side, square: int, *, en_passant: bool) -> Fact:
    """A capture by its square, en passant by where the capturing pawn lands; never by the men."""
    how = "taken en-passant" if en_passant else "captured"
    data = (("side", side), ("square", SQUARES[square]), ("en_passant", en_passant))
    return Fact("capture", f"{side.called} has {how} on {SQUARES[square]}", data)


def _check(kinds_found: int) -> Fact:
    kinds = checks.names(kinds_found)
    return Fact("check", ". ".join(f"Check {_LINES[kind]}" for kind in kinds), (("kinds", kinds),))


_CHECK = tuple(map(_check, range(32)))
