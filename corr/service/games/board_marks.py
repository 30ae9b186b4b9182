"""Chooses which squares to highlight on a player's board, from what the umpire told that player."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from corr.service import catalogue
from corr.service.players.switches import PAGE_SWITCHES, Switch
from corr.words.board import SQUARE_NUMBER, Side, squares_of
from corr.words.codes import Common
from corr.words.replay import SquareChanges
from corr.words.slips import Fact, Sight, Slip, SquareMarks, draw_signs
from corr.words.view import Stage, View


class Mark(StrEnum):
    LAST = "last"  # the side's own last move began or ended here
    CAPTURE = "capture"  # a capture was announced here
    CHECKED = "checked"  # the side's own king, in check
    LINE = "line"  # a checking rook, bishop or queen may be here
    KNIGHT = "knight"  # a checking knight may be here
    TRY = "try"  # an own pawn could capture here
    SENSED = "sensed"
    REACH = "reach"  # the selected piece could go here
    PLANNED = "planned"  # a move that the player lists or has ordered for the next turn ends here


class LineSquare(NamedTuple):
    """A square on a line of check, with its distance and direction from the king."""

    square: int
    far: int
    files: int
    ranks: int


#: A planned move's squares; a drop begins on none.
PlannedMove: TypeAlias = tuple[int | None, int]


@dataclass(frozen=True, slots=True)
class Marks:
    """The squares to highlight on a board, by kind of highlight."""

    last: tuple[int, ...] = ()
    captured: tuple[int, ...] = ()
    checked: int | None = None
    lines: tuple[tuple[LineSquare, ...], ...] = ()  # each from the king outwards
    knights: tuple[int, ...] = ()
    tries: tuple[tuple[int, int], ...] = ()  # origin and target squares
    sensed: tuple[int, ...] = ()

    @property
    def on(self) -> dict[int, tuple[Mark, ...]]:
        """The highlights by square."""
        found: dict[int, tuple[Mark, ...]] = {}
        for mark, squares in self._by_mark():
            for square in squares:
                found[square] = (*found.get(square, ()), mark)
        return found

    def _by_mark(self) -> Iterator[tuple[Mark, Sequence[int]]]:
        """Yield each kind of highlight with its squares."""
        yield Mark.LAST, self.last
        yield Mark.CAPTURE, self.captured
        yield Mark.CHECKED, () if self.checked is None else (self.checked,)
        yield Mark.LINE, [step.square for line in self.lines for step in line]
        yield Mark.KNIGHT, self.knights
        yield Mark.TRY, sorted({target for _, target in self.tries})
        yield Mark.SENSED, self.sensed

    def with_planned(self, planned: Sequence[PlannedMove]) -> Mapping[int, tuple[Mark, ...]]:
        """Return the highlights by square, and where planned moves end."""
        on, targets = self.on, {target for _, target in planned}
        return {
            square: on.get(square, ()) + (Mark.PLANNED,) * (square in targets)
            for square in on.keys() | targets
        }

    def shown(self, on: Collection[Switch]) -> Marks:
        """Return only the highlights that the player has switched on."""
        kept = self if Switch.CHECK in on else replace(self, checked=None, lines=(), knights=())
        return replace(
            kept,
            last=self.last if Switch.LAST in on else (),
            captured=self.captured if Switch.CAPTURE in on else (),
            tries=self.tries if Switch.TRIES in on else (),
            sensed=self.sensed if Switch.SENSED in on else (),
        )


def switches(view: View) -> tuple[Switch, ...]:
    """List the highlight settings that make sense in this running game; none in other games."""
    if view.sight is None or view.state is not Stage.RUNNING:
        return ()
    senses = "sense none" in view.card.presses
    lacks = {
        Switch.OLDEST: True,
        Switch.CHECK: senses,
        Switch.TRIES: senses,
        Switch.SENSED: not senses,
        Switch.RECALLED: view.sight.turn is None,
    }
    return tuple(each for each in PAGE_SWITCHES if not lacks.get(each))


def collect_marks(view: View) -> Marks:
    """Collect the squares to highlight on a player's board; none unless the game is running."""
    sight = view.sight
    if sight is None or view.state is not Stage.RUNNING:
        return Marks()
    said = _slips_of_turn(view.slips)
    facts = [fact for slip in said for fact in slip.facts]
    kinds = _list_check_kinds(facts) if view.turn is view.side else ()
    king = next(iter(squares_of(sight.kings & sight.own)), None)
    checked = king if kinds else None
    return Marks(
        last=_find_last_move(view),
        captured=_find_captures(facts),
        checked=checked,
        lines=find_check_lines(sight, checked, kinds),
        knights=find_check_knights(sight, checked, kinds),
        tries=_list_pawn_captures(sight) if view.turn is view.side and _has_tries(facts, view.side) else (),
        sensed=_list_sensed(facts),
    )


