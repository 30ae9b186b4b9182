"""Pairs and ranks a round robin, and draws its crosstable. Pure; points are whole halves, products whole quarters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple, TypeAlias

from corr.words.board import Pair, Side

EMAIL_COLUMNS = 72  # the columns of a line of an email
_ELLIPSIS = "\u2026"
_ZERO_WIDTH = frozenset(("Mn", "Me", "Cf"))


def width(text: str) -> int:
    """Return how many columns a text takes in a fixed-width font."""
    return sum(map(_columns, text))


def cut(text: str, room: int) -> str:
    """Cut a text to fit, ending in an ellipsis if anything was cut."""
    if width(text) <= room:
        return text
    kept, left = "", room - 1
    for sign in text:
        left -= _columns(sign)
        if left < 0:
            break
        kept += sign
    return kept.rstrip() + _ELLIPSIS


def pad_to_width(text: str, room: int) -> str:
    """Cut or pad a text to exactly this many columns."""
    short = cut(text, room)
    return short + " " * (room - width(short))


def _columns(sign: str) -> int:
    """Return how many columns a character takes: none, one or two."""
    if unicodedata.combining(sign) or unicodedata.category(sign) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


class Score(StrEnum):
    """The result of a game, or that the game counts for nobody."""

    WHITE = "white"
    BLACK = "black"
    DRAW = "draw"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in an event, with their entry number from 1."""

    number: int
    name: str
    is_program: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the event, by its players' numbers; without a score it is still being played."""

    white: int
    black: int
    score: Score | None = None
    by_default: bool = False  # won on time, or because a player did not play
    code: str = ""  # for the links on web pages

    def number(self, side: Side) -> int:
        return self.white if side is Side.WHITE else self.black


class ResultMark(NamedTuple):
    """How a game went for one of its players: `1 = 0`, `+ -` by default, `.` unfinished, `x` void."""

    sign: str
    game: Game


#: All games between two entrants, the one in which the first has White coming first.
Cell: TypeAlias = tuple[ResultMark, ...]


class Place(NamedTuple):
    """An entrant's place, a range if several share it."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant's results, with a cell for each row of the table; the cell against themselves is empty."""

    entrant: Entrant
    place: Place
    cells: tuple[Cell, ...]
    points: int  # half points
    sonneborn_berger: int  # quarter points
    mutual: int  # half points, among entrants who tie on the two columns before it
    wins: int


@dataclass(frozen=True, slots=True)
class Table:
    """All entrants, from the first place on."""

    rows: tuple[Row, ...]
    games: tuple[Game, ...]

    @property
    def is_over(self) -> bool:
        return not any(mark.sign == UNFINISHED for row in self.rows for cell in row.cells for mark in cell)


class _Half(NamedTuple):
    own: int
    other: int
    sign: str
    game: Game

    @property
    def points(self) -> int:
        return _POINTS.get(self.sign, 0)


class _Standing(NamedTuple):
    """The criteria that rank an entrant, the most important first."""

    points: int
    sonneborn_berger: int
    mutual: int
    wins: int


UNFINISHED, VOID = ".", "x"
_POINTS = {"1": 2, "+": 2, "=": 1}  # in half points; other signs score nothing
_WON = ("1", "+")


def build_crosstable(entrants: Iterable[Entrant], games: Iterable[Game]) -> Table:
    """Build the table from the results so far."""
    known, played = {each.number: each for each in entrants}, tuple(games)
    halves = [half for game in played for half in _halves(game, known)]
    standing = _standings(known, halves)
    order = _order(standing)
    places = _places(order, standing)
    cells = _cells(halves)
    return Table(
        tuple(
            Row(known[own], places[own], tuple(cells(own, other) for other in order), *standing[own])
            for own in order
        ),
        played,
    )


def _halves(game: Game, known: Mapping[int, Entrant]) -> Iterator[_Half]:
    """Yield a game twice, once as each player sees it."""
    for side in Side:
        own, other = game.number(side), game.number(side.other)
        yield _Half(own, other, _sign(game, side, known), game)


def _sign(game: Game, side: Side, known: Mapping[int, Entrant]) -> str:
    """Return the sign for how a game went for one side, as in `ResultMark`."""
    match game.score:
        case None:
            return _unfinished_sign(known[game.number(side)], known[game.number(side.other)])
        case Score.VOID:
            return VOID
        case Score.DRAW:
            return "="
        case winner:
            return ("1+" if winner.value == side.value else "0-")[game.by_default]


def _unfinished_sign(own: Entrant, other: Entrant) -> str:
    """Return the sign of a game without a score: unfinished, unless a player has withdrawn."""
    if own.withdrawn:
        return "-"
    return "+" if other.withdrawn else UNFINISHED


def _standings(known: Mapping[int, Entrant], halves: Sequence[_Half]) -> Mapping[int, _Standing]:
    """Return each entrant's points and tie-breaks, by their numbers."""
    points = _sums(known, halves, lambda half: half.points)
    berger = _sums(known, halves, lambda half: half.points * points[half.other])
    wins = _sums(known, halves, lambda half: half.sign in _WON)

    def is_tied(half: _Half) -> bool:
        return (points[half.own], berger[half.own]) == (points[half.other], berger[half.other])

    mutual = _sums(known, halves, lambda half: half.points * is_tied(half))
    return {own: _Standing(points[own], berger[own], mutual[own], wins[own]) for own in known}


