"""Defines a code for each announcement: its data and audience; `rules/core` and the variants have the words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from string import Formatter
from typing import Self, TypeAlias

from corr.words.board import SQUARE_NUMBER, PieceKind, Side


@dataclass(frozen=True, slots=True)
class SquareContents:
    """What an announcement shows of some squares: `e5` with a FEN letter, or `.` for an empty square."""

    on: tuple[tuple[str, str], ...]


Datum: TypeAlias = str | int | bool | tuple[str, ...] | SquareContents | None
Data: TypeAlias = tuple[tuple[str, Datum], ...]


@dataclass(frozen=True, slots=True)
class DatumType:
    """A type of data in announcements: its name for error messages, and which values fit."""

    called: str
    fits: Callable[[Datum], bool]
    may_be_none: bool = False

    @property
    def or_none(self) -> DatumType:
        """The same type with None allowed, for data that the umpire doesn't tell."""
        return DatumType(f"{self.called}, or None for untold", self.fits, may_be_none=True)

    def takes(self, datum: Datum) -> bool:
        return self.may_be_none if datum is None else self.fits(datum)


_SQUARES, _PIECE_KINDS = frozenset(SQUARE_NUMBER), frozenset(PieceKind)
_is_reserve = re.compile("[QRBNPqrbnp]*").fullmatch
_PAIRS = [f"{origin}{target}" for origin in SQUARE_NUMBER for target in SQUARE_NUMBER]
_MOVES = frozenset(
    [
        *_PAIRS,
        *(f"{pair}{man}" for pair in _PAIRS if pair[3] in "18" for man in "qrbn"),
        *(f"{man}@{square}" for man in "PNBRQ" for square in SQUARE_NUMBER),
        "pass",
    ]
)

SIDE = DatumType("a Side", frozenset(Side).__contains__)
SQUARE = DatumType('a square like "e4"', _SQUARES.__contains__)
MOVE = DatumType('a move like "e2e4", "N@f5" or "pass"', _MOVES.__contains__)
PIECE_KIND = DatumType('a man like "knight"', _PIECE_KINDS.__contains__)
PAWN_OR_PIECE = DatumType('"piece", or a man like "pawn"', frozenset(["piece", *_PIECE_KINDS]).__contains__)
RESERVE = DatumType(
    'reserve men like "QNPP"', lambda datum: isinstance(datum, str) and _is_reserve(datum) is not None
)
TEXT = DatumType("a text", lambda datum: isinstance(datum, str) and datum != "")
TEXTS = DatumType("a tuple of texts", lambda datum: isinstance(datum, tuple))
COUNT = DatumType("a count", lambda datum: type(datum) is int and datum >= 0)
YES_OR_NO = DatumType("True or False", lambda datum: isinstance(datum, bool))
CONTENTS = DatumType("the Contents of squares", lambda datum: isinstance(datum, SquareContents))


class Audience(Enum):
    """Who hears a fact, and who may read it once the game is over."""

    MOVE = "both, each in its own words: a move was made"
    BOTH = "both"
    ANSWER = "both if it names the side that asked or tried, else that side alone; nobody later"
    ALONE = "one side alone, and both once the game is over"
    WRITER = "one side alone, and nobody later"
    SETTING = "the side that deploys, before the game begins"
    END = "both: the game has ended"


@dataclass(frozen=True, slots=True)
class Contract:
    """What every announcement with one code must say (`owes`), may say (`may`), and who hears it."""

    audience: Audience
    owes: Mapping[str, DatumType] = field(default_factory=dict)
    may: Mapping[str, DatumType] = field(default_factory=dict)  # optional data
    score: str = ""  # how a score writes it for a side not told the move, data in braces: "?x{square}"
    known: Mapping[str, DatumType] = field(init=False)

    def __post_init__(self) -> None:
        if self.audience is Audience.MOVE and not {"side", "move"} <= {*self.owes}:
            raise ValueError('A code for a move needs its "side" and its "move".')
        if unknown := {key for _, key, _, _ in Formatter().parse(self.score) if key} - {
            *self.owes,
            *self.may,
        }:
            raise ValueError(
                f'The score "{self.score}" names data that the code doesn\'t have: {_join_keys(unknown)}.'
            )
        object.__setattr__(self, "known", {**self.may, **self.owes})

    def fits_data(self, data: Data) -> bool:
        """Whether an announcement's data follow this contract; `faults` says how they don't."""
        owed = len(self.owes)
        for key, datum in data:
            known = self.known.get(key)
            if known is None or not known.takes(datum):
                return False
            owed -= key in self.owes
        return owed == 0

    def faults(self, data: Data) -> Iterator[str]:
        """Yield a sentence for each way in which the data break this contract."""
        given = dict(data)
        for key, owed in self.owes.items():
            if key not in given:
                yield f'It needs "{key}", {owed.called}; it has {_join_keys(given)}.'
        for key, datum in data:
            known = self.known.get(key)
            if known is None:
                yield f'"{key}" isn\'t data of this code, which can have {_join_keys(self.known)}.'
            elif not known.takes(datum):
                yield f'Its "{key}" must be {known.called}, but is {datum!r}.'


