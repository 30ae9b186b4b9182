"""The six digits that let in: kept nowhere, good for ten minutes, for ten tries, and once."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select, update

from corr.store.tables import Base, SecretRow, SignInRow, SiteOutboxRow
from tests.support.browser import Browser, link_in
from tests.support.table import EVE, NOON, Table, text_of


def number_in(table: Table, address: str) -> str:
    found = re.search(r'the six digits "(\d{6})"', table.says(address))
    assert found
    return found[1]


def ask(table: Table, address: str = EVE) -> Browser:
    browser = Browser(table.app())
    browser.open("/sign-in")
    browser.press("Email me a code", address=address)
    return browser


def rows(table: Table, kind: type[Base]) -> str:
    """All that is kept in a table, as text."""
    with table.server.store.reading() as connection:
        return str([tuple(row) for row in connection.execute(select(kind.__table__))])


def test_the_digits_stand_in_the_letter_and_nowhere_else(table: Table) -> None:
    browser = ask(table)
    before = rows(table, SignInRow)
    table.work()
    number = number_in(table, EVE)

    assert not re.search(r"'\d{6}'", before)
    assert number not in rows(table, SignInRow).replace(str(int(NOON.timestamp() * 1_000_000)), "")
    assert "digits" not in rows(table, SiteOutboxRow)
    assert "Choose your name" in browser.press("Sign in", number=number)


def test_the_digits_cannot_be_told_without_the_houses_key(table: Table) -> None:
    browser = ask(table)
    table.work()
    with table.server.store.writing() as connection:
        key = update(SecretRow).where(SecretRow.name == "digits")
        connection.execute(key.values(value=b"another"))

    assert "That code is wrong" in browser.press("Sign in", number=number_in(table, EVE))


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

    assert "within 10 minutes" in page
    assert "work only once, and only for 10 minutes." in table.says(EVE)
    assert ("Choose your name" in browser.press("Sign in", number=number_in(table, EVE))) == lets_in


def guess_in_vain(table: Table) -> None:
    """Somebody asks for a number three times, and tries each ten times."""
    for _ in range(3):
        browser = ask(table)
        table.work()
        wrong = f"{(int(number_in(table, EVE)) + 1) % 1_000_000:06}"
        for _ in range(10):
            browser.press("Sign in", number=wrong)


@pytest.fixture
def known(table: Table) -> Table:
    """A house in which Eve was let in before."""
    browser = ask(table)
    table.work()
    browser.press("Sign in", number=number_in(table, EVE))
    return table


def test_new_numbers_begin_no_new_count_of_guesses_and_the_letters_page_still_lets_in(known: Table) -> None:
    guess_in_vain(known)
    known.clock.pass_by(hours=1)
    browser = ask(known)
    known.work()

    assert "That code is wrong" in browser.press("Sign in", number=number_in(known, EVE))
    page = Browser(known.app())
    page.open(link_in(text_of(known.newest(EVE))))
    assert "Choose your name" in page.press("Sign in")


def test_after_a_day_guesses_are_counted_anew(known: Table) -> None:
    guess_in_vain(known)
    known.clock.pass_by(days=1, seconds=1)
    browser = ask(known)
    known.work()

    assert "Choose your name" in browser.press("Sign in", number=number_in(known, EVE))
