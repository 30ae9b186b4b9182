"""Parses one line of an email: as orders, as an unclear line that needs an explanation, or as prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Literal, TypeAlias

from corr.orders import unclear_lines
from corr.orders.board_orders import ACT_PARSERS, KEY, SEMICOLON, parse_act
from corr.orders.commands import COMMANDS, parse_command
from corr.orders.condition import parse_sense, parse_standing_orders
from corr.orders.scanner import (
    IncompleteLine,
    LineScanner,
    fold,
    has_foreign_letters,
    replace_lookalikes,
)
from corr.words.board import PieceKind
from corr.words.errors import Refused
from corr.words.orders import Order

#: A game's code, which may begin a line; a number alone is no code.
CODE = r"(?!\d+\b)[2-9jkmnp-tv-z]{5}(?!\w)"
CODED_LINE = re.compile(rf"(\d{{1,3}}\W{{1,3}}|[-+*•·] ?)?({CODE})( ?:)? ?(.*)", re.IGNORECASE)
_MOST_CODES_NAMED = 10

MISPLACED_CODE = (
    "To write to one of several games, begin the line with the game's code and a colon, "
    'then one order, for example "k3x9z:show".'
)
NO_CODE_HINT = (
    "This email is about one game, so please leave out the code and the colon. To write to several games at "
    'once, email "games" to the umpire and reply to the email you get.'
)
_NO_LIST = (
    "You can begin a line with a game's code only in a reply to our list of your games. "
    'Please email "games" to the umpire, and reply to the email you get.'
)


def unknown_game_hint(code: str, codes: Iterable[str]) -> str:
    """Explain that no game has the code at the beginning of a line."""
    known = list(codes)
    if not known:
        return _NO_LIST
    return f'The list you replied to has no game "{code}". It has {_list_codes(known)}.'


def which_game_hint(codes: Iterable[str]) -> str:
    """Explain that a line must begin with the code of one of these games."""
    known = list(codes)
    return (
        "We can't tell which of your games this line is for. Please begin it with the "
        f'game\'s code and a colon, for example "{known[0]}:show". Your games are '
        f"{_list_codes(known)}."
    )


def _list_codes(codes: list[str]) -> str:
    more = len(codes) - _MOST_CODES_NAMED
    named = ", ".join(f'"{code}"' for code in codes[:_MOST_CODES_NAMED])
    return f"{named} and {more} more" if more > 0 else named


LineKind: TypeAlias = Literal["order", "puzzling", "prose"]

_NUMBER = re.compile(r"(\d{1,3}) ?(\.+) ?(?=\S)")
_BARE_NUMBER = re.compile(r"\d{1,3}\)? (?=\S)")
#: Squares that White's pawns and Black's pawns can move to; "1. e2 e4" is no such line.
_TWO_MOVES = re.compile(r"\d{1,3}(?: ?\.|\))? ?([a-h][3-8]) ([a-h][1-6])", re.IGNORECASE)
_ORDER_NAMES = (*COMMANDS, *ACT_PARSERS)
_BRANCHES = ("sense", "if", "yes", "no", "else", "castle", "castles", "castling")
_SPOKEN = ("move", "my", *PieceKind)
_FIRST_WORDS = frozenset(
    (*_ORDER_NAMES, *(name.removesuffix("?") for name in _ORDER_NAMES), *_BRANCHES, *_SPOKEN)
)
_SHORT_LINE_WORDS = _FIRST_WORDS | {"the"}
_MANY_WORDS = 4
UNFINISHED = (",", ";", ":", "/", "=")


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """What one line means: orders, or why it is unclear and how far it was read, or prose."""

    text: str
    orders: tuple[Order, ...] = ()
    why: str = ""
    is_open: bool = False
    read: int = 0  # characters, without blanks
    code: str = ""  # of the game, if the line begins with a code

    @property
    def kind(self) -> LineKind:
        return "order" if self.orders else "puzzling" if self.why else "prose"


NO_GAMES: Mapping[str, int] = MappingProxyType({})  # for an email to one game, in which no code is expected


def parse_line(text: str, move_number: int | None = None, games: Mapping[str, int] = NO_GAMES) -> ParsedLine:
    """Parse a line that `fold` has cleaned; `games` maps each game's code to its move number."""
    return _parse_coded_line(text, games) or _parse_numbered_line(text, move_number)


def _parse_coded_line(text: str, games: Mapping[str, int]) -> ParsedLine | None:
    """Parse a line that begins with a game's code; None if it has none."""
    coded = CODED_LINE.match(text)
    if coded is None:
        return None
    before, code, colon, rest = coded.groups()
    line = _parse_numbered_line(rest, games.get(code.lower()))
    is_twice_coded = CODED_LINE.match(rest) is not None
    if line.kind == "prose" and not is_twice_coded:
        return None
    if before or is_twice_coded or not colon:
        return ParsedLine(text, why=MISPLACED_CODE)
    read = line.read and line.read + count_characters(text[: coded.start(4)])
    return replace(line, text=text, code=code.lower(), read=read)


