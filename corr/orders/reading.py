"""A letter's lines, read whole before anything is tried: its orders, or the one line that stops it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from corr.orders import puzzle
from corr.orders.acts import BOARD, join_acts
from corr.orders.clash import Given, clash, joined, once
from corr.orders.fold import fold
from corr.orders.line import UNFINISHED, Line, signs, understand
from corr.orders.puzzle import Puzzle
from corr.words.orders import Order

_GOES_ON = re.compile(r"[,;](?: ?\w|$)|/(?: ?(?:yes|no) ?:|$)|(?:yes|no) ?:|else\b", re.IGNORECASE)
_GLIMPSE = re.compile(r"if [a-h][1-8] ?=", re.IGNORECASE)
_MEN = re.compile(r"(?:-? ?[kqrbnp]? ?[a-h][1-8],?(?: |$))+", re.IGNORECASE)
_HEAD = re.compile(r"(?:\d{1,3} ?\.+ ?)?(\w+)")
_LONG_LINE = 50
#: So many acts of a letter that tries nothing are remembered, to propose what it may have meant.
_ACTS = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """What a letter says: orders, or what is puzzling in it; and the prose that was left alone."""

    orders: tuple[Order, ...]
    puzzled: Puzzle | None
    ignored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A line, or several that a mail program had made of one, and where they stand in the letter."""

    raw: str
    line: Line
    first: int
    end: int


def read(lines: Sequence[str], move_number: int | None = None) -> Reading:
    """Read a letter whole. One puzzling line stops it: then there are no orders."""
    passages = [_not_in_a_sentence(*three) for three in _neighbours(list(_passages(lines, move_number)))]
    ignored = tuple(each.raw for each in passages if each.line.kind == "prose")
    given = once(Given(order, each.raw) for each in passages for order in each.line.orders)
    puzzled = next(filter(None, map(_puzzle, passages)), None) or clash(given)
    if puzzled is None:
        return Reading(joined(given), None, ignored)
    acts = tuple(str(each.order) for each in given if isinstance(each.order, BOARD))
    return Reading((), replace(puzzled, acts=acts[:_ACTS]), ignored)


def _puzzle(passage: Passage) -> Puzzle | None:
    """What is puzzling in a passage, with how far it was read where its signs are those that were read."""
    line = passage.line
    is_as_written = signs(passage.raw.removesuffix(".")) == signs(line.text)
    return Puzzle(passage.raw, line.why, line.read if is_as_written else 0) if line.why else None


def first_order(lines: Sequence[str]) -> str | None:
    """The first order that stands on some lines, as it was written."""
    return next((each.raw for each in _passages(lines, None) if each.line.orders), None)


def read_order(line: str) -> Order | Puzzle:
    """One line of the console: a single act or word, be it written in several orders, or why it is none."""
    found = understand(fold(line))
    given = once(Given(order, line.strip()) for order in found.orders)
    puzzled = clash(given)
    orders = join_acts(joined(given))
    if puzzled or len(orders) != 1:
        why = puzzle.ONE_A_LINE if orders else found.why or puzzle.NO_ORDER
        acts = tuple(str(each.order) for each in given if isinstance(each.order, BOARD))
        return replace(puzzled or Puzzle(line.strip(), why), acts=acts)
    return orders[0]


def _passages(lines: Sequence[str], move_number: int | None) -> Iterator[Passage]:
    texts = [fold(line) for line in lines]
    first = 0
    while first < len(texts):
        end = first + 1
        if texts[first] and not texts[first].startswith("|"):
            line = understand(texts[first], move_number)
            if line.orders or line.is_open or _is_bare_head(texts[first]):
                end = _end(texts, first)
            if end > first + 1:
                line = _joined(texts[first:end], move_number)
            yield Passage(" ".join(each.strip() for each in lines[first:end]), line, first, end)
        first = end


def _end(texts: list[str], first: int) -> int:
    """Where an order ends that begins on a line."""
    head = _head(texts[first])
    end = first + 1
    while end < len(texts) and _goes_on(head, texts[end - 1], texts[end]):
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


def _joined(texts: list[str], move_number: int | None) -> Line:
    line = understand(_join(texts), move_number)
    return line if line.orders or line.why else replace(line, why=puzzle.NOT_ALONE)


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


def _is_bare_head(text: str) -> bool:
    return text.lower() in ("deploy", "ghost")


def _neighbours(passages: list[Passage]) -> Iterator[tuple[Passage | None, Passage, Passage | None]]:
    return zip([None, *passages], passages, [*passages[1:], None], strict=False)


def _not_in_a_sentence(above: Passage | None, passage: Passage, below: Passage | None) -> Passage:
    """The passage; puzzling if it is an order that a mail program may have cut out of a sentence."""
    if not passage.line.orders:
        return passage
    continues = above is not None and above.end == passage.first and _is_long_prose(above)
    goes_on = below is not None and below.first == passage.end and _begins_small(below)
    if continues or goes_on:
        return replace(passage, line=Line(passage.line.text, why=puzzle.WRAPPED))
    return passage


def _is_long_prose(passage: Passage) -> bool:
    return passage.line.kind == "prose" and len(passage.raw) >= _LONG_LINE


def _begins_small(passage: Passage) -> bool:
    return passage.line.kind == "prose" and passage.line.text[:1].islower()