def _sums(known: Iterable[int], halves: Iterable[_Half], brings: Callable[[_Half], int]) -> Mapping[int, int]:
    """Add up what each game brings its player, for each entrant."""
    sums = dict.fromkeys(known, 0)
    for half in halves:
        sums[half.own] += brings(half)
    return sums


def _order(standing: Mapping[int, _Standing]) -> list[int]:
    """Return the entrants' numbers, from the first place on."""
    return sorted(standing, key=lambda own: (*(-each for each in standing[own]), own))


def _places(order: Iterable[int], standing: Mapping[int, _Standing]) -> Mapping[int, Place]:
    """Give each entrant a place; those with equal standings share a range."""
    places = dict[int, Place]()
    for _, group in groupby(order, key=standing.__getitem__):
        tied = [*group]
        place = Place(len(places) + 1, len(places) + len(tied))
        places |= dict.fromkeys(tied, place)
    return places


def _cells(halves: Iterable[_Half]) -> Callable[[int, int], Cell]:
    """Return a function that looks up how all games between two entrants went."""
    met = dict[tuple[int, int], list[ResultMark]]()
    for half in sorted(halves, key=lambda half: half.own != half.game.white):
        met.setdefault((half.own, half.other), []).append(ResultMark(half.sign, half.game))
    return lambda own, other: tuple(met.get((own, other), ()))


_EDGE = "| "  # a line that begins like this is never read as an order
_DIAGONAL = "*"
_NAME = 24  # a name always gets at least this many columns, however large the table is


class _Line(NamedTuple):
    place: str
    name: str
    mark: str
    cells: tuple[str, ...]
    points: str
    berger: str

    @property
    def called(self) -> int:
        """How many columns the name and the note after it take."""
        return width(self.name + self.mark)


def draw_crosstable(table: Table) -> str:
    """Draw the whole table under numbered columns; no line of it can be read as an order."""
    rows = table.rows
    head = _Line("", "", "", tuple(map(str, range(1, len(rows) + 1))), "Pts", "SB")
    return "\n".join(_align_columns([head, *map(_line, range(len(rows)), rows)]))


def format_points(halves: int) -> str:
    """Write half points as a decimal, "5.5"."""
    return f"{halves // 2}.{halves % 2 * 5}"


def format_quarter_points(quarters: int) -> str:
    """Write quarter points as a decimal, "12.25"."""
    return f"{quarters // 4}.{quarters % 4 * 25:02}"


def _line(at: int, row: Row) -> _Line:
    """Turn a row of the table into texts; `at` is its index."""
    cells = ["".join(mark.sign for mark in cell) for cell in row.cells]
    cells[at] = _DIAGONAL * max(1, *map(len, cells))
    berger = format_quarter_points(row.sonneborn_berger)
    return _Line(
        str(row.place), row.entrant.name, _mark(row), tuple(cells), format_points(row.points), berger
    )


def _mark(row: Row) -> str:
    """Return the note after an entrant's name: (bot), (withdrew) or both."""
    program = " (bot)" if row.entrant.is_program else ""
    return f"{program} (withdrew)" if row.entrant.withdrawn else program


def _align_columns(lines: Sequence[_Line]) -> Iterator[str]:
    cell = max((len(cell) for line in lines for cell in line.cells), default=0)
    place, points, berger = (max(len(line[at]) for line in lines) for at in (0, 4, 5))
    others = len(_EDGE) + place + 1 + (cell + 1) * len(lines[0].cells) + 1 + points + 1 + berger
    name = min(max(line.called for line in lines), max(_NAME, EMAIL_COLUMNS - others))
    for line in lines:
        cells = " ".join(sign.ljust(cell) for sign in line.cells)
        # A long name is cut, but the note after it never is.
        called = pad_to_width(cut(line.name, name - width(line.mark)) + line.mark, name)
        yield f"{_EDGE}{line.place:>{place}} {called} {cells} {line.points:>{points}} {line.berger:>{berger}}"


#: The numbers of the entrants, from 1, who play each other in one round.
Round: TypeAlias = tuple[Pair[int], ...]


def rounds(entrants: int) -> tuple[Round, ...]:
    """Return a single round robin; with an odd number of entrants, one is free in each round."""
    last = entrants + entrants % 2
    if entrants < 2:
        return ()
    free = entrants + 1
    table = (_round(number, last) for number in range(last - 1))
    return tuple(tuple(pair for pair in each if free not in (pair.white, pair.black)) for each in table)


def double_round_robin(entrants: int) -> tuple[Round, ...]:
    """Return a double round robin, in which each pair plays once with each colour."""
    first = rounds(entrants)
    return first + tuple(tuple(Pair(pair.black, pair.white) for pair in each) for each in first)


def _round(number: int, last: int) -> Round:
    """Pair one round: the last entrant meets one of a ring, and the rest pair up around that one."""
    ring, half = last - 1, last // 2
    at = number * half
    others = (Pair((at + far) % ring + 1, (at - far) % ring + 1) for far in range(1, half))
    met = at % ring + 1
    return (Pair(last, met) if number % 2 else Pair(met, last), *others)