def drop_recalled(view: View) -> View:
    """Return the view without remembered squares of earlier turns; callers check the player's switch."""
    slips = (slip._replace(sight=slip.sight._replace(recalled=())) for slip in view.slips)
    return replace(view, slips=tuple(slips))


def _slips_of_turn(slips: Sequence[Slip]) -> Sequence[Slip]:
    """Return what the umpire told the player since it last announced whose turn it is."""
    begun = [number for number, slip in enumerate(slips) if slip.tells(Common.TURN)]
    return slips[begun[-1] :] if begun else ()


def _find_last_move(view: View) -> tuple[int, ...]:
    """Return the squares of the side's last move since the pieces were set up, if any."""
    made: Fact | None = None
    for slip in view.slips:
        if slip.sets_up:
            made = None
        elif slip.made and slip.made["side"] == view.side:
            made = slip.made
    move = made["move"] if made else None
    if not isinstance(move, str) or move == "pass":
        return ()
    origin, target = SQUARE_NUMBER.get(move[:2]), SQUARE_NUMBER[move[2:4]]
    return (target,) if origin is None else (origin, target)


def _find_captures(facts: Sequence[Fact]) -> tuple[int, ...]:
    """Return the squares on which the umpire announced a capture."""
    told = (fact["square"] for fact in facts if fact.code == Common.CAPTURE)
    return tuple(SQUARE_NUMBER[square] for square in told if isinstance(square, str))


def _list_check_kinds(facts: Sequence[Fact]) -> tuple[str, ...]:
    """Return the kinds of check that the umpire announced, such as "file" or "knight"."""
    told = (fact["kinds"] for fact in facts if fact.code == Common.CHECK)
    return tuple(kind for kinds in told if isinstance(kinds, tuple) for kind in kinds)


def find_check_lines(
    sight: Sight, king: int | None, kinds: Sequence[str]
) -> tuple[tuple[LineSquare, ...], ...]:
    """Return, for each direction, the unseen squares from which a line piece may give check."""
    if king is None:
        return ()
    directions = (each for kind in kinds for each in _directions(king, kind))
    return tuple(filter(None, (tuple(_line(sight, king, *each)) for each in directions)))


def _directions(king: int, kind: str) -> tuple[tuple[int, int], ...]:
    """Return the two (file, rank) directions of a kind of check; empty for a knight."""
    rank, file = divmod(king, 8)
    rising, falling = 8 - abs(file - rank), 8 - abs(file + rank - 7)
    if kind == "rank":
        return (-1, 0), (1, 0)
    if kind == "file":
        return (0, -1), (0, 1)
    if kind in ("long-diagonal", "short-diagonal"):
        rises = (rising > falling) == (kind == "long-diagonal")
        return ((1, 1), (-1, -1)) if rises else ((1, -1), (-1, 1))
    return ()


def _line(sight: Sight, king: int, files: int, ranks: int) -> Iterator[LineSquare]:
    """Yield unseen squares from the king outwards, up to the edge or the first visible piece."""
    for far in range(1, 8):
        square = _offset_square(king, files * far, ranks * far)
        if square is None or sight.own >> square & 1:
            return
        if not sight.seen >> square & 1:
            yield LineSquare(square, far, files, ranks)
        elif any(mask >> square & 1 for _, mask in sight.masks()):
            return


def find_check_knights(sight: Sight, king: int | None, kinds: Sequence[str]) -> tuple[int, ...]:
    """Return the unseen squares from which a knight may give check, if one was announced."""
    if king is None or "knight" not in kinds:
        return ()
    jumps = [(files, ranks) for files in (-2, -1, 1, 2) for ranks in (-2, -1, 1, 2) if files**2 != ranks**2]
    reached = (_offset_square(king, *jump) for jump in jumps)
    return tuple(sorted(square for square in reached if square is not None and not sight.seen >> square & 1))


def angle_to_king(files: int, ranks: int) -> int:
    """Return the degrees to turn a downward chevron so that it points at the king."""
    return round(math.degrees(math.atan2(files, ranks))) % 360


def _offset_square(square: int, files: int, ranks: int) -> int | None:
    """Return the square so many files and ranks away; None off the board."""
    file, rank = square % 8 + files, square // 8 + ranks
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


def _has_tries(facts: Sequence[Fact], side: Side) -> bool:
    """Whether the umpire said in this turn that an own pawn can capture."""
    return any(
        (fact.code == Common.TRIES and fact["count"] != 0)
        or fact.code == Common.PAWN_CAPTURE
        or (fact.code == Common.ANY and fact["side"] == side and fact["answer"] is True)
        for fact in facts
    )


def rules_out_tries(view: View) -> bool:
    """Whether the umpire's words in this turn rule out every pawn capture."""
    facts = [fact for slip in _slips_of_turn(view.slips) for fact in slip.facts]
    is_silent = view.card.says_if_pawns_capture and all(fact.code != Common.PAWN_CAPTURE for fact in facts)
    is_none = any(fact.code == Common.TRIES and fact["count"] == 0 for fact in facts)
    return view.my_turn and (is_silent or is_none)


