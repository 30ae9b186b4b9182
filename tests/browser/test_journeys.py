"""What people do on the pages in a real browser, with scripts and without, by mouse and by keyboard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import link_in
from tests.support.open_house import OpenHouse
from tests.support.table import text_of
from tests.support.windows import Windows

if TYPE_CHECKING:
    from playwright.sync_api import Page


#: What the field with the focus is called.
FOCUSED = "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()"


def type_into(window: Page, field: str, text: str) -> None:
    """Come to a field by Tab alone, fill it in and press Enter, as somebody without a mouse does."""
    window.get_by_label(field).wait_for()
    for _ in range(40):
        window.keyboard.press("Tab")
        if window.evaluate(FOCUSED) == field:
            break
    else:
        raise AssertionError(f"Tab does not come to {field!r}")
    window.keyboard.type(text)
    window.keyboard.press("Enter")


def sign_in(server: OpenHouse, window: Page, address: str, name: str) -> None:
    """Come in by the number that is mailed, and choose a name, all by keyboard."""
    window.goto("/sign-in")
    type_into(window, "Your email address", address)
    found = re.search(r'the six digits "(\d{6})"', server.wait_for(address, "the six digits"))
    assert found
    type_into(window, "Six digits", found[1])
    type_into(window, "Your name, as opponents will see it", name)
    window.get_by_text(f"You are {name}.").wait_for()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_two_strangers_come_to_a_game(open_house: OpenHouse, windows: Windows, scripts: bool) -> None:  # noqa: FBT001  # pytest names it
    way = "with" if scripts else "without"
    una, vic = f"una@{way}.example", f"vic@{way}.example"
    with windows.of(scripts=scripts) as unas, windows.of(scripts=scripts, light="dark", width=320) as vics:
        sign_in(open_house, unas, una, f"Una {way}")
        unas.get_by_label("One player").fill(vic)
        unas.get_by_role("button", name="Challenge").click()
        open_house.wait_for(vic, "would like to play")
        vics.goto(link_in(text_of(open_house.table.newest(vic))))
        vics.get_by_label("Your name").fill(f"Vic {way}")
        vics.get_by_role("button", name="Accept").click()
        vics.locator(".board").wait_for()
        open_house.wait_for(una, f"Vic {way}")
        unas.goto("/games/")

        assert unas.get_by_role("link", name=f"Vic {way}").is_visible()


def test_a_page_says_the_same_with_scripts_and_without(windows: Windows) -> None:
    said = []
    for scripts in (True, False):
        with windows.of(scripts=scripts) as window:
            window.goto("/lobby/")
            said.append(window.locator("body").inner_text())

    assert said[0] == said[1]
