"""The header of every page: it names the signed-in player and counts their waiting games."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import event

from tests.support.browser import Browser
from tests.support.every_page import PAGES, STRANGER, SampleSite
from tests.support.table import ANN, BEN, EVE, Table

PUBLIC_PAGES = ("/", "/privacy", "/rules", "/rules/rbc", "/no/such/page")
COUNT = re.compile(r"(\d+) waits? for you")


@pytest.fixture
def ann(table: Table) -> Browser:
    browser = Browser(table.app())
    browser.sign_in(table, ANN, "Ann")
    return browser


def waiting(browser: Browser, path: str) -> int:
    """The number of waiting games in a page's header."""
    found = COUNT.search(browser.open(path))
    return int(found[1]) if found else 0


@pytest.mark.parametrize("path", PUBLIC_PAGES)
def test_a_public_page_names_the_signed_in_player(ann: Browser, path: str) -> None:
    assert "Settings of Ann" in ann.open(path)
    assert "Sign in by email" not in ann.open(path)


@pytest.mark.parametrize("path", PUBLIC_PAGES)
def test_a_public_page_offers_strangers_to_sign_in(table: Table, path: str) -> None:
    text = Browser(table.app()).open(path)

    assert "Sign in by email" in text
    assert "Settings of" not in text


def test_the_front_page_links_signed_in_players_to_their_games(table: Table, ann: Browser) -> None:
    assert "Your games Find an opponent in the lobby" in ann.open("/")
    assert "Play now Learn the game How it works" in Browser(table.app()).open("/")


def test_after_signing_out_the_front_page_offers_to_sign_in(ann: Browser) -> None:
    ann.open("/games/")
    ann.press("Sign out")

    assert ann.path == "/"
    assert "Sign in by email" in ann.open("/")


def test_a_player_without_a_name_is_not_asked_to_sign_in(table: Table) -> None:
    nameless = Browser(table.app())
    nameless.sign_in(table, EVE)

    assert "Sign in" not in nameless.open("/")


def test_every_header_counts_the_waiting_games(table: Table) -> None:
    ann, ben = Browser(table.app()), Browser(table.app())
    table.begin()
    table.begin_by_email("rbc")
    email = table.last_email(ANN)
    code = str(email["Subject"])[-6:-1]
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

    table.reply(ANN, "resign resign", to=email)
    assert waiting(ann, "/rules") == 1


@pytest.mark.xdist_group("stage")
def test_the_header_counts_the_games_that_the_games_page_lists(sample_site: SampleSite) -> None:
    for who in {page.who for page in PAGES} - {STRANGER}:
        client = sample_site.client(who)
        listed = re.search(r"Your turn\s+(\d+)</a>", text_of(client, "/games/"))
        counted = re.search(r'class="count">(\d+)', text_of(client, "/privacy"))

        assert (int(counted[1]) if counted else 0) == (int(listed[1]) if listed else 0), who
    assert len(counts(sample_site)) > 1


def text_of(client: FlaskClient, path: str) -> str:
    return client.get(path, follow_redirects=True).get_data(as_text=True)


def counts(sample_site: SampleSite) -> set[int]:
    """All counts in the headers of the stage's players."""
    headers = (text_of(sample_site.client(who), "/rules") for who in sample_site.cookies)
    return {int(found[1]) for head in headers if (found := re.search(r'class="count">(\d+)', head))}


def test_the_header_costs_two_queries_and_none_for_a_stranger(table: Table, ann: Browser) -> None:
    queries: list[str] = []
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *told: queries.append(told[2]))
    ann.open("/rules")
    assert len(queries) == 2, queries

    queries.clear()
    Browser(ann.client.application).open("/rules")
    assert queries == []
