"""Who stands where in an event in which everybody meets everybody, and how each game went. Pure.

All points are whole numbers: halves of a point, and quarters where two of them are multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple, TypeAlias

from corr.words.board import Side


class Score(StrEnum):
    """How a game ended, or that it counts for nobody."""

    WHITE = "white"
    BLACK = "black"
    DRAW = "draw"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who plays, by the number of their entry, from 1."""

    number: int
    name: str
    is_program: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the event, by the numbers of its players; one without a score goes on."""

    white: int
    black: int
    score: Score | None = None
    by_default: bool = False  # by time, or since somebody did not play
    code: str = ""  # by which a page finds it

    def number(self, side: Side) -> int:
        return self.white if side is Side.WHITE else self.black


class Mark(NamedTuple):
    """How a game went for one of its players: `1 = 0`, `+ -` by default, `.` on its way, `x` void."""

    sign: str
    game: Game


#: All games of one with another, the one with White first.
Cell: TypeAlias = tuple[Mark, ...]


class Place(NamedTuple):
    """From which place to which somebody stands: one, unless it is shared."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Row:
    """What an entrant has, and a cell for each row of the table from the first on, their own being empty."""

    entrant: Entrant
    place: Place
    cells: tuple[Cell, ...]
    points: int  # halves
    sonneborn_berger: int  # quarters
    mutual: int  # halves, among those who have as many points and as much before it
    wins: int


@dataclass(frozen=True, slots=True)
class Table:
    """Everybody from the first place on."""

    rows: tuple[Row, ...]
    games: tuple[Game, ...]

    @property
    def is_over(self) -> bool:
        """Whether no game goes on."""
        return not any(mark.sign == GOES_ON for row in self.rows for cell in row.cells for mark in cell)


class _Half(NamedTuple):
    """A game as one of its players has it."""

    own: int
    other: int
    sign: str
    game: Game

    @property
    def points(self) -> int:
        return _POINTS.get(self.sign, 0)


class _Standing(NamedTuple):
    """What decides who stands where, first things first."""

    points: int
    sonneborn_berger: int
    mutual: int
    wins: int


GOES_ON, VOID = ".", "x"
#: In halves; other signs bring nothing.
_POINTS = {"1": 2, "+": 2, "=": 1}
_WON = ("1", "+")


def crosstable(entrants: Iterable[Entrant], games: Iterable[Game]) -> Table:
    """The table as it stands now."""
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
    for side in Side:
        own, other = game.number(side), game.number(side.other)
        yield _Half(own, other, _sign(game, side, known), game)


def _sign(game: Game, side: Side, known: Mapping[int, Entrant]) -> str:
    match game.score:
        case None:
            return _of_one_left(known[game.number(side)], known[game.number(side.other)])
        case Score.VOID:
            return VOID
        case Score.DRAW:
            return "="
        case winner:
            return ("1+" if winner.value == side.value else "0-")[game.by_default]


def _of_one_left(own: Entrant, other: Entrant) -> str:
    """The sign of a game without a score: it goes on, unless somebody has withdrawn."""
    if own.withdrawn:
        return "-"
    return "+" if other.withdrawn else GOES_ON


def _standings(known: Mapping[int, Entrant], halves: Sequence[_Half]) -> Mapping[int, _Standing]:
    points = _sums(known, halves, lambda half: half.points)
    berger = _sums(known, halves, lambda half: half.points * points[half.other])
    wins = _sums(known, halves, lambda half: half.sign in _WON)

    def is_tied(half: _Half) -> bool:
        return (points[half.own], berger[half.own]) == (points[half.other], berger[half.other])

    mutual = _sums(known, halves, lambda half: half.points * is_tied(half))
    return {own: _Standing(points[own], berger[own], mutual[own], wins[own]) for own in known}


def _sums(known: Iterable[int], halves: Iterable[_Half], brings: Callable[[_Half], int]) -> Mapping[int, int]:
    """What their games bring to each."""
    sums = dict.fromkeys(known, 0)
    for half in halves:
        sums[half.own] += brings(half)
    return sums


def _order(standing: Mapping[int, _Standing]) -> list[int]:
    return sorted(standing, key=lambda own: (*(-each for each in standing[own]), own))


def _places(order: Iterable[int], standing: Mapping[int, _Standing]) -> Mapping[int, Place]:
    places = dict[int, Place]()
    for _, group in groupby(order, key=standing.__getitem__):
        tied = [*group]
        place = Place(len(places) + 1, len(places) + len(tied))
        places |= dict.fromkeys(tied, place)
    return places


def _cells(halves: Iterable[_Half]) -> Callable[[int, int], Cell]:
    """How all games of one with another went, as a question."""
    met = dict[tuple[int, int], list[Mark]]()
    for half in sorted(halves, key=lambda half: half.own != half.game.white):
        met.setdefault((half.own, half.other), []).append(Mark(half.sign, half.game))
    return lambda own, other: tuple(met.get((own, other), ()))
