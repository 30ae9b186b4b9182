"""Layout shifts: pieces, fog and fonts that arrive late move nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.chromium import Windows, wait_for_fonts
from tests.support.every_page import PAGES, Page, SampleSite

if TYPE_CHECKING:
    from playwright.sync_api import Route

SHOWN = (
    "the front page",
    "the rules of wild16",
    "the lobby of a player",
    "one's games",
    "a table of rbc",
    "the table while the opponent is to move",
    "pieces in both reserves",
    "setting up the pieces",
    "a ghost in hand",
    "a finished game",
)
LATE = ("**/*.svg", "**/*.webp", "**/*.png", "**/*.woff2")
#: The position of every element of the page.
_PLACES = """
() => [...document.body.querySelectorAll('*')].map(each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return `${each.tagName} ${each.className} ${[x, y, width, height].map(Math.round)}`;
})
"""
#: Two frames later everything has been drawn.
_DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("page", [each for each in PAGES if each.name in SHOWN], ids=lambda page: page.name)
def test_nothing_moves_when_images_and_fonts_arrive(
    sample_site: SampleSite, windows: Windows, page: Page, width: int
) -> None:
    held: list[Route] = []
    is_measured = False

    def hold(route: Route) -> None:
        if is_measured:
            route.continue_()
        else:
            held.append(route)

    with windows.open(sample_site.cookies.get(page.who, ""), width=width) as window:
        for each in LATE:
            window.route(each, hold)
        window.goto(page.path(sample_site), wait_until="domcontentloaded")
        window.evaluate(_DRAWN)
        before = window.evaluate(_PLACES)
        is_measured = True
        while held:
            held.pop().continue_()
        window.wait_for_load_state("load")
        wait_for_fonts(window)
        window.evaluate(_DRAWN)

        assert window.evaluate(_PLACES) == before
