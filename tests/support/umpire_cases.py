"""Tables of positions and rulings, which a chess player can read and extend."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypeVar

from corr.orders import UnclearLine, parse_order
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Ruling, Umpire
from corr.words.board import SQUARE_NUMBER, Pair, PieceKind, Side
from corr.words.orders import Drop, Move, Order, PawnTry
from corr.words.slips import Slip

T = TypeVar("T")

SWAP = {"White": "Black", "Black": "White", "white": "black", "black": "white"}


@dataclass(frozen=True)
class Line:
    """An order and what its sender hears, or why it is unclear; and what the other side hears, if that differs."""

    order: str
    heard: tuple[str, ...]
    puzzled: bool
    overheard: tuple[str, ...] = ()

    def mirrored(self) -> Line:
        heard, overheard = (
            tuple(flipped(swapped(text)) for text in each) for each in (self.heard, self.overheard)
        )
        return Line(flipped(self.order), heard, self.puzzled, overheard)


@dataclass(frozen=True)
class Case:
    """A position and the orders tried in it."""

    title: str
    fen: str
    lines: tuple[Line, ...]

    def mirrored(self) -> Case:
        lines = tuple(line.mirrored() for line in self.lines)
        return Case(f"{self.title}, colours changed", mirrored_fen(self.fen), lines)


def mirrored_fen(fen: str) -> str:
    """The same position with colours swapped, also in reserves, where White's letters come first."""
    men, side, castling, square, *counters = fen.split()
    board, bracket, reserves = men.partition("[")
    ranks = "/".join(reversed(board.swapcase().split("/")))
    waiting = "".join(sorted(reserves.rstrip("]").swapcase()))
    changed = "".join(sorted(castling.swapcase()))
    men = ranks + (f"[{waiting}]" if bracket else "")
    return " ".join([men, "wb"[side == "w"], changed, flipped(square), *counters])


def flipped(text: str) -> str:
    """The same squares seen from the other side."""
    if "moves such as" in text:
        return text
    text = re.sub(r"[a-h][1-8]", lambda square: square[0][0] + str(9 - int(square[0][1])), text)
    if "reports: " in text:
        head, _, squares = text.partition(": ")
        return f"{head}: {'; '.join(sorted(squares.split('; ')))}"
    return re.sub(r"\b[a-h][1-8]\b(?:(?:, | and )\b[a-h][1-8]\b)+", in_order, text)


def in_order(listed: re.Match[str]) -> str:
    """The squares in their usual order."""
    *first, last = sorted(re.findall("[a-h][1-8]", listed[0]))
    return f"{', '.join(first)} and {last}"


def swapped(text: str) -> str:
    """The same sentence about the other side; if it is about both, White still comes first."""
    text = re.sub("|".join(SWAP), lambda word: SWAP[word[0]], text)
    return re.sub(r"(Black's reserve: .*?\.) (White's reserve: .*?\.)", r"\2 \1", text)


def cases_of(variant: str) -> list[Case]:
    """The cases of a variant's file, each also with colours swapped."""
    text = (Path(__file__).parents[1] / "unit" / "rules" / f"{variant}.cases").read_text()
    blocks = [block.splitlines() for block in text.split("\n\n")]
    written = [read_case(block) for block in blocks if not block[0].startswith("#")]
    return [case for one in written for case in (one, one.mirrored())]


def read_case(block: list[str]) -> Case:
    title, *rest = block
    drawn = [line for line in rest if re.fullmatch(r"[.a-zA-Z]( [.a-zA-Z]){7}", line)]
    fen, *orders = [drawn_fen(drawn, rest[8]), *rest[9:]] if drawn else rest
    return Case(title, fen, tuple(read_line(line) for line in orders))


def drawn_fen(rows: list[str], caption: str) -> str:
    """A drawn board as FEN: `white to move, en passant d6`."""
    ranks = "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), row.replace(" ", "")) for row in rows)
    side, square = re.fullmatch(r"(white|black) to move(?:, en passant (..))?", caption).groups()
    return f"{ranks} {side[0]} - {square or '-'} 0 1"


def read_line(line: str) -> Line:
    puzzled = " ! " in line
    own, _, others = line.partition(" || ")
    order, *heard = own.split(" ! " if puzzled else " | ")
    return Line(order, tuple(heard), puzzled, tuple(others.split(" | ")) if others else ())


@cache
def order_of(text: str) -> Order:
    """Parse an order of the table, which may name a piece that no player can have."""
    order = parse_order(text)
    if not isinstance(order, UnclearLine):
        return order
    if text[1] == "@":
        return Drop(PieceKind.from_letter(text[0]), SQUARE_NUMBER[text[2:]])
    order = parse_order(text[:-1].removesuffix("="))
    assert isinstance(order, Move | PawnTry), order
    return replace(order, promotion=PieceKind.from_letter(text[-1]))


def judged(umpire: Umpire[T], truth: T, side: Side, text: str) -> Ruling[T]:
    """The last ruling on a line of the table, with the facts of all rulings before it."""
    rulings = [ruling for _, ruling in try_one_by_one(umpire, truth, side, order_of(text))]
    handed = Pair(*(_together(each.slips[side] for each in rulings) for side in (Side.WHITE, Side.BLACK)))
    return rulings[-1]._replace(slips=handed)


def _together(slips: Iterable[Slip | None]) -> Slip | None:
    handed = [slip for slip in slips if slip]
    return handed[-1]._replace(facts=tuple(chain(*(slip.facts for slip in handed)))) if handed else None


def heard(ruling: Ruling, side: Side) -> tuple[str, ...] | None:
    """The sentences that a side hears; None if it hears of nothing."""
    slip = ruling.slips[side]
    return None if slip is None else tuple(fact.text for fact in slip.facts if fact.text)
