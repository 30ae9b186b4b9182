"""No page shows another person's address, or words that only the rules use."""

from __future__ import annotations

import re

import pytest

from corr.words.slips import say_plainly
from tests.support.api_bots import api_get, make_token
from tests.support.browser import text_of_page
from tests.support.every_page import (
    ADDING_ADDRESS,
    GUS,
    IDA,
    NED,
    ODA,
    OPERATOR,
    PAGES,
    PLAYER,
    SIGNED_IN_EARLIER,
    SIGNING_IN,
    STRANGER,
    Page,
    SampleSite,
)
from tests.support.table import ANN, BEN, EVE, FAY, Table

ADDRESS = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+example\b")
SERVER_ADDRESSES = {"umpire@play.example", "postmaster@play.example"}
#: Addresses a reader may see: their own, those they entered, and those behind the link they opened.
KNOWN = {
    PLAYER: {EVE, FAY, IDA},
    SIGNED_IN_EARLIER: {EVE},
    ADDING_ADDRESS: {NED, ODA},
    SIGNING_IN: {GUS},
    STRANGER: {GUS, ODA},
}


@pytest.mark.xdist_group("stage")
@pytest.mark.parametrize(
    "page",
    [each for each in PAGES if each.who != OPERATOR],
    ids=lambda each: f"{each.name}, {each.who}",
)
def test_a_page_names_no_address_that_its_reader_does_not_know(sample_site: SampleSite, page: Page) -> None:
    answer = sample_site.client(page.who).open(page.path(sample_site), method=page.method)

    addresses = {*ADDRESS.findall(answer.get_data(as_text=True))}
    assert addresses - SERVER_ADDRESSES - KNOWN.get(page.who, set()) == set()


@pytest.mark.xdist_group("stage")
@pytest.mark.parametrize("page", PAGES, ids=lambda each: f"{each.name}, {each.who}")
def test_a_page_says_the_umpires_words_plainly(sample_site: SampleSite, page: Page) -> None:
    shown = text_of_page(
        sample_site.client(page.who).open(page.path(sample_site), method=page.method).get_data(as_text=True)
    )

    assert say_plainly(shown) == shown


@pytest.mark.parametrize("path", ["/api/games", "/api/games/{}/slips", "/api/offers", "/api/challenges"])
def test_the_api_names_no_address(table: Table, path: str) -> None:
    code = table.challenge()
    for player in (ANN, BEN):
        table.reply(player, "accept")
    answer = api_get(table, path.format(code), make_token(table, BEN))

    assert answer.status_code == 200
    assert "@" not in answer.get_data(as_text=True)