def _join_keys(keys: Mapping[str, object] | set[str]) -> str:
    """Quote and join keys for an error message; "nothing" for none."""
    return ", ".join(f'"{key}"' for key in sorted(keys)) or "nothing"


class Code(StrEnum):
    """The kind of an announcement, as programs read it; variants declare their own kinds beside their umpire."""

    contract: Contract

    def __new__(cls, name: str, contract: Contract) -> Self:
        code = str.__new__(cls, name)
        code._value_ = name
        code.contract = contract
        return code


class Common(Code):
    """Codes that several umpires use, and those about draws, pauses and the end of a game."""

    # before the first move
    DEPLOYMENT = "deployment", Contract(Audience.SETTING)
    DEPLOYED = "deployed", Contract(Audience.SETTING, {"side": SIDE})
    CLASH = "clash", Contract(Audience.SETTING)
    KING = "king", Contract(Audience.ALONE, {"square": SQUARE})

    # a move
    MOVED = "moved", Contract(Audience.MOVE, {"side": SIDE, "move": MOVE.or_none})
    DROPPED = (
        "dropped",
        Contract(Audience.MOVE, {"side": SIDE, "man": PIECE_KIND, "move": MOVE.or_none}, score="{man}@?"),
    )
    TAKEN = "taken", Contract(Audience.ALONE, {"move": MOVE.or_none, "asked": MOVE}, score="({asked})")
    CAPTURE = (
        "capture",
        Contract(
            Audience.BOTH,
            {"square": SQUARE.or_none},
            {"side": SIDE, "man": PAWN_OR_PIECE, "en_passant": YES_OR_NO},
            "?x{square}",
        ),
    )
    RESERVES = "reserves", Contract(Audience.BOTH, {"white": RESERVE, "black": RESERVE})
    CHECK = "check", Contract(Audience.BOTH, {"kinds": TEXTS})
    TURN = "turn", Contract(Audience.BOTH, {"side": SIDE})
    TRIES = "tries", Contract(Audience.BOTH, {"count": COUNT})
    PAWN_CAPTURE = "pawn-capture", Contract(Audience.BOTH)

    # not a move
    ILLEGAL = "illegal", Contract(Audience.ANSWER, may={"side": SIDE})
    NONSENSE = "nonsense", Contract(Audience.ANSWER, may={"side": SIDE})
    IMPOSSIBLE = "impossible", Contract(Audience.ANSWER, may={"side": SIDE})
    ANY = "any", Contract(Audience.ANSWER, {"side": SIDE, "answer": YES_OR_NO})
    SENSED = "sensed", Contract(Audience.ALONE, {"squares": CONTENTS})
    HELD = "held", Contract(Audience.WRITER)
    UNREADABLE = "unreadable", Contract(Audience.WRITER)
    CONFIRM = "confirm", Contract(Audience.WRITER)
    OVER = "over", Contract(Audience.WRITER)

    # the match
    OFFER = "offer", Contract(Audience.BOTH, {"side": SIDE})
    DECLINED = "declined", Contract(Audience.BOTH, {"side": SIDE})
    PAUSE_ASKED = "pause-asked", Contract(Audience.BOTH, {"side": SIDE})
    PAUSED = "paused", Contract(Audience.BOTH)
    RESUMED = "resumed", Contract(Audience.BOTH)
    EXTENDED = "extended", Contract(Audience.BOTH, {"days": COUNT})

    # the end
    CHECKMATE = "checkmate", Contract(Audience.END)
    STALEMATE = "stalemate", Contract(Audience.END)
    DRAW = "draw", Contract(Audience.END, {"reason": TEXT})
    RESIGNED = "resigned", Contract(Audience.END, {"side": SIDE})
    TIME = "time", Contract(Audience.END, {"side": SIDE})
    ADJUDICATED = "adjudicated", Contract(Audience.END, {"winner": SIDE.or_none})
    VOID = "void", Contract(Audience.END)
    ABANDONED = "abandoned", Contract(Audience.END, {"side": SIDE})
    LEFT = "left", Contract(Audience.END, {"side": SIDE})


class Undeclared(Code):
    """A code of an old game that no umpire declares any more; its sentences stay private to one side."""


_CODES_BY_NAME: dict[str, Code] = {}


def find_code(name: str) -> Code:
    """Return the code with this name, or a stand-in if no loaded variant declares it."""
    if name not in _CODES_BY_NAME:
        found = [code for codes in Code.__subclasses__() for code in codes if code.value == name]
        if not found:
            return _make_undeclared(name)
        _CODES_BY_NAME[name] = found[0]
    return _CODES_BY_NAME[name]


def _make_undeclared(name: str) -> Code:
    """Make a stand-in for a code that only old games still have."""
    code = str.__new__(Undeclared, name)
    code._name_ = code._value_ = name
    code.contract = Contract(Audience.WRITER)
    return code
