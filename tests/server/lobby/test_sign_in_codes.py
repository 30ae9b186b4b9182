"""Six-digit sign-in codes: stored nowhere, valid once, for ten minutes and ten tries."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select, update

from corr.store.tables import Base, SecretRow, SignInRow, SiteOutboxRow
from tests.support.browser import Browser, link_in
from tests.support.sign_in_codes import code_in
from tests.support.table import EVE, NOON, Table, text_of


def ask_for_code(table: Table, address: str = EVE) -> Browser:
    browser = Browser(table.app())
    browser.open("/sign-in")
    browser.press("Email me a code", address=address)
    return browser


def rows(table: Table, kind: type[Base]) -> str:
    """All rows of a database table, as text."""
    with table.server.store.reading() as connection:
        return str([tuple(row) for row in connection.execute(select(kind.__table__))])


def test_a_code_is_in_the_email_and_nowhere_else(table: Table) -> None:
    browser = ask_for_code(table)
    before = rows(table, SignInRow)
    table.run_workers()
    code = code_in(table.last_text(EVE))

    assert not re.search(r"'\d{6}'", before)
    assert code not in rows(table, SignInRow).replace(str(int(NOON.timestamp() * 1_000_000)), "")
    assert "digits" not in rows(table, SiteOutboxRow)
    assert "Choose your name" in browser.press("Sign in", number=code)


def test_a_code_is_derived_from_the_servers_key(table: Table) -> None:
    browser = ask_for_code(table)
    table.run_workers()
    with table.server.store.writing() as connection:
        key = update(SecretRow).where(SecretRow.name == "digits")
        connection.execute(key.values(value=b"another"))

    assert "That code is wrong" in browser.press("Sign in", number=code_in(table.last_text(EVE)))


@pytest.mark.parametrize(("seconds", "works"), [(599, True), (600, False)])
def test_a_code_works_for_ten_minutes_as_page_and_email_say(
    table: Table,
    seconds: int,
    works: bool,  # noqa: FBT001
) -> None:
    browser = ask_for_code(table)
    page = browser.open("/sign-in")
    table.run_workers()
    table.clock.advance(seconds=seconds)

    assert "within 10 minutes" in page
    assert "work only once, and only for 10 minutes." in table.last_text(EVE)
    assert ("Choose your name" in browser.press("Sign in", number=code_in(table.last_text(EVE)))) == works


def guess_wrongly(table: Table) -> None:
    """Ask for a code three times, and enter ten wrong ones each time."""
    for _ in range(3):
        browser = ask_for_code(table)
        table.run_workers()
        wrong = f"{(int(code_in(table.last_text(EVE))) + 1) % 1_000_000:06}"
        for _ in range(10):
            browser.press("Sign in", number=wrong)


@pytest.fixture
def eve_known(table: Table) -> Table:
    """A server where Eve has signed in before."""
    browser = ask_for_code(table)
    table.run_workers()
    browser.press("Sign in", number=code_in(table.last_text(EVE)))
    return table


def test_a_new_code_does_not_reset_the_count_of_guesses_and_the_link_still_works(eve_known: Table) -> None:
    guess_wrongly(eve_known)
    eve_known.clock.advance(hours=1)
    browser = ask_for_code(eve_known)
    eve_known.run_workers()

    assert "That code is wrong" in browser.press("Sign in", number=code_in(eve_known.last_text(EVE)))
    page = Browser(eve_known.app())
    page.open(link_in(text_of(eve_known.last_email(EVE))))
    assert "Choose your name" in page.press("Sign in")


def test_the_count_of_guesses_is_reset_after_a_day(eve_known: Table) -> None:
    guess_wrongly(eve_known)
    eve_known.clock.advance(days=1, seconds=1)
    browser = ask_for_code(eve_known)
    eve_known.run_workers()

    assert "Choose your name" in browser.press("Sign in", number=code_in(eve_known.last_text(EVE)))
