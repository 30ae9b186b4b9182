"""What is not there: the address alone tells what was looked for, and each page says what to do next."""

from __future__ import annotations

import re

import pytest

from tests.support.browser import Browser
from tests.support.table import ANN, EVE, Table

SOUGHT = {
    "/games/nnnnn": ("Not one of your games", "/games/"),
    "/finished/nothing": ("Finished game not found", "/games/?show=finished"),
    "/finished/nothing/game.pgn": ("Finished game not found", "/games/?show=finished"),
    "/offers/nothing": ("Challenge not found", "/lobby/"),
    "/rules/nothing": ("Variant not found", "/rules"),
    "/nothing": ("Page not found", "/lobby/"),
    "/admin/": ("Page not found", "/lobby/"),
    "/admin/nothing": ("Page not found", "/lobby/"),
}


def let_in(table: Table, address: str) -> Browser:
    browser = Browser(table.app())
    browser.let_in(table, address)
    return browser


def heading(browser: Browser) -> str:
    found = re.search(r"<h1>(.*?)</h1>", browser.answer.get_data(as_text=True))
    return found[1] if found else ""


@pytest.mark.parametrize("path", SOUGHT)
def test_what_is_not_there_is_called_by_what_it_would_be_and_says_where_to_go(
    table: Table, path: str
) -> None:
    table.begin()
    anns = let_in(table, ANN)
    anns.open(path)
    told, leads = SOUGHT[path]

    assert (anns.answer.status_code, heading(anns)) == (404, told)
    assert f'href="{leads}"' in anns.answer.get_data(as_text=True).partition("<main")[2]


def test_a_link_of_no_letter_leads_a_stranger_to_a_new_one(table: Table) -> None:
    browser = Browser(table.app())
    text = browser.open("/letters/nothing")

    assert heading(browser) == "Page not found"
    assert "Sign in by email" in text


def test_a_link_that_has_let_in_says_so_and_leads_to_a_new_one(table: Table) -> None:
    eves = Browser(table.app())
    eves.open("/sign-in")
    eves.press("Email me a code", address=EVE)
    table.work()
    link = re.search(r"https?://[^/\s]+(/letters/\S+)", table.says(EVE))
    assert link
    table.clock.pass_by(days=2)
    text = Browser(table.app()).open(link[1])

    assert "been used or has expired. Please ask for a new one." in text
    assert "Sign in by email" in text


def test_a_finished_games_address_that_was_cut_is_told_as_any_other(table: Table) -> None:
    table.begin()
    stranger = Browser(table.app())
    pages = []
    for path in ("/finished/nnnnn-aaaaaaaaaaaaaaaa", "/finished/x"):
        stranger.open(path)
        pages.append(stranger.answer.data)

    assert pages[0] == pages[1]
