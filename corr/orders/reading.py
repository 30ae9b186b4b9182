"""Reads an email's lines whole before anything is tried: its orders, or the one line that stops it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise

from corr.orders import unclear_lines
from corr.orders.commands import Trait, has
from corr.orders.conflicts import Given, clash, joined, once
from corr.orders.game_codes import CODE, NO_CODE_HERE, for_which_game, no_such_game
from corr.orders.line import NO_GAMES, UNFINISHED, Line, signs, understand
from corr.orders.multiline import BOARD, join_acts
from corr.orders.normalization import fold
from corr.orders.unclear_lines import Puzzle
from corr.words.orders import Order, StandingOrders

_GOES_ON = re.compile(r"[,;](?: ?\w|$)|/(?: ?(?:yes|no) ?:|$)|(?:yes|no) ?:|else\b", re.IGNORECASE)
_OTHER_BRANCH = re.compile(r"(?:/ ?)?(?:yes|no) ?:|else\b", re.IGNORECASE)
_GLIMPSE = re.compile(r"if [a-h][1-8] ?=", re.IGNORECASE)
_MEN = re.compile(r"(?:-? ?[kqrbnp]? ?[a-h][1-8],?(?: |$))+", re.IGNORECASE)
_BARE_HEAD = re.compile(rf"(?:{CODE} ?: ?)?(?:deploy|ghost)", re.IGNORECASE)
_NAMED = re.compile(r"([a-z0-9]{1,10}) ?: ?(.+)", re.IGNORECASE)
_HEAD = re.compile(rf"(?:{CODE} ?: ?)?(?:\d{{1,3}} ?\.+ ?)?(\w+)", re.IGNORECASE)
_LONG_LINE = 50
#: The number of acts kept from an email that tries nothing, for proposals.
_ACTS = 10
#: After this many puzzling lines, or different acts in one game, nothing in the email is tried, so the rest is not
#: read.
_ENOUGH = 50


@dataclass(frozen=True, slots=True)
class Reading:
    """What an email says: orders, or its puzzling line; and the prose that was ignored."""

    orders: tuple[Order, ...]
    puzzled: Puzzle | None
    ignored: tuple[str, ...]
    coded: tuple[tuple[str, tuple[Order, ...]], ...] = ()  # orders by game, for an email to several games

    @property
    def says_something(self) -> bool:
        """Whether the email has anything for the umpire, clear or not."""
        return bool(self.orders or self.coded or self.puzzled)


@dataclass(frozen=True, slots=True)
class Passage:
    """A line, or several that an email program made of one, with its place in the email."""

    raw: str
    line: Line
    first: int
    end: int


def read(lines: Sequence[str], move_number: int | None = None) -> Reading:
    """Read a whole email. One puzzling line stops it: then there are no orders."""
    return _read([_of_one_game(each) for each in _whole(lines, move_number)])


def read_for_games(lines: Sequence[str], games: Mapping[str, int]) -> Reading:
    """Read a whole email that may be for several games, given each game's code and move number."""
    passages = _whole(lines, None, games)
    is_for_games = bool(games) or any(each.line.code for each in passages)
    return _read([_of_some_game(each, games) for each in passages] if is_for_games else passages)


def _whole(
    lines: Sequence[str], move_number: int | None, games: Mapping[str, int] = NO_GAMES
) -> list[Passage]:
    passages = list(_passages(lines, move_number, games))
    return [_not_in_a_sentence(*three) for three in _neighbours(passages)]


def _read(passages: list[Passage]) -> Reading:
    ignored = tuple(each.raw for each in passages if each.line.kind == "prose")
    given: dict[str, list[Given]] = {"": []}
    for each in passages:
        given.setdefault(each.line.code, []).extend(Given(order, each.raw) for order in each.line.orders)
    given = {code: once(orders) for code, orders in given.items()}
    puzzled = next(filter(None, (*map(_puzzle, passages), *map(clash, given.values()))), None)
    if puzzled:
        acts = tuple(str(each.order) for each in given[""] if isinstance(each.order, BOARD))
        ahead = any(isinstance(each.order, StandingOrders) for each in given[""])
        alone = not ahead and sum(bool(each.line.why) for each in passages) < 2
        return Reading((), replace(puzzled, acts=acts[:_ACTS], alone=alone), ignored)
    orders = {code: joined(orders) for code, orders in given.items()}
    return Reading(orders.pop(""), None, ignored, tuple(orders.items()))


def _puzzle(passage: Passage) -> Puzzle | None:
    """Return what is puzzling in a passage.

    How far it was read is told only if the raw text has the same characters.
    """
    line = passage.line
    if not line.why:
        return None
    is_as_written = signs(passage.raw.removesuffix(".")) == signs(line.text)
    return Puzzle(passage.raw, line.why, line.read if is_as_written else 0)


def _of_one_game(passage: Passage) -> Passage:
    """Make a passage puzzling if it has a code in an email to one game."""
    return _puzzling(passage, NO_CODE_HERE) if passage.line.code else passage


