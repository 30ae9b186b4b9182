"""Changing who reads a player's emails needs a sign-in of the last ten minutes."""

from __future__ import annotations

import re

import pytest

from tests.support.browser import Browser, link_in
from tests.support.table import EVE, FAY, Table, text_of

TOO_OLD = "To do this, you must have signed in within the last ten minutes."


@pytest.fixture
def eve(table: Table) -> Browser:
    """The browser of a player with a second address who signed in ten minutes ago."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/settings/")
    browser.press("Add address", address=FAY)
    browser.press("Add the address", number=code_for(table, FAY))
    table.run_workers()
    table.clock.advance(minutes=10)
    browser.open("/settings/")
    return browser


def code_for(table: Table, address: str) -> str:
    table.run_workers()
    found = re.search(r'the six digits "(\d{6})"', table.last_text(address))
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
def test_email_settings_change_only_after_signing_in_again(
    table: Table, eve: Browser, button: str, fields: dict[str, str], said: str
) -> None:
    before = table.all_emails()
    assert TOO_OLD in eve.press(button, **fields)
    table.run_workers()
    assert table.all_emails() == before
    page = eve.sign_in_on_this_page(table, EVE)

    assert eve.path == "/settings/"
    assert FAY in page
    assert ("Not saved yet." in page) == (button == "Save notifications")
    assert said in eve.press(button, **fields)


def test_what_was_typed_is_still_there_after_signing_in_again(table: Table, eve: Browser) -> None:
    eve.press("Add address", address="gus@g.example")
    eve.sign_in_on_this_page(table, EVE)

    assert 'value="gus@g.example"' in eve.answer.get_data(as_text=True)


def test_signing_out_everywhere_needs_a_recent_sign_in(table: Table, eve: Browser) -> None:
    other = Browser(table.app())
    other.sign_in(table, EVE)
    eve.open("/games/")
    assert TOO_OLD in eve.press("Sign out everywhere")
    assert "You are Eve" in other.open("/lobby/")
    eve.sign_in_on_this_page(table, EVE)
    assert eve.path == "/games/"
    eve.press("Sign out everywhere")

    assert "Sign in by email" in other.open("/lobby/")


def test_the_emailed_link_returns_to_the_same_page(table: Table, eve: Browser) -> None:
    eve.press("Remove")
    eve.press("Email me a code")
    table.run_workers()
    eve.open(link_in(text_of(table.last_email(EVE))))
    eve.press("Sign in")

    assert eve.path == "/settings/"
    assert "is no longer one of your addresses" in eve.press("Remove")


def test_other_settings_need_no_recent_sign_in(eve: Browser) -> None:
    assert "Your name is now Evi." in eve.press("Save profile", name="Evi")
    assert "Time zone saved" in eve.press("Save profile", zone="Europe/Paris")


def test_signing_in_again_can_be_cancelled(eve: Browser) -> None:
    eve.press("Remove")

    assert 'href="/settings/">Cancel' in eve.answer.get_data(as_text=True)
    assert "You are Eve" in eve.open("/settings/")


def test_signing_in_again_ends_the_old_cookie(table: Table, eve: Browser) -> None:
    before = eve.client.get_cookie("corr")
    assert before
    eve.press("Remove")
    eve.sign_in_on_this_page(table, EVE)
    copied = Browser(table.app())
    copied.client.set_cookie("corr", before.value)

    assert "Sign in by email" in copied.open("/lobby/")
    assert "You are Eve" in eve.open("/lobby/")


def test_a_sign_in_counts_as_recent_for_ten_minutes(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    table.clock.advance(minutes=9, seconds=59)
    browser.open("/settings/")

    assert "unless we've been asked not to" in browser.press("Add address", address=FAY)


def test_a_new_code_is_sent_for_a_change_every_ten_minutes(table: Table, eve: Browser) -> None:
    """Only unused codes count towards the limit."""
    for _ in range(5):
        eve.press("Send game emails here")
        eve.sign_in_on_this_page(table, EVE)
        assert eve.path == "/settings/"
        table.clock.advance(minutes=10)


def test_strangers_cannot_use_up_a_players_codes_for_signing_in_again(table: Table, eve: Browser) -> None:
    for _ in range(5):
        mallory = Browser(table.app())
        for _ in range(4):
            mallory.open("/sign-in")
            mallory.press("Email me a code", address=EVE)
            mallory.press("Send another, or use a different address")
            table.run_workers()
        table.clock.advance(minutes=61)
    emails = len(table.emails_to(EVE))

    assert TOO_OLD in eve.press("Remove")
    eve.sign_in_on_this_page(table, EVE)

    assert len(table.emails_to(EVE)) == emails + 1
    assert f"{FAY} is no longer one of your addresses" in eve.press("Remove")


def test_only_three_unused_codes_are_sent_for_signing_in_again(table: Table, eve: Browser) -> None:
    eve.press("Remove")
    emails = len(table.emails_to(EVE))
    for _ in range(5):
        eve.press("Email me a code", address=EVE)
        table.run_workers()
        eve.press("Send another, or use a different address")

    assert len(table.emails_to(EVE)) == emails + 3
