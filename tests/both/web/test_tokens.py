"""API tokens: players create them for their bots, see each once, and delete them."""

from __future__ import annotations

import re
from dataclasses import astuple

import pytest
from sqlalchemy import select

from corr.service.admin.maintenance import delete_player
from corr.service.players import players, tokens
from corr.service.players.own_data_rows import export
from corr.store.tables import TokenRow
from tests.support.browser import Browser
from tests.support.table import EVE, FAY, Table


@pytest.fixture
def eve(table: Table) -> Browser:
    """A newly signed-in player's browser on the page of tokens."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/settings/")
    browser.open("/settings/tokens/")
    return browser


def shown(page: str) -> str:
    """The token that a page shows."""
    found = re.search(r"corr_[\w-]{32}", page)
    assert found
    return found[0]


def test_a_token_is_shown_once_and_only_its_digest_is_stored(table: Table, eve: Browser) -> None:
    token = shown(eve.press("Create token", name="at  home"))

    assert "at home" in eve.open("/settings/tokens/")
    assert "corr_" not in eve.open("/settings/tokens/")
    with table.server.store.reading() as connection:
        row = connection.execute(select(TokenRow.__table__)).one()
    assert token not in str(row)
    found = tokens.find_bearer(table.server, token)
    assert found
    assert (found.visitor.name, found.visitor.who.address, found.plays) == ("Eve", EVE, False)


def test_a_player_has_three_tokens_at_most(eve: Browser) -> None:
    for name in ("one", "two", "three"):
        eve.press("Create token", name=name)
    page = eve.client.post(
        "/settings/tokens/make", data={"csrf": eve.csrf, "name": "four"}, follow_redirects=True
    )

    assert "You already have 3, which is the maximum" in page.get_data(as_text=True)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("one", "You already use this name"),
        (" \r\n", "Please enter a name"),
        ("x" * 41, "Please enter a name of at most 40 characters"),
    ],
)
def test_a_bad_name_is_refused(eve: Browser, name: str, error: str) -> None:
    eve.press("Create token", name="one")

    assert error in eve.press("Create token", name=name)


def test_a_deleted_token_no_longer_works(table: Table, eve: Browser) -> None:
    token = shown(eve.press("Create token", name="one"))
    assert "“one” deleted" in eve.press("Delete token")
    again = {"csrf": eve.csrf, "name": "one"}
    page = eve.client.post("/settings/tokens/remove", data=again, follow_redirects=True)

    assert tokens.find_bearer(table.server, token) is None
    assert "You have no such token" in page.get_data(as_text=True)


def test_nobody_can_delete_another_players_token(table: Table, eve: Browser) -> None:
    token = shown(eve.press("Create token", name="one"))
    fay = Browser(table.app())
    fay.sign_in(table, FAY, "Fay")
    fay.open("/settings/tokens/")
    fay.client.post("/settings/tokens/remove", data={"csrf": fay.csrf, "name": "one"})

    assert tokens.find_bearer(table.server, token)


def test_creating_a_token_needs_a_recent_sign_in(table: Table, eve: Browser) -> None:
    table.clock.advance(minutes=11)

    assert "To do this, you must have signed in within the last ten minutes" in eve.press(
        "Create token", name="one"
    )
    eve.sign_in_on_this_page(table, EVE)
    assert eve.path == "/settings/tokens/"


def test_tokens_need_a_signed_in_player_with_a_name(table: Table) -> None:
    browser = Browser(table.app())
    browser.open("/settings/tokens/")
    assert browser.path == "/sign-in"
    browser.sign_in(table, EVE)
    browser.open("/settings/tokens/")

    assert browser.path == "/lobby/"


def test_tokens_are_exported_by_name_and_deleted_with_their_player(table: Table, eve: Browser) -> None:
    token = shown(eve.press("Create token", name="one"))
    assert export(table.server, "Eve")["tokens"] == ["one"]
    delete_player(table.server, "Eve", table.clock())

    assert tokens.find_bearer(table.server, token) is None


def test_the_first_token_that_plays_makes_the_account_a_bot_for_good(table: Table, eve: Browser) -> None:
    assert "shown to everyone as “Eve (bot)”" in eve.open("/settings/tokens/")
    token = shown(eve.press("Create token", name="one", may="play"))
    table.run_workers()

    found = tokens.find_bearer(table.server, token)
    assert found
    assert (found.visitor.name, found.plays) == ("Eve (bot)", True)
    assert "You are Eve (bot)" in eve.open("/lobby/")
    assert "Anyone who has it can read and play your games" in table.last_text(EVE)
    ((name, is_program, addresses, _),) = map(astuple, players.list_players(table.server))
    assert (name, is_program, addresses) == ("Eve (bot)", True, (EVE,))
    eve.open("/settings/tokens/")
    eve.press("Delete token")
    assert "You are Eve (bot)" in eve.open("/lobby/")


def test_a_bot_is_found_with_or_without_its_mark_and_can_be_renamed(table: Table, eve: Browser) -> None:
    eve.press("Create token", name="one", may="play")
    eve.open("/settings/")
    eve.press("Save profile", name="Evelyn")
    with table.server.store.reading() as connection:
        found = [players.find_player(connection, name) for name in ("Evelyn (bot)", "evelyn", "Eve (bot)")]

    assert "You are Evelyn (bot)" in eve.open("/lobby/")
    assert found[0] == found[1] is not None
    assert found[2] is None


def test_a_player_with_offers_or_games_as_a_person_cannot_become_a_bot(table: Table, eve: Browser) -> None:
    eve.open("/lobby/")
    eve.press("Offer to everyone", variant="wild16")
    eve.open("/settings/tokens/")
    assert "people who think you're a person" in eve.press("Create token", name="one", may="play")
    eve.open("/lobby/")
    eve.press("Withdraw")
    eve.open("/lobby/")
    eve.press("Challenge", whom=FAY, variant="wild16")
    table.run_workers()
    table.reply(FAY, "accept")
    eve.open("/settings/tokens/")

    assert "people who think you're a person" in eve.press("Create token", name="one", may="play")
    assert "You are Eve " in eve.open("/lobby/")


def test_a_person_is_not_found_as_a_bot(table: Table, eve: Browser) -> None:
    with table.server.store.reading() as connection:
        assert players.find_player(connection, "Eve (bot)") is None
        assert players.find_player(connection, "Eve") is not None
