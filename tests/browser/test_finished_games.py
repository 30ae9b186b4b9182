"""A finished game in a real browser: its steps by keys, its layout, and copying its link."""

from __future__ import annotations

import pytest

from tests.browser.test_phones import SHIFTS
from tests.support.chromium import Windows, bounding_box
from tests.support.every_page import SampleSite
from tests.support.table import WEB_URL

#: The positions of the large board and the steps.
_PLACES = """
JSON.stringify(['.centre .field', '#first', '#back', '#next', '#last', '#play'].map(each => {
  const { left, top, width, height } = document.querySelector(each).getBoundingClientRect();
  return [left, top, width, height];
}))
"""
_TOPS = "all => all.filter(each => each.offsetHeight).map(each => each.getBoundingClientRect().top)"


def test_arrows_home_and_end_step_through_a_game_without_loading_a_page(
    sample_site: SampleSite, windows: Windows
) -> None:
    with windows.open() as window:
        window.goto(sample_site.paths["finished crazykrieg"] + "?at=2")
        window.evaluate("window.isTheSame = true")
        for key, step in (
            ("ArrowRight", 3),
            ("ArrowLeft", 2),
            ("ArrowLeft", 1),
            ("Home", 0),
            ("ArrowRight", 1),
        ):
            window.keyboard.press(key)
            window.locator(f'.moves a[aria-current="step"][href$="at={step}"]').wait_for()
            assert window.url.endswith(f"at={step}")
        window.keyboard.press("t")
        window.locator('.ranks p:first-child:has-text("1")').first.wait_for()
        window.keyboard.press("End")
        window.locator("span#next").wait_for()
        window.get_by_role("button", name="Play").click()
        window.locator('.moves a[aria-current="step"][href$="at=0"]').wait_for()

        assert window.evaluate("window.isTheSame")


def test_play_starts_from_the_beginning_if_the_address_names_no_step(
    sample_site: SampleSite, windows: Windows
) -> None:
    with windows.open() as window:
        window.goto(sample_site.paths["finished crazykrieg"] + "?at=2")
        window.evaluate("history.replaceState(null, '', location.pathname)")
        window.get_by_role("button", name="Play").click()
        for step in (0, 1):
            window.locator(f'.moves a[aria-current="step"][href$="at={step}"]').wait_for()


def test_a_small_laptop_shows_the_whole_board_and_its_files(
    sample_site: SampleSite, windows: Windows
) -> None:
    with windows.open() as window:
        window.set_viewport_size({"width": 1200, "height": 640})
        window.goto(sample_site.paths["finished rbc"])
        board = bounding_box(window.locator(".centre .map"))

        assert board["y"] + board["height"] <= 640


def test_the_board_stays_where_it_is_when_a_script_shows_its_buttons(
    sample_site: SampleSite, windows: Windows
) -> None:
    with windows.open() as window:
        window.set_viewport_size({"width": 360, "height": 640})
        window.add_init_script(f"({SHIFTS})()")
        window.goto(sample_site.paths["finished rbc"])
        for button in ("Play", "Copy link"):
            window.get_by_role("button", name=button).wait_for()
        window.wait_for_load_state("networkidle")

        assert window.evaluate("window.shifts") == []


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (905, 640), (1366, 640), (1366, 768)])
def test_board_and_buttons_stay_in_their_places_from_move_to_move(
    sample_site: SampleSite, windows: Windows, width: int, height: int
) -> None:
    with windows.open(waits_for_fonts=True) as window:
        window.set_viewport_size({"width": width, "height": height})
        window.goto(sample_site.paths["finished crazykrieg"] + "?at=0")
        window.get_by_role("button", name="Play").wait_for()
        places, last = [], window.locator(".moves a").count() - 1
        for at in range(last + 1):
            window.locator(f'.moves a[aria-current="step"][href$="at={at}"]').wait_for()
            places.append(window.evaluate(_PLACES))
            if at == 1:
                window.locator("#now").evaluate(
                    "each => { each.textContent = '114… dxe8=Q+ and a lot more words'; }"
                )
                places.append(window.evaluate(_PLACES))
            window.keyboard.press("ArrowRight")
        boards = window.locator(".map").evaluate_all(_TOPS)

        assert {*places} == {places[0]}
        assert width < 1366 or len({*boards}) == 1


def test_link_and_pgn_are_copied_and_announced(sample_site: SampleSite, windows: Windows) -> None:
    place = sample_site.paths["finished crazykrieg"]
    with windows.open() as window:
        window.context.grant_permissions(["clipboard-read", "clipboard-write"])
        window.goto(f"{place}?at=2")
        for button, said, start in (
            ("Copy link", "Link copied", f"{WEB_URL}{place}?at=2"),
            ("Copy PGN", "PGN copied", '[Event "CrazyKrieg by mail"]'),
        ):
            window.get_by_role("button", name=button).click()
            window.locator(f'[role="status"]:text-is("{said}")').wait_for(state="attached")
            window.get_by_role("button", name=said).wait_for()
            assert window.evaluate("navigator.clipboard.readText()").startswith(start)
        window.get_by_label("Link to this position").press("Home")
        assert window.url.endswith("at=2")


def test_without_scripts_a_field_holds_the_link_and_there_is_no_copy_button(
    sample_site: SampleSite, windows: Windows
) -> None:
    with windows.open(scripts=False) as window:
        window.goto(sample_site.paths["finished crazykrieg"] + "?at=2")

        assert window.get_by_label("Link to this position").input_value().endswith("?at=2")
        assert not window.get_by_role("button", name="Copy").count()
        assert window.get_by_role("link", name="Download PGN").count()
