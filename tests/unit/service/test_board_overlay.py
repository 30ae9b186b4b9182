"""The marks of a letter's board are those of the page, drawn square by square from the reader's own side."""

from __future__ import annotations

import pytest

from corr.images.board_image import MARKS
from corr.service.games.board_marks import Mark, collect_marks, overlay_last_move, overlay_view
from corr.service.players.switches import Switch
from corr.words.board import SQUARES, Side
from corr.words.replay import SquareChanges
from corr.words.slips import SquareMarks
from tests.support.sight_cases import START
from tests.unit.service.test_board_marks import ALL_AT_ONCE, CASES, Case, sensed, turn, view

ALL = frozenset(Switch)
#: What each mark is drawn as.
DRAWN = {
    Mark.LAST: {"last"},
    Mark.CAPTURE: {"ring"},
    Mark.CHECKED: {"king"},
    Mark.LINE: {each for each in MARKS if each.startswith("line")},
    Mark.KNIGHT: {"dot"},
    Mark.TRY: {"try left", "try right"},
    Mark.SENSED: {"left", "right", "top", "bottom"},
}
#: What goes from the drawing when it is switched off.
OF_A_MARK = {
    Switch.LAST: {"last"},
    Switch.CAPTURE: {"ring"},
    Switch.CHECK: {"king"} | {each for each in MARKS if each.startswith(("line", "hair"))},
    Switch.TRIES: {"try left", "try right"},
}


def named(marked: SquareMarks) -> dict[str, tuple[str, ...]]:
    return {SQUARES[square]: over for square, over in marked}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_a_page_marks_a_letter_marks_too(case: Case) -> None:
    seen = view(case)
    over, found = dict(overlay_view(seen, ALL)), collect_marks(seen).on

    for square, kinds in found.items():
        drawn = {*over.get(square, ())}
        is_inside = kinds == (Mark.SENSED,)
        assert is_inside or any(drawn & DRAWN[kind] for kind in kinds)
    hairs = {square for square, drawn in over.items() if all(each.startswith("hair") for each in drawn)}
    assert over.keys() - hairs <= found.keys()


def test_the_line_of_a_check_runs_on_through_what_is_seen_empty_and_points_to_the_king() -> None:
    over = named(
        overlay_view(
            view(CASES["a line goes on behind what is seen empty, and ends where an enemy is seen"]), ALL
        )
    )

    assert over["d2"] == ("king",)
    assert over["h2"] == ("line 90",)
    assert over["g2"] == ("hair 90", "line 90")
    assert over["e2"] == over["f2"] == ("hair 90",)
    assert over["b2"] == ("line 270",)


@pytest.mark.parametrize(
    ("side", "edges"), [(Side.WHITE, ("left", "top")), (Side.BLACK, ("right", "bottom"))]
)
def test_a_frame_of_what_was_sensed_has_its_edges_where_its_reader_sees_them(
    side: Side, edges: tuple[str, str]
) -> None:
    window = tuple(f"{file}{rank}" for file in "bcd" for rank in "456")
    over = named(overlay_view(view(Case(START, ((turn(side),), (sensed(*window),)), "", side)), ALL))

    assert over["b6"] == edges
    assert "c5" not in over


@pytest.mark.parametrize("off", OF_A_MARK)
def test_what_is_switched_off_is_not_drawn_and_all_else_is(off: Switch) -> None:
    seen = view(ALL_AT_ONCE)
    whole, kept = overlay_view(seen, ALL), overlay_view(seen, ALL - {off})
    drawn = {mark for _, over in whole for mark in over} - {mark for _, over in kept for mark in over}

    assert drawn
    assert drawn <= OF_A_MARK[off]


def test_the_end_marks_what_the_last_half_move_did() -> None:
    end = overlay_last_move(SquareChanges(("e4", "d5"), ("d5",), ("e8",)))
    assert named(end) == {"e4": ("last",), "d5": ("last", "ring"), "e8": ("king",)}
