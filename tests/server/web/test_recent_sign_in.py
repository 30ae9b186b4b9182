"""Who was let in some time ago signs in once more before anything changes that decides who reads their letters."""

from __future__ import annotations

import re

import pytest

from tests.support.browser import Browser, link_in
from tests.support.table import EVE, FAY, Table, text_of

AGAIN = "For this, your sign-in must be less than ten minutes old."


@pytest.fixture
def eve(table: Table) -> Browser:
    """The browser of a player who has a second address, and was let in ten minutes ago."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/settings/")
    browser.press("Add address", address=FAY)
    browser.press("Add the address", number=number_for(table, FAY))
    table.work()
    table.clock.pass_by(minutes=10)
    browser.open("/settings/")
    return browser


def number_for(table: Table, address: str) -> str:
    table.work()
    found = re.search(r'the six digits "(\d{6})"', table.says(address))
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("button", "fields", "said"),
    [
        ("Add address", {"address": "gus@g.example"}, "unless we've been asked not to"),
        ("Send game emails here", {}, f"Emails about your games now go to {FAY}"),
        ("Remove", {}, f"{FAY} is no longer one of your addresses"),
        ("Save notifications", {"mail": "off"}, "We no longer email you about your games"),
    ],
)
def test_nothing_about_letters_changes_before_one_has_signed_in_once_more(
    table: Table, eve: Browser, button: str, fields: dict[str, str], said: str
) -> None:
    before = table.all_letters()
    assert AGAIN in eve.press(button, **fields)
    table.work()
    assert table.all_letters() == before
    page = eve.sign_in_here(table, EVE)

    assert eve.at == "/settings/"
    assert FAY in page
    assert '<option value="each" selected>' in eve.answer.get_data(as_text=True)
    assert said in eve.press(button, **fields)


def test_what_was_typed_stands_there_when_one_comes_back(table: Table, eve: Browser) -> None:
    eve.press("Add address", address="gus@g.example")
    eve.sign_in_here(table, EVE)

    assert 'value="gus@g.example"' in eve.answer.get_data(as_text=True)


def test_nobody_is_signed_out_everywhere_before_one_has_signed_in_once_more(
    table: Table, eve: Browser
) -> None:
    other = Browser(table.app())
    other.sign_in(table, EVE)
    eve.open("/games/")
    assert AGAIN in eve.press("Sign out everywhere")
    assert "You are Eve" in other.open("/lobby/")
    eve.sign_in_here(table, EVE)
    assert eve.at == "/games/"
    eve.press("Sign out everywhere")

    assert "Sign in by email" in other.open("/lobby/")


def test_the_letters_link_leads_back_too(table: Table, eve: Browser) -> None:
    eve.press("Remove")
    eve.press("Email me a code")
    table.work()
    eve.open(link_in(text_of(table.newest(EVE))))
    eve.press("Sign in")

    assert eve.at == "/settings/"
    assert "is no longer one of your addresses" in eve.press("Remove")


def test_what_is_no_matter_of_letters_needs_no_second_letter(eve: Browser) -> None:
    assert "Your name is now Evi." in eve.press("Save profile", name="Evi")
    assert "Time zone saved" in eve.press("Save profile", zone="Europe/Paris")


def test_who_does_not_want_to_sign_in_again_goes_back_as_they_were(eve: Browser) -> None:
    eve.press("Remove")

    assert 'href="/settings/">Cancel' in eve.answer.get_data(as_text=True)
    assert "You are Eve" in eve.open("/settings/")


def test_whoever_signs_in_once_more_has_one_cookie_that_is_good(table: Table, eve: Browser) -> None:
    before = eve.client.get_cookie("corr")
    assert before
    eve.press("Remove")
    eve.sign_in_here(table, EVE)
    copied = Browser(table.app())
    copied.client.set_cookie("corr", before.value)

    assert "Sign in by email" in copied.open("/lobby/")
    assert "You are Eve" in eve.open("/lobby/")


def test_one_is_let_in_for_ten_minutes_less_a_moment(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    table.clock.pass_by(minutes=9, seconds=59)
    browser.open("/settings/")

    assert "unless we've been asked not to" in browser.press("Add address", address=FAY)


def test_who_changes_something_every_ten_minutes_gets_a_letter_each_time(table: Table, eve: Browser) -> None:
    """Only letters that nobody has used pester anybody."""
    for _ in range(5):
        eve.press("Send game emails here")
        eve.sign_in_here(table, EVE)
        assert eve.at == "/settings/"
        table.clock.pass_by(minutes=10)


def test_who_is_let_in_is_kept_from_signing_in_once_more_by_nobody_who_asks_in_their_name(
    table: Table, eve: Browser
) -> None:
    for _ in range(5):
        mallory = Browser(table.app())
        for _ in range(4):
            mallory.open("/sign-in")
            mallory.press("Email me a code", address=EVE)
            mallory.press("Send another, or use a different address")
            table.work()
        table.clock.pass_by(minutes=61)
    asked = len(table.letters(EVE))

    assert AGAIN in eve.press("Remove")
    eve.sign_in_here(table, EVE)

    assert len(table.letters(EVE)) == asked + 1
    assert f"{FAY} is no longer one of your addresses" in eve.press("Remove")


def test_nor_do_more_letters_than_a_few_go_to_who_signs_in_once_more_and_never_does(
    table: Table, eve: Browser
) -> None:
    eve.press("Remove")
    asked = len(table.letters(EVE))
    for _ in range(5):
        eve.press("Email me a code", address=EVE)
        table.work()
        eve.press("Send another, or use a different address")

    assert len(table.letters(EVE)) == asked + 3
