"""Understands one folded line: orders, a puzzling line, or prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Literal, TypeAlias

from corr.orders import unclear_lines
from corr.orders.board import ACTS, KEY, SEMICOLON, act
from corr.orders.commands import WORDS, word
from corr.orders.condition import sense, standing
from corr.orders.game_codes import CODED, MISPLACED_CODE
from corr.orders.normalization import as_it_looks, fold, foreign
from corr.orders.scanner import Open, Tape
from corr.words.board import Man
from corr.words.errors import Refused
from corr.words.orders import Order

LineKind: TypeAlias = Literal["order", "puzzling", "prose"]

_NUMBER = re.compile(r"(\d{1,3}) ?(\.+) ?(?=\S)")
_BARE_NUMBER = re.compile(r"\d{1,3}\)? (?=\S)")
#: Squares that White's pawns and Black's pawns can move to; "1. e2 e4" is no such line.
_TWO_MOVES = re.compile(r"\d{1,3}(?: ?\.|\))? ?([a-h][3-8]) ([a-h][1-6])", re.IGNORECASE)
_NAMES = (*WORDS, *ACTS)
_BRANCHES = ("sense", "if", "yes", "no", "else", "castle", "castles", "castling")
_SPOKEN = ("move", "my", *Man)
_FIRST = frozenset((*_NAMES, *(name.removesuffix("?") for name in _NAMES), *_BRANCHES, *_SPOKEN))
_FIRST_OF_FEW = _FIRST | {"the"}
_MANY_WORDS = 4
UNFINISHED = (",", ";", ":", "/", "=")


@dataclass(frozen=True, slots=True)
class Line:
    """A folded line as understood: orders, a puzzle with how far it was read, or neither."""

    text: str
    orders: tuple[Order, ...] = ()
    why: str = ""
    is_open: bool = False
    read: int = 0  # characters, without blanks
    code: str = ""  # of the game, if the line begins with a code

    @property
    def kind(self) -> LineKind:
        """Whether the line is an order, puzzling, or prose."""
        return "order" if self.orders else "puzzling" if self.why else "prose"


#: For an email to one game, in which no code is expected.
NO_GAMES: Mapping[str, int] = MappingProxyType({})


def understand(text: str, move_number: int | None = None, games: Mapping[str, int] = NO_GAMES) -> Line:
    """Understand a folded line; a move number, if any, must match this turn of its game."""
    return _of_a_game(text, games) or _of_one_game(text, move_number)


def _of_a_game(text: str, games: Mapping[str, int]) -> Line | None:
    """Understand a line that begins with a game's code; None if it is no such line."""
    coded = CODED.match(text)
    if coded is None:
        return None
    before, code, colon, rest = coded.groups()
    line = _of_one_game(rest, games.get(code.lower()))
    is_twice_coded = CODED.match(rest) is not None
    if line.kind == "prose" and not is_twice_coded:
        return None
    if before or is_twice_coded or not colon:
        return Line(text, why=MISPLACED_CODE)
    read = line.read and line.read + signs(text[: coded.start(4)])
    return replace(line, text=text, code=code.lower(), read=read)


def _of_one_game(text: str, move_number: int | None) -> Line:
    numbered = _NUMBER.match(text)
    if numbered is None:
        return _understand(text)
    line = _understand(text[numbered.end() :])
    if line.kind == "prose":
        return Line(text)
    if numbered[2] == "." and two_moves(text):
        return Line(text, why=unclear_lines.TWO_SIDES)
    if move_number not in (None, int(numbered[1])):
        return Line(text, why=f"You numbered this line {int(numbered[1])}, but this is move {move_number}.")
    return replace(line, text=text, read=line.read and line.read + signs(numbered[0]))


def without_number(text: str) -> str:
    """Remove a move number from the start of a folded line."""
    numbered = _NUMBER.match(text) or _BARE_NUMBER.match(text)
    return text[numbered.end() :] if numbered else text


def two_moves(text: str) -> tuple[str, str] | None:
    """Return the two squares of a line that may be both sides' moves, "1. e4 e5"; else None."""
    found = _TWO_MOVES.fullmatch(text)
    return (found[1].lower(), found[2].lower()) if found else None


def signs(text: str) -> int:
    """Count the characters of a text, without blanks."""
    return sum(map(len, text.split()))


def kind_of(line: str) -> LineKind:
    """Return what kind of line it is when it stands alone."""
    return understand(fold(line)).kind


def _understand(text: str) -> Line:
    if not text or text[0] in '|>"' or _is_sentence(text):
        return Line(text)
    tape = Tape(text)
    try:
        return Line(text, orders=_orders(tape))
    except Open as error:
        if text.endswith(UNFINISHED):
            return Line(text, why=unclear_lines.LEFT_OPEN, is_open=True, read=signs(text))
        why = str(error)
    except Refused as error:
        why = str(error)
    line = _no_order(text, tape.low, why)
    return replace(line, read=signs(text[: tape.at])) if line.why and tape.at else line


def _is_sentence(text: str) -> bool:
    """Whether a line is obviously prose: no order word begins it, and it is long or has no telling word."""
    first = text.partition(" ")[0]
    if len(first) < 2 or not first.isalpha():
        return False
    looks = as_it_looks(text)
    words = looks.split()
    if len(words) > _MANY_WORDS:
        return words[0] not in _FIRST
    return words[0] not in _FIRST_OF_FEW and not unclear_lines.tells(looks)


def _no_order(text: str, small: str, why: str) -> Line:
    if unclear_lines.is_like_an_order(small):
        return Line(text, why=unclear_lines.hint(small, why))
    if foreign(small) and _may_pass_for_order(as_it_looks(small)):
        return Line(text, why=unclear_lines.FOREIGN)
    numbered = _BARE_NUMBER.match(text)
    if numbered and _is_order(text[numbered.end() :]):
        return Line(text, why=unclear_lines.NOT_ALONE)
    return Line(text)


def _may_pass_for_order(text: str) -> bool:
    return unclear_lines.is_like_an_order(text) or _is_order(text)


def _is_order(text: str) -> bool:
    try:
        return bool(_orders(Tape(text)))
    except Refused:
        return False


_READ: dict[str, Callable[[Tape], Order]] = {
    **{name: partial(word, name) for name in WORDS},
    "sense": sense,
    "if": standing,
}


def _orders(tape: Tape) -> tuple[Order, ...]:
    orders = [_order(tape)]
    while not tape.done:
        if not tape.take(SEMICOLON):
            raise Refused("")
        orders.append(_order(tape))
    return tuple(orders)


def _order(tape: Tape) -> Order:
    if tape.done:
        raise Open(unclear_lines.LEFT_OPEN)
    found = act(tape)
    if found is not None:
        return found
    key = tape.sees(KEY)
    name = key[1] + (key[2] or "") if key else ""
    if key is None or name not in _READ:
        raise Refused("")
    tape.at = key.end()
    return _READ[name](tape)
