"""A crosstable as a letter shows it, in columns. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corr.game.crosstable import Row, Table
from corr.game.text_width import LETTER, cut, padded, width

#: A line that begins so is never an order.
_EDGE = "| "
_DIAGONAL = "*"
#: So much of a name has room in a table of any size.
_NAME = 24


class _Line(NamedTuple):
    """What stands in the columns of one line."""

    place: str
    name: str
    mark: str
    cells: tuple[str, ...]
    points: str
    berger: str

    @property
    def called(self) -> int:
        return width(self.name + self.mark)


def drawn(table: Table) -> str:
    """The whole table under the numbers of its columns; no line of it is an order."""
    return "\n".join(_in_columns([_head(len(table.rows)), *map(_line, range(len(table.rows)), table.rows)]))


def points_shown(halves: int) -> str:
    """Points of which halves are counted, "5.5"."""
    return f"{halves // 2}.{halves % 2 * 5}"


def quarters_shown(quarters: int) -> str:
    """What is counted in quarters of a point, "12.25"."""
    return f"{quarters // 4}.{quarters % 4 * 25:02}"


def _head(rows: int) -> _Line:
    return _Line("", "", "", tuple(map(str, range(1, rows + 1))), "Pts", "SB")


def _line(at: int, row: Row) -> _Line:
    cells = ["".join(mark.sign for mark in cell) for cell in row.cells]
    cells[at] = _DIAGONAL * max(1, *map(len, cells))
    berger = quarters_shown(row.sonneborn_berger)
    return _Line(str(row.place), row.entrant.name, _mark(row), tuple(cells), points_shown(row.points), berger)


def _mark(row: Row) -> str:
    """What else is to be known of an entrant."""
    program = " (bot)" if row.entrant.is_program else ""
    return f"{program} (withdrew)" if row.entrant.withdrawn else program


def _in_columns(lines: Sequence[_Line]) -> Iterator[str]:
    cell = max((len(cell) for line in lines for cell in line.cells), default=0)
    place, points, berger = (max(len(line[at]) for line in lines) for at in (0, 4, 5))
    others = len(_EDGE) + place + 1 + (cell + 1) * len(lines[0].cells) + 1 + points + 1 + berger
    name = min(max(line.called for line in lines), max(_NAME, LETTER - others))
    for line in lines:
        cells = " ".join(sign.ljust(cell) for sign in line.cells)
        called = padded(_called(line, name), name)
        yield f"{_EDGE}{line.place:>{place}} {called} {cells} {line.points:>{points}} {line.berger:>{berger}}"


def _called(line: _Line, room: int) -> str:
    """Of a name as much as there is room for, and all that is to be known beside it."""
    return cut(line.name, room - width(line.mark)) + line.mark
