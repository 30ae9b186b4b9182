"""Pages that don't exist: the address alone decides the heading, and each page says what to do next."""

from __future__ import annotations

import re

import pytest

from tests.support.browser import Browser
from tests.support.table import ANN, EVE, Table

MISSING = {
    "/games/nnnnn": ("Not one of your games", "/games/"),
    "/finished/nothing": ("Finished game not found", "/games/?show=finished"),
    "/finished/nothing/game.pgn": ("Finished game not found", "/games/?show=finished"),
    "/offers/nothing": ("Challenge not found", "/lobby/"),
    "/rules/nothing": ("Variant not found", "/rules"),
    "/nothing": ("Page not found", "/lobby/"),
    "/admin/": ("Page not found", "/lobby/"),
    "/admin/nothing": ("Page not found", "/lobby/"),
}


def signed_in(table: Table, address: str) -> Browser:
    browser = Browser(table.app())
    browser.sign_in_directly(table, address)
    return browser


def heading(browser: Browser) -> str:
    found = re.search(r"<h1>(.*?)</h1>", browser.answer.get_data(as_text=True))
    return found[1] if found else ""


@pytest.mark.parametrize("path", MISSING)
def test_a_missing_page_says_what_is_missing_and_where_to_go(table: Table, path: str) -> None:
    table.begin()
    ann = signed_in(table, ANN)
    ann.open(path)
    title, link = MISSING[path]

    assert (ann.answer.status_code, heading(ann)) == (404, title)
    assert f'href="{link}"' in ann.answer.get_data(as_text=True).partition("<main")[2]


def test_an_unknown_email_link_offers_to_sign_in(table: Table) -> None:
    browser = Browser(table.app())
    text = browser.open("/letters/nothing")

    assert heading(browser) == "Page not found"
    assert "Sign in by email" in text


def test_an_expired_sign_in_link_offers_a_new_one(table: Table) -> None:
    eve = Browser(table.app())
    eve.open("/sign-in")
    eve.press("Email me a code", address=EVE)
    table.run_workers()
    link = re.search(r"https?://[^/\s]+(/letters/\S+)", table.last_text(EVE))
    assert link
    table.clock.advance(days=2)
    text = Browser(table.app()).open(link[1])

    assert "been used or has expired. Please ask for a new one." in text
    assert "Sign in by email" in text


def test_a_truncated_finished_games_address_looks_like_any_unknown_one(table: Table) -> None:
    table.begin()
    stranger = Browser(table.app())
    pages = []
    for path in ("/finished/nnnnn-aaaaaaaaaaaaaaaa", "/finished/x"):
        stranger.open(path)
        pages.append(stranger.answer.data)

    assert pages[0] == pages[1]