def _list_pawn_captures(sight: Sight) -> tuple[tuple[int, int], ...]:
    """List all captures by own pawns, as (from, to), whose target holds no own piece."""
    ahead = 1 if sight.side is Side.WHITE else -1
    found = (
        (pawn, _offset_square(pawn, files, ahead))
        for pawn in squares_of(sight.own & sight.pawns)
        for files in (-1, 1)
    )
    return tuple(
        (pawn, target) for pawn, target in found if target is not None and not sight.own >> target & 1
    )


def _list_sensed(facts: Sequence[Fact]) -> tuple[int, ...]:
    """List the squares that this turn's sense showed, in Reconnaissance Blind Chess."""
    told = [fact.shown for fact in facts if fact.code == Common.SENSED]
    return tuple(sorted(SQUARE_NUMBER[name] for shown in told if shown for name, _ in shown.on))


def find_targets(
    view: View, *, captures: bool | None = None, later: bool = False
) -> Mapping[str, tuple[str, ...]]:
    """Map each piece's square, or a reserve piece's letter, to the squares it could move to.

    `captures` keeps only pawn captures (True) or none (False). `later` lets pieces pass the side's own others.
    """
    sight = view.sight
    if sight is None or view.state is not Stage.RUNNING:
        return {}
    slants = {*_list_pawn_captures(sight)} if captures is not None else set()
    found: dict[str, dict[str, None]] = {}
    for move in _list_moves(view.card.key, sight, later=later):
        origin, target = move.split("@") if "@" in move else (move[:2], move[2:4])
        is_slant = (SQUARE_NUMBER.get(origin), SQUARE_NUMBER.get(target)) in slants
        if captures is None or captures is is_slant:
            found.setdefault(origin, {})[target] = None
    return {origin: tuple(targets) for origin, targets in found.items()}


def _list_moves(variant: str, sight: Sight, *, later: bool) -> Iterator[str]:
    """Yield the moves and drops that the side's own pieces allow, without the pass."""
    # By its next turn any of the side's other pieces may have moved or been captured.
    sights = [sight._replace(own=1 << square) for square in squares_of(sight.own)] if later else [sight]
    return (move for each in sights for move in catalogue.moves(variant, each) if move != "pass")


_UNSEEN = "?"


def overlay_view(view: View, on: Collection[Switch]) -> SquareMarks:
    """Return what to draw over a running game's board: the highlights that its player switched on."""
    sight = view.sight
    if sight is None:
        return ()
    return _collect_overlays(
        _overlay_squares(collect_marks(view).shown(on), sight.side, draw_signs(sight, view.ghosts))
    )


def overlay_last_move(touched: SquareChanges) -> SquareMarks:
    """Return what to draw over a finished game's board to show its last half-move."""
    named = (("last", touched.moved), ("ring", touched.taken), ("king", touched.checked))
    return _collect_overlays((SQUARE_NUMBER[square], mark) for mark, squares in named for square in squares)


def _collect_overlays(found: Iterator[tuple[int, str]]) -> SquareMarks:
    """Group the names of drawings by their square."""
    over = defaultdict[int, list[str]](list)
    for square, mark in found:
        over[square].append(mark)
    return tuple((square, tuple(over[square])) for square in sorted(over))


def _overlay_squares(marks: Marks, side: Side, signs: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each (square, drawing) of the highlights in drawing order, turned for one side."""
    rings, up = set(marks.captured), 1 if side is Side.WHITE else -1
    for line in marks.lines:
        yield from _draw_line(line, up, rings, signs)
    for origin, target in marks.tries:
        yield target, "try right" if (origin % 8 - target % 8) * up > 0 else "try left"
    if marks.checked is not None:
        yield marks.checked, "king"
    yield from ((each, "dot") for each in marks.knights if each not in rings and signs[each] == _UNSEEN)
    yield from ((each, "last") for each in marks.last if each not in rings)
    yield from ((each, "ring") for each in marks.captured)
    yield from _frame(marks.sensed, up)


def _draw_line(
    line: tuple[LineSquare, ...], up: int, rings: set[int], signs: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Yield the drawings of a possible check: a hairline, and chevrons on unknown squares."""
    last = line[-1]
    turn, ahead = angle_to_king(last.files * up, last.ranks * up), last.files + 8 * last.ranks
    for far in range(1, last.far):
        yield last.square - ahead * far, f"hair {turn % 180}"
    for step in line:
        if step.square not in rings and signs[step.square] == _UNSEEN:
            yield step.square, f"line {turn}"


def _frame(squares: Sequence[int], up: int) -> Iterator[tuple[int, str]]:
    """Yield the edges that frame the squares which a sense showed."""
    within = set(squares)
    for square in squares:
        for edge, files, ranks in (("left", -up, 0), ("right", up, 0), ("top", 0, up), ("bottom", 0, -up)):
            is_within = 0 <= square % 8 + files < 8 and square + 8 * ranks + files in within
            if not is_within:
                yield square, edge
