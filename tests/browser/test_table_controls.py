"""The table's controls in a real browser: typing anywhere, dragging, lists, ghosts and arrow keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest

from corr.words.board import Pair, Side
from tests.browser.test_games import (
    HeldAnswers,
    Seat,
    click_square,
    fetch_news,
    press_by_click,
    seated,
    seen_on,
)
from tests.support.chromium import bounding_box
from tests.support.waiting import wait_until

__all__ = ["seated"]

Seated = Callable[[str, str], Pair[Seat]]


def test_typing_anywhere_writes_an_order_and_enter_sends_it(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.keyboard.type("e2e4")
    assert anns.window.get_by_label("Write your orders").input_value() == "e2e4"
    anns.window.keyboard.press("Enter")
    anns.window.get_by_text("Black is to move").wait_for()

    assert seen_on(anns, "e4") == "e4, your pawn"


def test_shift_and_enter_begin_another_line(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    for typed in ("draw?", "Shift+Enter", "e2e4"):
        anns.window.keyboard.press(typed) if "+" in typed else anns.window.keyboard.type(typed)

    assert anns.window.get_by_label("Write your orders").input_value() == "draw?\ne2e4"


def test_text_typed_into_a_note_survives_news(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    bens = seats.black.window
    bens.get_by_text("Notes").click()
    bens.locator("#note").fill("e5 is hers")
    seats.white.order("e2", "e4")
    fetch_news(bens)
    bens.get_by_text("Your turn", exact=True).wait_for()

    assert bens.locator("#note").input_value() == "e5 is hers"
    assert bens.locator("#orders").input_value() == ""


def test_a_ghost_is_dragged_from_its_tray(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.locator("#ghosts summary").click()
    anns.window.drag_and_drop("#ghosts [value=Q]", "[data-square=d8]")
    anns.window.locator("[data-square=d8] .gQ").wait_for()

    assert anns.window.locator("#ghosts").get_attribute("open") is not None


def test_title_and_icon_show_whose_turn_it_is(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    icon = seats.black.window.locator("link[rel=icon]")
    assert str(icon.get_attribute("href")).endswith("/mark.svg")
    seats.white.order("e2", "e4")
    fetch_news(seats.black.window)
    seats.black.window.get_by_text("Your turn", exact=True).wait_for()

    assert str(icon.get_attribute("href")).endswith("/mark-turn.svg")
    assert seats.black.window.title().startswith("Your turn: ")


def test_a_piece_follows_the_finger_and_the_page_does_not_scroll(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    wire = anns.window.context.new_cdp_session(anns.window)
    for kind, square in (("touchStart", "e2"), ("touchMove", "e3"), ("touchMove", "e4")):
        box = bounding_box(anns.window.locator(f"[data-square={square}]"))
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    anns.window.locator(".in-hand").wait_for()
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    anns.window.get_by_text("Black is to move").wait_for()

    assert seen_on(anns, "e4") == "e4, your pawn"
    assert anns.window.evaluate("window.scrollY") == 0


def test_dragging_plans_a_move_while_the_opponent_is_to_move(seated: Seated) -> None:
    bens = seated("wild16", "by clicks").black
    bens.look()
    bens.window.drag_and_drop("[data-square=e7]", "[data-square=e5]")
    bens.window.locator("#ordered").wait_for()
    planned = bens.window.locator("[data-square]", has_text="a move you plan ends here")
    assert planned.evaluate_all("all => all.map(each => each.dataset.square)") == ["e5"]
    press_by_click(bens.window, "Delete these orders")
    bens.window.locator("#ordered").wait_for(state="detached")

    assert planned.count() == 0


def test_a_list_is_built_by_clicks_and_its_second_try_is_the_move(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    press_by_click(anns.window, "A list of tries")
    anns.window.locator(".draft").wait_for()
    for origin, target in (("e2", "d3"), ("d2", "d4")):
        click_square(anns.window, origin)
        click_square(anns.window, target)
        anns.window.locator(".chips", has_text=origin + target).wait_for()
    anns.order(button="Send to the umpire")

    assert seen_on(anns, "d4") == "d4, your pawn"


def make_a_list(seat: Seat, *tries: str) -> None:
    """Build a list of tries by clicks."""
    press_by_click(seat.window, "A list of tries")
    seat.window.locator(".draft").wait_for()
    for each in tries:
        click_square(seat.window, each[:2])
        click_square(seat.window, each[2:])
        seat.window.locator(".chips", has_text=each).wait_for()


def focused(seat: Seat) -> str:
    """The label of the focused element."""
    called: str = seat.window.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText")
    return called


def test_the_focus_stays_near_a_removed_or_moved_try(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    make_a_list(anns, "e2d3", "d2d4", "g1f3")
    chips = anns.window.locator(".chips li")
    anns.window.locator("#up-g1f3").press("Enter")
    anns.window.locator(".chips li:nth-child(2)", has_text="g1f3").wait_for()
    assert focused(anns) == "Try g1f3 earlier"
    anns.window.keyboard.press("Enter")
    anns.window.locator(".chips li:first-child", has_text="g1f3").wait_for()
    assert focused(anns) == "Take g1f3 off the list"
    for left, then in (
        (2, "Take e2d3 off the list"),
        (1, "Take d2d4 off the list"),
        (0, "A list of tries"),
    ):
        anns.window.keyboard.press("Enter")
        wait_until(lambda left=left: chips.count() == left, f"{left} tries are left")
        assert focused(anns) == then


def test_dragging_a_piece_highlights_its_squares(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    for square, lit in (("g1", ["f3", "h3"]), ("e2", ["e3", "e4"])):
        anns.window.locator(f"[data-square={square}]").hover()
        anns.window.mouse.down()
        anns.window.mouse.move(400, 300, steps=3)
        names = anns.window.locator(".lit [data-square]").evaluate_all(
            "all => all.map(each => each.dataset.square)"
        )
        assert sorted(names) == lit
        anns.window.mouse.move(2, 2)
        anns.window.mouse.up()
        assert anns.window.locator(".lit").count() == 0


_MOTIONS = """
window.motions = [];
const move = Element.prototype.animate;
Element.prototype.animate = function (frames, { duration }) {
  motions.push([this.closest("td").textContent.slice(0, 2), duration <= 150]);
  return move.apply(this, arguments);
};
"""


@pytest.mark.parametrize(
    ("wish", "expected"), [("no-preference", [["e2", True], ["e4", True]]), ("reduce", [])]
)
def test_a_piece_slides_and_a_refused_one_returns_unless_reduced_motion_is_set(
    seated: Seated, wish: Literal["no-preference", "reduce"], expected: list[object]
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.window.emulate_media(reduced_motion=wish)
    anns.window.add_init_script(_MOTIONS)
    anns.look()
    anns.window.locator(".board .own").first.wait_for()
    anns.order("e2", "d3")
    anns.order("e2", "e4")

    assert anns.window.evaluate("motions") == expected


def test_a_dragged_piece_does_not_slide_again(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.window.add_init_script(_MOTIONS)
    anns.look()
    anns.window.drag_and_drop("[data-square=e2]", "[data-square=e4]")
    anns.window.get_by_text("Black is to move").wait_for()

    assert anns.window.evaluate("motions") == []


@pytest.mark.parametrize("target", ["e4", "d3"])
def test_a_piece_stays_where_it_was_dropped_until_the_umpire_has_answered(
    seated: Seated, target: str
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    held = HeldAnswers(anns.window, lambda request: request.method == "POST")
    with anns.window.expect_request(lambda request: request.method == "POST"):
        anns.window.drag_and_drop("[data-square=e2]", f"[data-square={target}]")
    left = bounding_box(anns.window.locator(".in-hand"))
    square = bounding_box(anns.window.locator(f"[data-square={target}]"))
    faint = anns.window.locator(".lifted").evaluate_all("all => all.map(each => each.dataset.square)")
    held.go()
    anns.window.locator("#answer").wait_for()
    anns.window.locator(".in-hand").wait_for(state="detached")

    assert (left["x"], left["y"]) == pytest.approx((square["x"], square["y"]), abs=1)
    assert faint == ["e2"]
    assert anns.window.locator(".lifted").count() == 0


def test_a_mark_is_toggled_by_keys_and_keeps_the_focus(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    seats.white.look()
    seats.white.order("e2", "e4")
    e4 = seats.white.window.locator("[data-square=e4]")
    assert e4.text_content() == "e4, your pawn; your last move"
    seats.white.window.locator("#unfold").press("Enter")
    switch = seats.white.window.get_by_role("switch", name="Your last move")
    switch.press("Enter")
    seats.white.window.get_by_role("switch", name="Your last move", checked=False).wait_for()

    assert e4.text_content() == "e4, your pawn"
    assert seats.white.window.evaluate("document.activeElement.id") == "switch-last"


def test_arrow_keys_step_through_past_boards_and_news_does_not_end_that(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    anns, bens = seats.white.window, seats.black.window
    seats.white.order("e2", "e4")
    how = anns.locator("#how")
    for key, shown, e4 in (
        ("ArrowLeft", "before your move 1", "e4, unseen"),
        ("ArrowRight", "plan your next move", "e4, your pawn"),
        ("ArrowLeft", "before your move 1", "e4, unseen"),
    ):
        anns.keyboard.press(key)
        anns.locator("#how", has_text=shown).wait_for()
        assert seen_on(seats.white, "e4") == e4
    fetch_news(bens)
    bens.get_by_text("Your turn", exact=True).wait_for()
    seats.black.order("e7", "e5")
    fetch_news(anns)
    anns.locator("#news").wait_for()
    assert "before your move 1" in how.inner_text()
    anns.keyboard.press("Escape")

    anns.get_by_text("Your turn", exact=True).wait_for()
