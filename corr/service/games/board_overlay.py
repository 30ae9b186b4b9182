"""Lays the marks of a page's board over the squares of a board drawn for an email."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from corr.service.games.board_marks import LineSquare, Marks, angle_to_king, marks
from corr.service.players.settings import Switch
from corr.words.board import SQUARE_NUMBER, Side
from corr.words.slips import SquareMarks
from corr.words.view import SquareChanges, View

_UNSEEN = "?"


def overlay_view(view: View, on: Collection[Switch]) -> SquareMarks:
    """Return the marks of a running game that its player has switched on."""
    sight = view.sight
    if sight is None:
        return ()
    return _collect_overlays(
        _overlay_squares(marks(view).shown(on), sight.side, sight.signs_with_ghosts(view.ghosts))
    )


def overlay_last_move(touched: SquareChanges) -> SquareMarks:
    """Return the marks of a finished game's last half-move."""
    named = (("last", touched.moved), ("ring", touched.taken), ("king", touched.checked))
    return _collect_overlays((SQUARE_NUMBER[square], mark) for mark, squares in named for square in squares)


def _collect_overlays(found: Iterator[tuple[int, str]]) -> SquareMarks:
    over = defaultdict[int, list[str]](list)
    for square, mark in found:
        over[square].append(mark)
    return tuple((square, tuple(over[square])) for square in sorted(over))


def _overlay_squares(found: Marks, side: Side, signs: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each square with its overlays, in drawing order, seen from one side."""
    rings, up = set(found.captured), 1 if side is Side.WHITE else -1
    for line in found.lines:
        yield from _line(line, up, rings, signs)
    for origin, target in found.tries:
        yield target, "try right" if (origin % 8 - target % 8) * up > 0 else "try left"
    if found.checked is not None:
        yield found.checked, "king"
    yield from ((each, "dot") for each in found.knights if each not in rings and signs[each] == _UNSEEN)
    yield from ((each, "last") for each in found.last if each not in rings)
    yield from ((each, "ring") for each in found.captured)
    yield from _frame(found.sensed, up)


def _line(
    line: tuple[LineSquare, ...], up: int, rings: set[int], signs: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Draw a hairline to the farthest square, and chevrons towards the king on free squares."""
    last = line[-1]
    turn, ahead = angle_to_king(last.files * up, last.ranks * up), last.files + 8 * last.ranks
    for far in range(1, last.far):
        yield last.square - ahead * far, f"hair {turn % 180}"
    for step in line:
        if step.square not in rings and signs[step.square] == _UNSEEN:
            yield step.square, f"line {turn}"


def _frame(squares: Sequence[int], up: int) -> Iterator[tuple[int, str]]:
    """Yield the outer edges of a sensed area."""
    within = set(squares)
    for square in squares:
        for edge, files, ranks in (("left", -up, 0), ("right", up, 0), ("top", 0, up), ("bottom", 0, -up)):
            is_within = 0 <= square % 8 + files < 8 and square + 8 * ranks + files in within
            if not is_within:
                yield square, edge
