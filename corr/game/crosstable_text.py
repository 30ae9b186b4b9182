"""Draws a crosstable for an email, in columns. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corr.game.crosstable import Row, Table
from corr.game.text_width import EMAIL_COLUMNS, cut, pad_to_width, width

#: A line that begins like this is never read as an order.
_EDGE = "| "
_DIAGONAL = "*"
#: A name always gets at least this many columns, however large the table is.
_NAME = 24


class _Line(NamedTuple):
    place: str
    name: str
    mark: str
    cells: tuple[str, ...]
    points: str
    berger: str

    @property
    def called(self) -> int:
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
    cells = ["".join(mark.sign for mark in cell) for cell in row.cells]
    cells[at] = _DIAGONAL * max(1, *map(len, cells))
    berger = format_quarter_points(row.sonneborn_berger)
    return _Line(
        str(row.place), row.entrant.name, _mark(row), tuple(cells), format_points(row.points), berger
    )


def _mark(row: Row) -> str:
    program = " (bot)" if row.entrant.is_program else ""
    return f"{program} (withdrew)" if row.entrant.withdrawn else program


def _align_columns(lines: Sequence[_Line]) -> Iterator[str]:
    cell = max((len(cell) for line in lines for cell in line.cells), default=0)
    place, points, berger = (max(len(line[at]) for line in lines) for at in (0, 4, 5))
    others = len(_EDGE) + place + 1 + (cell + 1) * len(lines[0].cells) + 1 + points + 1 + berger
    name = min(max(line.called for line in lines), max(_NAME, EMAIL_COLUMNS - others))
    for line in lines:
        cells = " ".join(sign.ljust(cell) for sign in line.cells)
        # The name is cut to the room, but the whole note after it is kept.
        called = pad_to_width(cut(line.name, name - width(line.mark)) + line.mark, name)
        yield f"{_EDGE}{line.place:>{place}} {called} {cells} {line.points:>{points}} {line.berger:>{berger}}"
