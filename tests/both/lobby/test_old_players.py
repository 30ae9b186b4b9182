"""Players of before there were names to look for: they are found, challenged, and nobody takes their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corr.service.admin.deletion import forget
from corr.service.players import players
from corr.service.players.export import export
from corr.store import schema
from corr.store.session import Store
from tests.support.browser import Browser
from tests.support.table import ANN, EVE, Table, lay, text_of

ROWS = """
INSERT INTO players (name, address, address_key) VALUES
    ('Ann', 'Ann@a.example', 'ann@a.example'), ('ann', 'ben@b.example', 'ben@b.example'),
    ('resign', 'cal@c.example', 'cal@c.example')
"""


@pytest.fixture
def table(bare_url: str, tmp_path: Path) -> Iterator[Table]:
    """A house of the third tables with three players, brought to the newest ones."""
    store = Store(bare_url)
    schema.upgrade(store, "0003")
    with store.writing() as connection:
        connection.exec_driver_sql(ROWS)
    schema.upgrade(store)
    store.close()
    laid = lay(tmp_path, bare_url)
    yield laid
    laid.house.store.close()


def test_an_old_player_is_found_by_name(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    assert "Challenge sent" in browser.press("Challenge", whom="Ann")
    table.work()

    assert "Eve would like to play" in text_of(table.newest("Ann@a.example"))


def test_nobody_takes_an_old_players_name(table: Table) -> None:
    browser = Browser(table.app())

    assert "looks the same" in browser.sign_in(table, EVE, "ANN")


def test_an_old_player_is_exported_and_forgotten(table: Table) -> None:
    assert export(table.house, "Ann")["addresses"] == ["Ann@a.example"]
    forget(table.house, "Ann", table.clock())

    assert [each.name for each in players.listed(table.house)] == ["Somebody", "ann", "resign"]


def test_of_two_old_players_whose_names_look_the_same_both_sign_in_as_themselves(table: Table) -> None:
    for address, name in ((ANN, "Ann"), ("ben@b.example", "ann")):
        browser = Browser(table.app())
        browser.open("/sign-in")
        browser.press("Email me a code", address=address)
        table.work()
        # The letter goes to the address as the player wrote it.
        assert any(each["To"].casefold() == address for each in table.all_letters()), name
