"""Draws what is marked on a board, such as the last move or a check, over its squares."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from corr.service.games.board_marks import (
    LineSquare,
    Marks,
    PlannedMove,
    angle_to_king,
    find_check_knights,
    find_check_lines,
)
from corr.text.template_env import render_piece
from corr.words.board import SQUARE_NUMBER, SQUARES, Side
from corr.words.replay import SquareChanges
from corr.words.slips import Sight
from corr.words.view import View

_EMPTY_FOG = "?"


class Stroke(NamedTuple):
    """A mark over the board, with its middle in hundredths of a square from the upper left corner."""

    kind: str
    x: int
    y: int
    turn: int = 0
    far: int = 0
    wide: int = 0
    high: int = 0
    is_seen: bool = False  # whether the square under it is seen


def draw_marks(view: View, marks: Marks, planned: Sequence[PlannedMove] = ()) -> str:
    """Return the marks and planned moves over a player's board as HTML; empty if there are none."""
    sight = view.sight
    if sight is None or not (marks.on or planned):
        return ""
    arrows = tuple(_arrow(*move, view.side) for move in planned)
    return _render_strokes(tuple(_strokes(sight, marks, sight.signs_with_ghosts(view.ghosts))), arrows)


def draw_changes(changes: SquareChanges, sight: Sight, below: Side) -> str:
    """Return the marks for a half-move of a finished game as HTML, with `below` at the bottom."""
    named = (("king", changes.checked), ("last", changes.moved), ("ring", changes.taken))
    marked = [(kind, SQUARE_NUMBER[name]) for kind, names in named for name in names]
    strokes = tuple(Stroke(kind, *_middle(on, below), is_seen=_is_seen(sight, on)) for kind, on in marked)
    return _render_strokes((*_check_strokes(changes, sight, below), *strokes)) if strokes else ""


def _check_strokes(changes: SquareChanges, sight: Sight, below: Side) -> Iterator[Stroke]:
    """Yield the strokes that show where a check comes from, or may come from."""
    king = SQUARE_NUMBER[changes.checked[0]] if changes.checked else None
    if king is None:
        return
    for names in changes.between:
        steps = [(SQUARE_NUMBER[name], far) for far, name in enumerate(names, start=1)]
        yield from _line(steps, king, below, is_seen=True)
    free, rings = _find_empty_fog(sight.signs()), {SQUARE_NUMBER[name] for name in changes.taken}
    for line in find_check_lines(sight, king, changes.kinds):
        yield from _line(_free_squares(line, free - rings), king, below)
    for square in find_check_knights(sight, king, changes.kinds):
        if square in free - rings:
            yield Stroke("dot", *_middle(square, below))


@lru_cache(maxsize=1024)
def _render_strokes(strokes: tuple[Stroke, ...], arrows: tuple[Stroke, ...] = ()) -> str:
    return render_piece("parts/table/marks.html", strokes=strokes, arrows=arrows)


def _arrow(origin: int | None, target: int, below: Side) -> Stroke:
    """Return the arrow of a planned move; a drop's has no length."""
    (x, y), (to_x, to_y) = _middle(target if origin is None else origin, below), _middle(target, below)
    return Stroke("plan", x, y, wide=to_x - x, high=to_y - y)


def _strokes(sight: Sight, marks: Marks, signs: Sequence[str]) -> Iterator[Stroke]:
    """Yield the strokes for the marks of a player's board."""
    side, free = sight.side, _find_empty_fog(signs) - set(marks.captured)
    for origin, target in marks.tries:
        (x, y), beside = _middle(target, side), _middle(origin, side)[0]
        yield Stroke("try", x, y, turn=1 if beside > x else -1, is_seen=_is_seen(sight, target))
    if marks.checked is not None:
        for line in marks.lines:
            yield from _line(_free_squares(line, free), marks.checked, side)
        yield Stroke("king", *_middle(marks.checked, side))
    for square in marks.knights:
        if square in free:
            yield Stroke("dot", *_middle(square, side))
    for square in marks.last:
        if square not in marks.captured:
            yield Stroke("last", *_middle(square, side), is_seen=_is_seen(sight, square))
    for square in marks.captured:
        yield Stroke("ring", *_middle(square, side), is_seen=_is_seen(sight, square))
    if marks.sensed:
        yield _frame(marks.sensed, side)


def _find_empty_fog(signs: Sequence[str]) -> set[int]:
    """Return the squares that a side does not see, and on which it imagines no piece."""
    return {square for square, sign in enumerate(signs) if sign == _EMPTY_FOG}


def _free_squares(line: Iterable[LineSquare], free: Collection[int]) -> list[tuple[int, int]]:
    """Return the unseen squares of a line of check, each with its distance from the king."""
    return [(step.square, step.far) for step in line if step.square in free]


def _line(
    line: Iterable[tuple[int, int]], king: int, below: Side, *, is_seen: bool = False
) -> Iterator[Stroke]:
    """Yield the strokes of a line of check, which points to the king."""
    x, y = _middle(king, below)
    for square, far in line:
        at_x, at_y = _middle(square, below)
        to_x, to_y = _sign(x - at_x), _sign(y - at_y)
        end_x, end_y = at_x - 50 * to_x, at_y - 50 * to_y
        yield Stroke("hair", end_x, end_y, wide=100 * to_x, high=100 * to_y, is_seen=is_seen)
        yield Stroke("line", at_x, at_y, turn=angle_to_king(-to_x, to_y), far=far, is_seen=is_seen)


def _frame(squares: Sequence[int], side: Side) -> Stroke:
    """Return the frame around the squares that a player sensed."""
    middles = [_middle(square, side) for square in squares]
    left, top = (min(each) - 50 for each in zip(*middles, strict=True))
    right, bottom = (max(each) + 50 for each in zip(*middles, strict=True))
    return Stroke("sense", left, top, wide=right - left, high=bottom - top)


def _middle(square: int, side: Side) -> tuple[int, int]:
    """Return the middle of a square in hundredths of a square, with `side` at the bottom."""
    rank, file = divmod(square, 8)
    column, row = (file, 7 - rank) if side is Side.WHITE else (7 - file, rank)
    return column * 100 + 50, row * 100 + 50


def _is_seen(sight: Sight, square: int) -> bool:
    return bool(sight.seen >> square & 1)


def _sign(number: int) -> int:
    """Return 1, 0 or -1, by the sign of a number."""
    return (number > 0) - (number < 0)


@lru_cache(maxsize=4096)
def draw_thumbnail(signs: tuple[str, ...], side: Side) -> str:
    """Draw what a side sees, from its own side; cached, since most boards repeat."""
    squares = SQUARES if side is Side.WHITE else SQUARES[::-1]
    is_whole = "?" not in signs
    seen = [on for on in zip(squares, signs, strict=True) if on[1] != ("." if is_whole else "?")]
    return render_piece("parts/thumbnail.html", seen=seen, is_whole=is_whole)
