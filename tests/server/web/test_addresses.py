"""What stands on no page at all: anybody's address for anybody else, and words that only the rules use."""

from __future__ import annotations

import re

import pytest

from corr.words.slips import say_plainly
from tests.support.api_bots import ask, token_of
from tests.support.browser import text_of_page
from tests.support.every_page import (
    ADDING,
    ASKING,
    AWAY,
    GUS,
    IDA,
    NED,
    ODA,
    OPERATOR,
    PAGES,
    PLAYER,
    STRANGER,
    Page,
    Stage,
)
from tests.support.table import ANN, BEN, EVE, FAY, Table

ADDRESS = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+example\b")
HOUSE = {"umpire@play.example", "postmaster@play.example"}
#: What readers know already: addresses of their own, that they have written there, or by whose letter they come.
KNOWN = {
    PLAYER: {EVE, FAY, IDA},
    AWAY: {EVE},
    ADDING: {NED, ODA},
    ASKING: {GUS},
    STRANGER: {GUS, ODA},
}


@pytest.mark.xdist_group("stage")
@pytest.mark.parametrize(
    "page",
    [each for each in PAGES if each.who != OPERATOR],
    ids=lambda each: f"{each.name}, {each.who}",
)
def test_a_page_names_no_address_but_those_that_its_reader_knows(stage: Stage, page: Page) -> None:
    answer = stage.client(page.who).open(page.path(stage), method=page.method)

    told = {*ADDRESS.findall(answer.get_data(as_text=True))}
    assert told - HOUSE - KNOWN.get(page.who, set()) == set()


@pytest.mark.xdist_group("stage")
@pytest.mark.parametrize("page", PAGES, ids=lambda each: f"{each.name}, {each.who}")
def test_a_page_says_in_plain_words_what_the_umpire_says(stage: Stage, page: Page) -> None:
    shown = text_of_page(
        stage.client(page.who).open(page.path(stage), method=page.method).get_data(as_text=True)
    )

    assert say_plainly(shown) == shown


@pytest.mark.parametrize("path", ["/api/games", "/api/games/{}/slips", "/api/offers", "/api/challenges"])
def test_no_program_is_told_one(table: Table, path: str) -> None:
    code = table.challenge()
    for player in (ANN, BEN):
        table.reply(player, "accept")
    answer = ask(table, path.format(code), token_of(table, BEN))

    assert answer.status_code == 200
    assert "@" not in answer.get_data(as_text=True)
