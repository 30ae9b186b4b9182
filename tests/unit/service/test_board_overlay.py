"""The marks in an email's picture are those of the page, seen from the reader's side."""

from __future__ import annotations

import pytest

from corr.images.board_image import MARKS
from corr.service.games.board_marks import Mark, collect_marks, overlay_last_move, overlay_view
from corr.service.players.switches import Switch
from corr.words.board import SQUARES, Side
from corr.words.replay import SquareChanges
from corr.words.slips import SquareMarks
from tests.support.sight_cases import START
from tests.unit.service.test_board_marks import ALL_MARKS, CASES, Case, sensed, turn, view

ALL = frozenset(Switch)
#: How each mark is drawn.
DRAWN = {
    Mark.LAST: {"last"},
    Mark.CAPTURE: {"ring"},
    Mark.CHECKED: {"king"},
    Mark.LINE: {each for each in MARKS if each.startswith("line")},
    Mark.KNIGHT: {"dot"},
    Mark.TRY: {"try left", "try right"},
    Mark.SENSED: {"left", "right", "top", "bottom"},
}
#: What each switch removes.
REMOVED_BY = {
    Switch.LAST: {"last"},
    Switch.CAPTURE: {"ring"},
    Switch.CHECK: {"king"} | {each for each in MARKS if each.startswith(("line", "hair"))},
    Switch.TRIES: {"try left", "try right"},
}


def by_name(marked: SquareMarks) -> dict[str, tuple[str, ...]]:
    return {SQUARES[square]: over for square, over in marked}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_email_has_the_marks_of_the_page(case: Case) -> None:
    seen = view(case)
    over, found = dict(overlay_view(seen, ALL)), collect_marks(seen).on

    for square, kinds in found.items():
        drawn = {*over.get(square, ())}
        is_inside = kinds == (Mark.SENSED,)
        assert is_inside or any(drawn & DRAWN[kind] for kind in kinds)
    hairs = {square for square, drawn in over.items() if all(each.startswith("hair") for each in drawn)}
    assert over.keys() - hairs <= found.keys()


def test_a_line_of_check_passes_empty_squares_towards_the_king() -> None:
    over = by_name(
        overlay_view(view(CASES["a line passes squares seen empty, and ends at an enemy piece"]), ALL)
    )

    assert over["d2"] == ("king",)
    assert over["h2"] == ("line 90",)
    assert over["g2"] == ("hair 90", "line 90")
    assert over["e2"] == over["f2"] == ("hair 90",)
    assert over["b2"] == ("line 270",)


@pytest.mark.parametrize(
    ("side", "edges"), [(Side.WHITE, ("left", "top")), (Side.BLACK, ("right", "bottom"))]
)
def test_the_frame_of_a_sense_follows_the_readers_side(side: Side, edges: tuple[str, str]) -> None:
    window = tuple(f"{file}{rank}" for file in "bcd" for rank in "456")
    over = by_name(overlay_view(view(Case(START, ((turn(side),), (sensed(*window),)), "", side)), ALL))

    assert over["b6"] == edges
    assert "c5" not in over


@pytest.mark.parametrize("off", REMOVED_BY)
def test_a_switch_removes_only_its_marks(off: Switch) -> None:
    seen = view(ALL_MARKS)
    whole, rest = overlay_view(seen, ALL), overlay_view(seen, ALL - {off})
    drawn = {mark for _, over in whole for mark in over} - {mark for _, over in rest for mark in over}

    assert drawn
    assert drawn <= REMOVED_BY[off]


def test_the_final_board_marks_the_last_move() -> None:
    end = overlay_last_move(SquareChanges(("e4", "d5"), ("d5",), ("e8",)))
    assert by_name(end) == {"e4": ("last",), "d5": ("last", "ring"), "e8": ("king",)}
