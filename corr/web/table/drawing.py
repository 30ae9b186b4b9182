"""The marks of a board as strokes: what lies over its squares, seen from its side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from corr.desk.table.marks import Marks, Step
from corr.pages import piece
from corr.words.board import SQUARE_NUMBER, Side
from corr.words.slips import Sight
from corr.words.view import Touched, View

_EMPTY_FOG = "?"
#: By how much a chevron is turned that points down, by where the king lies from it: to the right and downwards.
_TURNS = {
    (0, 1): 0,
    (-1, 1): 45,
    (-1, 0): 90,
    (-1, -1): 135,
    (0, -1): 180,
    (1, -1): 225,
    (1, 0): 270,
    (1, 1): 315,
}


class Stroke(NamedTuple):
    """A mark on the sheet, in hundredths of a square from its upper left corner: where its middle is."""

    kind: str
    x: int
    y: int
    turn: int = 0
    far: int = 0
    wide: int = 0
    high: int = 0
    is_on: bool = False  # whether it lies on a square that is seen


def drawn(view: View, marks: Marks) -> str:
    """The marks as a picture over the board; nothing where there are none."""
    sight = view.sight
    return _drawn(tuple(_strokes(sight, marks, sight.signs_with(view.ghosts)))) if sight and marks.on else ""


def touched(found: Touched, sight: Sight, below: Side) -> str:
    """What a half-move of a finished game has done, over a board with one side's own rows below."""
    named = (("king", found.checked), ("last", found.moved), ("ring", found.taken))
    marked = [(kind, SQUARE_NUMBER[name]) for kind, names in named for name in names]
    strokes = tuple(Stroke(kind, *_middle(on, below), is_on=_is_seen(sight, on)) for kind, on in marked)
    return _drawn(strokes) if strokes else ""


@lru_cache(maxsize=1024)
def _drawn(strokes: tuple[Stroke, ...]) -> str:
    return piece("parts/table/marks.html", strokes=strokes)


def _strokes(sight: Sight, marks: Marks, signs: Sequence[str]) -> Iterator[Stroke]:
    side, rings = sight.side, set(marks.captured)
    for origin, target in marks.tries:
        (x, y), beside = _middle(target, side), _middle(origin, side)[0]
        yield Stroke("try", x, y, turn=1 if beside > x else -1, is_on=_is_seen(sight, target))
    if marks.checked is not None:
        for line in marks.lines:
            yield from _line(sight, line, marks.checked, signs, rings)
        yield Stroke("king", *_middle(marks.checked, side))
    for square in marks.knights:
        if square not in rings and signs[square] == _EMPTY_FOG:
            yield Stroke("dot", *_middle(square, side))
    for square in marks.last:
        if square not in rings:
            yield Stroke("last", *_middle(square, side), is_on=_is_seen(sight, square))
    for square in marks.captured:
        yield Stroke("ring", *_middle(square, side), is_on=_is_seen(sight, square))
    if marks.sensed:
        yield _frame(marks.sensed, side)


def _line(
    sight: Sight, line: tuple[Step, ...], king: int, signs: Sequence[str], rings: set[int]
) -> Iterator[Stroke]:
    """On its squares chevrons that point to the king, on a hairline; neither where a ring, a ghost or a man is."""
    x, y = _middle(king, sight.side)
    for step in line:
        if step.square not in rings and signs[step.square] == _EMPTY_FOG:
            at_x, at_y = _middle(step.square, sight.side)
            to_x, to_y = _sign(x - at_x), _sign(y - at_y)
            yield Stroke("hair", at_x - 50 * to_x, at_y - 50 * to_y, wide=100 * to_x, high=100 * to_y)
            yield Stroke("line", at_x, at_y, turn=_TURNS[to_x, to_y], far=step.far)


def _frame(squares: Sequence[int], side: Side) -> Stroke:
    """The frame around the squares of a sense."""
    middles = [_middle(square, side) for square in squares]
    left, top = (min(each) - 50 for each in zip(*middles, strict=True))
    right, bottom = (max(each) + 50 for each in zip(*middles, strict=True))
    return Stroke("sense", left, top, wide=right - left, high=bottom - top)


def _middle(square: int, side: Side) -> tuple[int, int]:
    rank, file = divmod(square, 8)
    column, row = (file, 7 - rank) if side is Side.WHITE else (7 - file, rank)
    return column * 100 + 50, row * 100 + 50


def _is_seen(sight: Sight, square: int) -> bool:
    return bool(sight.seen >> square & 1)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
