"""Every page in a real browser: accessible on a phone and a desktop, in light and dark, and valid HTML."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corr.web import create_app
from tests.support.browser import Browser
from tests.support.chromium import (
    ColorScheme,
    Windows,
    axe_violations,
    horizontal_overflow,
    html_errors,
    open_path,
    set_view,
)
from tests.support.every_page import OPERATOR, PAGES, PLAYER, STRANGER, WHITE, Page, SampleSite, path_to
from tests.support.table import EVE, Table

if TYPE_CHECKING:
    from playwright.sync_api import Page as Window

#: A folder for screenshots of all pages, if wanted.
PICTURES = os.environ.get("CORR_PICTURES", "")
#: All rules in light; in dark only those about colours: all else is the same (`tests/unit/web/test_dark_theme.py`).
KINDS: dict[ColorScheme, str] = {"light": "", "dark": "cat.color"}
#: Lists too narrow for their choice, or for any of their choices.
_CUT = """
chosen => [...document.querySelectorAll('select')].filter(list => {
  const words = document.body.appendChild(document.createElement('span'));
  const { font, paddingLeft } = getComputedStyle(list);
  Object.assign(words.style, { font, position: 'absolute', whiteSpace: 'nowrap' });
  const wide = Math.max(...[...chosen ? list.selectedOptions : list.options].map(each => {
    words.textContent = each.text;
    return words.getBoundingClientRect().width;
  }));
  words.remove();
  return wide + 2 * parseFloat(paddingLeft) + 16 > list.clientWidth;
}).map(list => list.id)
"""
#: Ordered so that each step changes one thing, and the window is resized as rarely as possible.
LOOKS: tuple[tuple[int, ColorScheme], ...] = ((320, "light"), (320, "dark"), (1280, "dark"), (1280, "light"))


@pytest.fixture(scope="module")
def window(windows: Windows) -> Iterator[Window]:
    """One window for all tests of this file."""
    with windows.open() as opened:
        yield opened


def barriers(window: Window, name: str) -> dict[tuple[int, str], object]:
    """What axe finds wrong with the open page, by width and colour scheme; takes screenshots if wanted."""
    found = {}
    for width, light in LOOKS:
        set_view(window, light, width)
        if PICTURES:
            window.screenshot(path=Path(PICTURES) / f"{name}, {width}, {light}.png", full_page=True)
        found[width, light] = axe_violations(window, KINDS[light]), horizontal_overflow(window)
    return {each: wrong for each, wrong in found.items() if wrong != ([], 0)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_accessible_in_light_and_dark(
    sample_site: SampleSite, windows: Windows, window: Window, page: Page
) -> None:
    windows.change_user(window, sample_site.cookies.get(page.who, ""))
    assert open_path(window, page.path(sample_site), page.method) == page.status

    assert barriers(window, page.name) == {}


def test_a_chosen_theme_overrides_the_device_setting(window: Window) -> None:
    open_path(window, "/rules")
    shown = set()
    for device in ("light", "dark"):
        window.emulate_media(color_scheme=device)
        for theme in ("light", "dark"):
            window.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            colour = window.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            shown.add((theme, colour))

    assert shown == {("light", "rgb(227, 233, 235)"), ("dark", "rgb(15, 23, 29)")}


def test_the_demos_mailboxes_are_accessible_in_light_and_dark(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        open_path(window, "/demo/")

        assert barriers(window, "the demo's mailboxes") == {}
        assert demo.problems == []


def test_the_page_that_waits_for_a_game_is_accessible_in_light_and_dark(
    table: Table, windows: Windows, tmp_path: Path
) -> None:
    eve = Browser(create_app(table.server, lambda _work: None))
    eve.sign_in(table, EVE, "Eve")
    assert "We're setting up the board" in eve.press("Play Pip")
    (tmp_path / "a game that begins.html").write_bytes(eve.answer.data)

    with windows.open() as window:
        window.route(
            "**/lobby/begins/*", lambda route: route.fulfill(body=eve.answer.data, content_type="text/html")
        )
        window.goto(eve.path)

        assert barriers(window, "a game that begins") == {}
    assert html_errors(tmp_path) == []


def test_all_pages_are_valid_html(sample_site: SampleSite, tmp_path: Path) -> None:
    for page in PAGES:
        answer = sample_site.client(page.who).open(page.path(sample_site), method=page.method)
        (tmp_path / f"{page.name}.html").write_bytes(answer.data)

    assert html_errors(tmp_path) == []


@pytest.mark.parametrize("width", [390, 1366])
@pytest.mark.parametrize(("path", "of_each"), [("/lobby/", "what is chosen"), ("/settings/", "")])
def test_choices_in_lists_are_not_cut_off(
    sample_site: SampleSite, windows: Windows, window: Window, path: str, of_each: str, width: int
) -> None:
    windows.change_user(window, sample_site.cookies[PLAYER])
    window.set_viewport_size({"width": width, "height": 800})
    window.goto(path)

    assert window.evaluate(_CUT, of_each) == []


def test_a_private_link_is_copied_by_a_button(
    sample_site: SampleSite, windows: Windows, window: Window
) -> None:
    windows.change_user(window, sample_site.cookies[PLAYER])
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    window.goto(sample_site.paths["offer"])
    window.get_by_role("button", name="Copy link").click()
    window.get_by_role("button", name="Link copied").wait_for()

    copied = window.evaluate("navigator.clipboard.readText()")
    assert copied == window.locator("p.link").inner_text()


@pytest.mark.parametrize("width", [390, 1366])
def test_a_message_is_as_wide_as_the_card_below_it(
    sample_site: SampleSite, windows: Windows, window: Window, width: int
) -> None:
    windows.change_user(window, sample_site.cookies[PLAYER])
    window.set_viewport_size({"width": width, "height": 800})
    window.goto(sample_site.paths["offer"])
    sides = window.evaluate(
        """() => {
          document.getElementById('main').insertAdjacentHTML('afterbegin', '<p class="news">Your link is ready.</p>');
          return ['.news', '.offered'].map(each => {
            const { left, right } = document.querySelector(each).getBoundingClientRect();
            return [left, right];
          });
        }"""
    )

    assert sides[0] == sides[1]


@pytest.mark.parametrize(
    ("who", "at", "chosen"),
    [
        (STRANGER, path_to("finished rbc", "?from=white"), ".tabs [aria-current]"),
        (WHITE, lambda _stage: "/games/", ".filters [aria-current]"),
        (OPERATOR, lambda _stage: "/admin/", ".filters [aria-current]"),
    ],
)
def test_a_chosen_filter_is_readable_under_the_pointer(
    sample_site: SampleSite,
    windows: Windows,
    window: Window,
    who: str,
    at: Callable[[SampleSite], str],
    chosen: str,
) -> None:
    windows.change_user(window, sample_site.cookies.get(who, ""))
    window.goto(at(sample_site))
    window.locator(chosen).first.hover()

    assert axe_violations(window, "cat.color") == []


# ---------------------------------------------------------------- the checks themselves find problems


def test_accessibility_problems_are_found(windows: Windows) -> None:
    with windows.open() as blank:
        blank.set_content("<main><h1>h</h1><p style='color: #666'>grey</p><button></button></main>")
        light = [each.partition(" ")[0] for each in axe_violations(blank)]

    assert light == ["button-name", "color-contrast-enhanced", "document-title", "html-has-lang"]


def test_a_page_wider_than_a_phone_is_found(windows: Windows) -> None:
    with windows.open(width=320) as blank:
        blank.set_content("<p style='width: 400px'>wide</p>")

        assert horizontal_overflow(blank) > 0


def test_chromiums_complaints_are_found(windows: Windows) -> None:
    with windows.open() as window:
        window.goto("/")
        window.set_content(
            "<p style='color: red'>red</p><script>alert(1)</script>"
            "<img src='http://far.example/x.png'><img src='/none'>"
        )
        window.wait_for_load_state()
    found, windows.problems[:] = windows.problems[:], []

    for words in ("inline style", "inline script", "far.example", "404: "):
        assert any(words in each for each in found), (words, found)


def test_invalid_html_is_found(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        "<!DOCTYPE html><html lang='en'><head><title>t</title></head><p><div></div></p>"
    )

    assert len(html_errors(tmp_path)) > 0
