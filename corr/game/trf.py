"""Writes a crosstable as a FIDE tournament file, TRF16. Pure.

By "Format of Tournament Report File" (FIDE Handbook, C.04, Annex 2, 2016), whose columns are counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from corr.game.pairings_and_standings import UNFINISHED, VOID, ResultMark, Round, Row, Table, format_points

_END = "\r\n"  # the end of each line
_NO_OPPONENT = "0000 - -"
_FIRST_ROUND_COLUMN, _ROUND, _NAME = 92, 10, 33

#: How the games of one entrant went, keyed by the numbers of White and Black.
_Marks: TypeAlias = Mapping[tuple[int, int], ResultMark]


@dataclass(frozen=True, slots=True)
class Tournament:
    """What is known of an event beside its table; a line for anything unknown is left out."""

    name: str
    rounds: Sequence[Round]
    city: str = ""
    federation: str = ""
    begins: date | None = None
    ends: date | None = None
    kind: str = "Individual: Round-Robin"
    arbiter: str = ""
    deputies: Sequence[str] = ()
    pace: str = ""
    dates: Sequence[date] = ()  # of the rounds


def write_trf(tournament: Tournament, table: Table, ratings: Mapping[int, int]) -> str:
    """Write an event's tournament file; ratings are keyed by entrants' numbers and may be missing."""
    rated = [row for row in table.rows if row.entrant.number in ratings]
    heads = _heads(tournament, len(table.rows), len(rated))
    numbered = sorted(table.rows, key=lambda row: row.entrant.number)
    players = (_player(row, ratings, tournament.rounds) for row in numbered)
    return "".join(f"{line.rstrip()}{_END}" for line in (*heads, *players))


def _heads(tournament: Tournament, players: int, rated: int) -> Iterator[str]:
    """Yield the lines about the event, each with its number in the format."""
    said = (
        ("012", tournament.name),
        ("022", tournament.city),
        ("032", tournament.federation),
        ("042", _day(tournament.begins)),
        ("052", _day(tournament.ends)),
        ("062", str(players)),
        ("072", str(rated)),
        ("082", "0"),
        ("092", tournament.kind),
        ("102", tournament.arbiter),
        *(("112", deputy) for deputy in tournament.deputies),
        ("122", tournament.pace),
    )
    yield from (f"{code} {what}" for code, what in said if what)
    if tournament.dates:
        yield _align_rounds("132", (f"{each:%y/%m/%d}" for each in tournament.dates))


def _day(day: date | None) -> str:
    return f"{day:%Y/%m/%d}" if day else ""


def _player(row: Row, ratings: Mapping[int, int], rounds: Iterable[Round]) -> str:
    """Write an entrant's line: name, rating, points, place and all games."""
    number = row.entrant.number
    head = _write_columns(
        "001",
        (5, f"{number:>4}"),
        (15, row.entrant.name[:_NAME]),
        (49, f"{ratings.get(number, ''):>4}"),
        (81, f"{format_points(row.points):>4}"),
        (86, f"{row.place.first:>4}"),
    )
    marks = _marks(row)
    return _align_rounds(head, (_format_round(number, marks, each) for each in rounds))


def _marks(row: Row) -> _Marks:
    """Return how an entrant's games went, without those that count for nobody."""
    marks = (mark for cell in row.cells for mark in cell if mark.sign != VOID)
    return {(mark.game.white, mark.game.black): mark for mark in marks}


def _format_round(number: int, marks: _Marks, each: Round) -> str:
    """Return an entrant's opponent, colour and result in a round; free if no game of it counts."""
    for pair in each:
        mark = marks.get((pair.white, pair.black))
        if mark and number in (pair.white, pair.black):
            other, colour = (pair.black, "w") if number == pair.white else (pair.white, "b")
            return f"{other:>4} {colour} {mark.sign.replace(UNFINISHED, ' ')}"
    return _NO_OPPONENT


def _align_rounds(head: str, texts: Iterable[str]) -> str:
    """Append the texts of all rounds to a line, each in its column."""
    return _write_columns(head, *((_FIRST_ROUND_COLUMN + _ROUND * at, text) for at, text in enumerate(texts)))


def _write_columns(head: str, *fields: tuple[int, str]) -> str:
    """Append texts to a line, each at its column."""
    for column, text in fields:
        head = head.ljust(column - 1) + text
    return head
