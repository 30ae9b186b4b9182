"""Players from an older release: others find and challenge them, and their names stay taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corr.service.admin.maintenance import delete_player
from corr.service.players import players
from corr.service.players.own_data_rows import export
from tests.support.browser import Browser, link_in
from tests.support.released_databases import RBC, WILD16, newest, upgraded
from tests.support.table import ANN, BEN, EVE, Table, text_of


@pytest.fixture
def table(bare_url: str, tmp_path: Path) -> Iterator[Table]:
    """A server of release 6ef361f with two players, upgraded to the newest tables."""
    with upgraded(tmp_path, bare_url, "6ef361f") as laid:
        yield laid


def test_an_old_player_is_found_by_name(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    assert "challenge sent to ann." in browser.press("Challenge", whom="Ann").lower()
    table.run_workers()

    assert "Eve would like to play" in text_of(table.last_email(ANN))


def test_an_old_players_name_stays_taken(table: Table) -> None:
    browser = Browser(table.app())

    assert "looks the same" in browser.sign_in(table, EVE, "ANN")


def test_an_old_player_can_be_exported_and_deleted(table: Table) -> None:
    assert export(table.server, "Ann")["addresses"] == [ANN]
    table.run_workers()
    for player, game in ((ANN, WILD16), (BEN, RBC)):
        table.reply(player, "resign resign", to=newest(table, player, game))
    delete_player(table.server, "Ann", table.clock())

    assert [each.name for each in players.list_players(table.server)] == ["Somebody", "ben"]


def test_an_old_player_signs_in_to_the_same_account(table: Table) -> None:
    browser = Browser(table.app())
    browser.open("/sign-in")
    browser.press("Email me a code", address=ANN)
    table.run_workers()
    browser.open(link_in(text_of(table.last_email(ANN))))

    assert "Choose your name" not in browser.press("Sign in")
