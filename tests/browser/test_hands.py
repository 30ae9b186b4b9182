"""Hands at the table in a real browser: typing anywhere, ghosts from their tray, a turn that calls."""

from __future__ import annotations

from collections.abc import Callable

from corr.words.board import Pair, Side
from tests.browser.test_games import Seat, by_click, look_for_news, press_by_click, seated, seen_on

__all__ = ["seated"]

Seated = Callable[[str, str], Pair[Seat]]


def test_who_types_anywhere_writes_an_order_and_enter_sends_it(seated: Seated) -> None:
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


def test_what_is_typed_into_a_note_stays_there_through_the_news(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    bens = seats.black.window
    bens.get_by_text("Your notes").click()
    bens.locator("#note").fill("e5 is hers")
    seats.white.order("e2", "e4")
    look_for_news(bens)
    bens.get_by_text("Your turn").first.wait_for()

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
    look_for_news(seats.black.window)
    seats.black.window.get_by_text("Your turn").first.wait_for()

    assert str(icon.get_attribute("href")).endswith("/mark-turn.svg")
    assert seats.black.window.title().startswith("Your turn: ")


def test_a_man_follows_the_finger_to_his_square_and_the_page_stays(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    wire = anns.window.context.new_cdp_session(anns.window)
    for kind, square in (("touchStart", "e2"), ("touchMove", "e3"), ("touchMove", "e4")):
        box = anns.window.locator(f"[data-square={square}]").bounding_box()
        assert box
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    anns.window.locator(".in-hand").wait_for()
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    anns.window.get_by_text("Black is to move").wait_for()

    assert seen_on(anns, "e4") == "e4, your pawn"
    assert anns.window.evaluate("window.scrollY") == 0


def test_a_list_is_made_up_by_clicks_and_its_second_try_is_the_move(seated: Seated) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    press_by_click(anns.window, "A list of tries")
    anns.window.locator(".draft").wait_for()
    for origin, target in (("e2", "e5"), ("d2", "d4")):
        by_click(anns.window, origin)
        by_click(anns.window, target)
        anns.window.locator(".chips", has_text=origin + target).wait_for()
    anns.order(button="Send to the umpire")

    assert seen_on(anns, "d4") == "d4, your pawn"
