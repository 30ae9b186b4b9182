"""The head of every page: who is let in is called by their name there, and told how many games wait for them."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import event

from tests.support.browser import Browser
from tests.support.every_page import PAGES, STRANGER, Stage
from tests.support.table import ANN, BEN, EVE, Table

OPEN = ("/", "/privacy", "/rules", "/rules/rbc", "/no/such/page")
LINE = re.compile(r"(\d+) waits? for you")


@pytest.fixture
def anns(table: Table) -> Browser:
    browser = Browser(table.app())
    browser.sign_in(table, ANN, "Ann")
    return browser


def waiting(browser: Browser, path: str) -> int:
    """How many games the head of a page says wait."""
    found = LINE.search(browser.open(path))
    return int(found[1]) if found else 0


@pytest.mark.parametrize("path", OPEN)
def test_an_open_page_calls_who_is_let_in_by_their_name(anns: Browser, path: str) -> None:
    assert "Settings of Ann" in anns.open(path)
    assert "Sign in by email" not in anns.open(path)


@pytest.mark.parametrize("path", OPEN)
def test_an_open_page_leads_a_stranger_to_sign_in(table: Table, path: str) -> None:
    text = Browser(table.app()).open(path)

    assert "Sign in by email" in text
    assert "Settings of" not in text


def test_the_front_page_leads_who_is_let_in_to_their_games(table: Table, anns: Browser) -> None:
    assert "Your games Find an opponent in the lobby" in anns.open("/")
    assert "Play now Learn the game How it works" in Browser(table.app()).open("/")


def test_who_has_signed_out_is_a_stranger_on_the_front_page(anns: Browser) -> None:
    anns.open("/games/")
    anns.press("Sign out")

    assert anns.at == "/"
    assert "Sign in by email" in anns.open("/")


def test_who_has_chosen_no_name_yet_is_not_asked_to_sign_in(table: Table) -> None:
    nameless = Browser(table.app())
    nameless.sign_in(table, EVE)

    assert "Sign in" not in nameless.open("/")


def test_how_many_games_wait_stands_in_the_head_of_every_page(table: Table) -> None:
    ann, ben = Browser(table.app()), Browser(table.app())
    table.begin()
    table.begin_anew("rbc")
    letter = table.newest(ANN)
    code = str(letter["Subject"])[-6:-1]
    ann.sign_in(table, ANN)
    ben.sign_in(table, BEN)

    for path in (
        "/",
        "/rules",
        "/lobby/",
        "/settings/",
        "/sessions/",
        f"/games/{code}",
        "/games/",
        "/nothing",
    ):
        assert (waiting(ann, path), waiting(ben, path)) == (2, 0), path

    table.reply(ANN, "resign resign", to=letter)
    assert waiting(ann, "/rules") == 1


@pytest.mark.xdist_group("stage")
def test_the_head_counts_what_the_games_page_lists_at_every_stage(stage: Stage) -> None:
    for who in {page.who for page in PAGES} - {STRANGER}:
        client = stage.client(who)
        listed = re.search(r"Your turn\s+(\d+)</a>", text_of(client, "/games/"))
        counted = re.search(r'class="count">(\d+)', text_of(client, "/privacy"))

        assert (int(counted[1]) if counted else 0) == (int(listed[1]) if listed else 0), who
    assert len(counts(stage)) > 1


def text_of(client: FlaskClient, path: str) -> str:
    return client.get(path, follow_redirects=True).get_data(as_text=True)


def counts(stage: Stage) -> set[int]:
    """How many games wait for somebody on the stage."""
    heads = (text_of(stage.client(who), "/rules") for who in stage.cookies)
    return {int(found[1]) for head in heads if (found := re.search(r'class="count">(\d+)', head))}


def test_the_head_costs_two_short_questions_and_a_stranger_none(table: Table, anns: Browser) -> None:
    asked: list[str] = []
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *told: asked.append(told[2]))
    anns.open("/rules")
    assert len(asked) == 2, asked

    asked.clear()
    Browser(anns.client.application).open("/rules")
    assert asked == []