def _parse_numbered_line(text: str, move_number: int | None) -> ParsedLine:
    """Parse a line that may begin with a move number, which must be this one."""
    numbered = _NUMBER.match(text)
    if numbered is None:
        return _understand(text)
    line = _understand(text[numbered.end() :])
    if line.kind == "prose":
        return ParsedLine(text)
    if numbered[2] == "." and split_two_moves(text):
        return ParsedLine(text, why=unclear_lines.TWO_SIDES_HINT)
    if move_number not in (None, int(numbered[1])):
        return ParsedLine(
            text, why=f"You numbered this line {int(numbered[1])}, but this is move {move_number}."
        )
    return replace(line, text=text, read=line.read and line.read + count_characters(numbered[0]))


def remove_move_number(text: str) -> str:
    numbered = _NUMBER.match(text) or _BARE_NUMBER.match(text)
    return text[numbered.end() :] if numbered else text


def split_two_moves(text: str) -> tuple[str, str] | None:
    """Return the two squares of a line that may be both sides' moves, "1. e4 e5"; else None."""
    found = _TWO_MOVES.fullmatch(text)
    return (found[1].lower(), found[2].lower()) if found else None


def count_characters(text: str) -> int:
    """Count the characters of a text without its blanks."""
    return sum(map(len, text.split()))


def kind_of(line: str) -> LineKind:
    """Say whether a line, as written, is an order, unclear ("puzzling") or prose."""
    return parse_line(fold(line)).kind


def _understand(text: str) -> ParsedLine:
    """Parse a line without game code and move number."""
    if not text or text[0] in '|>"' or _is_sentence(text):
        return ParsedLine(text)
    tape = LineScanner(text)
    try:
        return ParsedLine(text, orders=_orders(tape))
    except IncompleteLine as error:
        if text.endswith(UNFINISHED):
            return ParsedLine(
                text, why=unclear_lines.UNFINISHED_HINT, is_open=True, read=count_characters(text)
            )
        why = str(error)
    except Refused as error:
        why = str(error)
    line = _no_order(text, tape.low, why)
    return replace(line, read=count_characters(text[: tape.at])) if line.why and tape.at else line


def _is_sentence(text: str) -> bool:
    """Whether a line is obviously prose: no order word begins it, and it is long or has no telling word."""
    first = text.partition(" ")[0]
    if len(first) < 2 or not first.isalpha():
        return False
    looks = replace_lookalikes(text)
    words = looks.split()
    if len(words) > _MANY_WORDS:
        return words[0] not in _FIRST_WORDS
    return words[0] not in _SHORT_LINE_WORDS and not unclear_lines.has_telltale_word(looks)


def _no_order(text: str, small: str, why: str) -> ParsedLine:
    """Decide whether a line that isn't an order is unclear, and why, or is prose."""
    if unclear_lines.is_like_order(small):
        return ParsedLine(text, why=unclear_lines.explain_line(small, why))
    if has_foreign_letters(small):
        latin = replace_lookalikes(small)
        if unclear_lines.is_like_order(latin) or _is_order(latin):
            return ParsedLine(text, why=unclear_lines.FOREIGN_HINT)
    numbered = _BARE_NUMBER.match(text)
    if numbered and _is_order(text[numbered.end() :]):
        return ParsedLine(text, why=unclear_lines.NOT_ALONE_HINT)
    return ParsedLine(text)


def _is_order(text: str) -> bool:
    try:
        return bool(_orders(LineScanner(text)))
    except Refused:
        return False


_PARSERS: dict[str, Callable[[LineScanner], Order]] = {
    **{name: partial(parse_command, name) for name in COMMANDS},
    "sense": parse_sense,
    "if": parse_standing_orders,
}


def _orders(tape: LineScanner) -> tuple[Order, ...]:
    """Parse orders with semicolons between them; raise Refused if any part isn't one."""
    orders = [_order(tape)]
    while not tape.done:
        if not tape.take(SEMICOLON):
            raise Refused("")
        orders.append(_order(tape))
    return tuple(orders)


def _order(tape: LineScanner) -> Order:
    """Parse one order of any kind; raise Refused if there is none."""
    if tape.done:
        raise IncompleteLine(unclear_lines.UNFINISHED_HINT)
    found = parse_act(tape)
    if found is not None:
        return found
    key = tape.sees(KEY)
    name = key[1] + (key[2] or "") if key else ""
    if key is None or name not in _PARSERS:
        raise Refused("")
    tape.at = key.end()
    return _PARSERS[name](tape)