def _of_some_game(passage: Passage, games: Mapping[str, int]) -> Passage:
    """Make a passage of an email to several games puzzling if it lacks a valid code.

    An order for the site needs none.
    """
    line = passage.line
    code = line.code or _perhaps_a_code(line)
    if code and code not in games:
        return _puzzling(passage, no_such_game(code, games))
    if games and not line.code and not all(has(order, Trait.SITE) for order in line.orders):
        return _puzzling(passage, for_which_game(games))
    return passage


def _perhaps_a_code(line: Line) -> str:
    """Return a word before a colon and an order that looks like a code but is not one."""
    named = _NAMED.match(line.text) if line.kind == "prose" else None
    return named[1].lower() if named and understand(named[2]).kind != "prose" else ""


def _puzzling(passage: Passage, why: str) -> Passage:
    return replace(passage, line=Line(passage.line.text, why=why))


def first_order(lines: Sequence[str]) -> str | None:
    """Return the first order in these lines, as it was written."""
    return next((each.raw for each in _passages(lines, None) if each.line.orders), None)


def read_order(line: str) -> Order | Puzzle:
    """Read one line of the web page: a single act or word, or why it is none.

    The act may be written in several orders.
    """
    found = _of_one_game(Passage(line, understand(fold(line)), 0, 1)).line
    given = once(Given(order, line.strip()) for order in found.orders)
    puzzled = clash(given)
    orders = join_acts(joined(given))
    if puzzled or len(orders) != 1:
        why = unclear_lines.ONE_A_LINE if orders else found.why or unclear_lines.NO_ORDER
        acts = tuple(str(each.order) for each in given if isinstance(each.order, BOARD))
        return replace(puzzled or Puzzle(line.strip(), why), acts=acts)
    return orders[0]


def _passages(
    lines: Sequence[str], move_number: int | None, games: Mapping[str, int] = NO_GAMES
) -> Iterator[Passage]:
    folded, understood = cache(fold), cache(partial(understand, move_number=move_number, games=games))
    texts = [folded(line) for line in lines]
    first, stopping = 0, set[str]()
    while first < len(texts) and len(stopping) < _ENOUGH:
        end = first + 1
        if texts[first] and not texts[first].startswith("|"):
            line = understood(texts[first])
            if line.orders or line.is_open or _BARE_HEAD.fullmatch(texts[first]):
                end = _end(texts, first)
            elif line.why:
                end = _end_of_branches(texts, first)
            if end > first + 1:
                line = _joined(texts[first:end], move_number, games)
            acts = (str(order) for order in line.orders if isinstance(order, BOARD) and not games)
            stopping.update([f"line {first}"] if line.why else acts)
            yield Passage(" ".join(each.strip() for each in lines[first:end]), line, first, end)
        first = end


def _end(texts: list[str], first: int) -> int:
    head = _head(texts[first])
    end = first + 1
    while end < len(texts) and _goes_on(head, texts[end - 1], texts[end]):
        end += 1
    return end


def _end_of_branches(texts: list[str], first: int) -> int:
    """Return the end of an unclear line whose other branches are on their own lines."""
    end = first + 1
    while end < len(texts) and _OTHER_BRANCH.match(texts[end]):
        end += 1
    return end


def _goes_on(head: str, text: str, following: str) -> bool:
    if not following or following.startswith("|") or head == "note":
        return False
    return (
        text.endswith(UNFINISHED)
        or bool(_GOES_ON.match(following))
        or (head in ("deploy", "ghost") and bool(_MEN.fullmatch(following)))
        or (head == "sense" and bool(_GLIMPSE.match(following)))
    )


def _joined(texts: list[str], move_number: int | None, games: Mapping[str, int]) -> Line:
    line = understand(_join(texts), move_number, games)
    return line if line.orders or line.why else replace(line, why=unclear_lines.NOT_ALONE)


def _join(texts: list[str]) -> str:
    pieces = texts[:1]
    for before, text in pairwise(texts):
        if _GLIMPSE.match(text) and not before.endswith(";"):
            pieces.append(";")
        pieces.append(text)
    return " ".join(pieces)


def _head(text: str) -> str:
    found = _HEAD.match(text)
    return found[1].lower() if found else ""


def _neighbours(passages: list[Passage]) -> Iterator[tuple[Passage | None, Passage, Passage | None]]:
    return zip([None, *passages], passages, [*passages[1:], None], strict=False)


def _not_in_a_sentence(above: Passage | None, passage: Passage, below: Passage | None) -> Passage:
    """Make an order puzzling if an email program may have cut it out of a sentence."""
    if not passage.line.orders:
        return passage
    continues = above is not None and above.end == passage.first and _is_long_prose(above)
    goes_on = below is not None and below.first == passage.end and _begins_small(below)
    if continues or goes_on:
        return replace(passage, line=Line(passage.line.text, why=unclear_lines.WRAPPED))
    return passage


def _is_long_prose(passage: Passage) -> bool:
    return passage.line.kind == "prose" and len(passage.raw) >= _LONG_LINE


def _begins_small(passage: Passage) -> bool:
    return passage.line.kind == "prose" and passage.line.text[:1].islower()
