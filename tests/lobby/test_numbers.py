"""The six digits that let in: kept nowhere, good for ten minutes, for ten tries, and once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, link_in
from sqlalchemy import select
from table import EVE, NOON, Table, lay, text_of

from corr.store import schema
from corr.store.session import Store
from corr.store.tables import Secret, SignIn, SiteOutboxRow

MADE_AT = int(NOON.timestamp() * 1_000_000)
#: Somebody asked just before the tables were changed, and no worker has seen to it.
OLD = f"INSERT INTO sign_ins (address, digits, tries, made_at) VALUES ('{EVE}', '123456', 0, {MADE_AT})"


def number_in(table: Table, address: str) -> str:
    found = re.search(r'the number "(\d{6})"', table.says(address))
    assert found
    return found[1]


def ask(table: Table, address: str = EVE) -> Browser:
    browser = Browser(table.app())
    browser.open("/sign-in")
    browser.press("Send me a letter", address=address)
    return browser


def rows(table: Table, kind: type) -> str:
    """All that the pages' role may read of a table, as text."""
    hidden = ("message", "text")
    columns = [column for column in kind.__table__.columns if column.name not in hidden]
    with table.house.store.reading() as connection:
        return str([tuple(row) for row in connection.execute(select(*columns))])


def test_the_digits_stand_in_the_letter_and_nowhere_else(table: Table) -> None:
    browser = ask(table)
    before = rows(table, SignIn)
    table.work()
    number = number_in(table, EVE)

    assert not re.search(r"'\d{6}'", before)
    assert number not in rows(table, SignIn).replace(str(MADE_AT), "")
    assert "digits" not in rows(table, SiteOutboxRow)
    assert "Choose your name" in browser.press("Let me in", number=number)


def test_the_digits_cannot_be_told_without_the_houses_key(table: Table) -> None:
    browser = ask(table)
    table.work()
    with table.house.store.writing() as connection:
        key = Secret.__table__.update().where(Secret.name == "digits")
        connection.execute(key.values(value=b"another"))

    assert "This is not the number" in browser.press("Let me in", number=number_in(table, EVE))


@pytest.mark.parametrize(("seconds", "lets_in"), [(599, True), (600, False)])
def test_a_number_is_good_for_ten_minutes_and_page_and_letter_say_so(
    table: Table,
    seconds: int,
    lets_in: bool,  # noqa: FBT001
) -> None:
    browser = ask(table)
    page = browser.open("/sign-in")
    table.work()
    table.clock.pass_by(seconds=seconds)

    assert "Both work once, and for 10 minutes." in page
    assert "Both work once, and for 10 minutes." in table.says(EVE)
    assert ("Choose your name" in browser.press("Let me in", number=number_in(table, EVE))) == lets_in


@pytest.fixture(params=["sqlite", "postgresql"])
def old_table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """A house of the fifth tables where somebody has asked, brought to the newest ones."""
    is_postgres = request.param == "postgresql"
    url = (
        request.getfixturevalue("bare_postgres_url")
        if is_postgres
        else f"sqlite:///{tmp_path / 'old.sqlite'}"
    )
    store = Store(url)
    schema.upgrade(store, "0005")
    with store.writing() as connection:
        connection.exec_driver_sql(OLD)
    schema.upgrade(store)
    store.close()
    laid = lay(tmp_path, url)
    yield laid
    laid.house.store.close()


def test_who_asked_just_before_the_tables_were_changed_is_let_in_by_the_letters_page(
    old_table: Table,
) -> None:
    old_table.work()
    assert number_in(old_table, EVE)
    browser = Browser(old_table.app())
    browser.open(link_in(text_of(old_table.newest(EVE))))

    assert "Choose your name" in browser.press("Let me in")
