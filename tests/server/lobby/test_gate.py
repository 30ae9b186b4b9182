"""What the log tells of who comes in and who is kept out, and that it names nobody."""

from __future__ import annotations

import logging
import re

import pytest

from corr.processes import JsonFormatter
from tests.support.browser import Browser, link_in
from tests.support.table import EVE, FAY, Table, text_of

OPERATOR = "olga@o.example"


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "corr.service.players.access_log")
    return caplog


def told(log: pytest.LogCaptureFixture) -> list[tuple[str, ...]]:
    """What was told since the last time: the sentence, and its codes."""
    codes = ("what", "by", "why", "everywhere")
    found = [
        (each.getMessage(), *(str(vars(each)[code]) for code in codes if code in vars(each)))
        for each in log.records
        if each.name == "corr.service.players.access_log"
    ]
    log.clear()
    return found


def asked(table: Table, address: str) -> tuple[Browser, str]:
    browser = Browser(table.app())
    browser.open("/sign-in")
    browser.press("Email me a code", address=address)
    table.work()
    found = re.search(r'the six digits "(\d{6})"', table.says(address))
    assert found
    return browser, found[1]


def test_coming_in_and_leaving_are_told(table: Table, log: pytest.LogCaptureFixture) -> None:
    browser, number = asked(table, EVE)
    browser.press("Sign in", number=number)
    assert told(log) == [("signed in", "number")]

    browser.client.post("/sign-out", data={"csrf": browser.csrf})
    assert told(log) == [("signed out", "False")]

    asked(table, EVE)
    browser.open(link_in(text_of(table.newest(EVE))))
    browser.press("Sign in")
    browser.open("/lobby/")
    browser.client.post("/sign-out/everywhere", data={"csrf": browser.csrf})
    assert told(log) == [("signed in", "link"), ("signed out", "True")]


def test_a_friend_who_comes_in_by_an_invitation_is_told_too(
    table: Table, log: pytest.LogCaptureFixture
) -> None:
    browser = Browser(table.at_work())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/lobby/")
    browser.press("Challenge", whom=FAY)
    told(log)
    friend = Browser(table.at_work())
    friend.open(link_in(text_of(table.newest(FAY))))
    friend.press("Accept", name="Fay")

    assert told(log) == [("signed in", "invitation")]


def test_why_a_number_did_not_let_in_is_told_to_the_operator_alone(
    table: Table, log: pytest.LogCaptureFixture
) -> None:
    browser, number = asked(table, EVE)
    wrong = f"{(int(number) + 1) % 1_000_000:06}"
    pages = {browser.press("Sign in", number=wrong) for _ in range(11)}
    assert {each[1:] for each in told(log)} == {
        ("sign_in", "number", "wrong"),
        ("sign_in", "number", "tries"),
    }

    late, number = asked(table, FAY)
    table.clock.pass_by(minutes=10)
    pages.add(late.press("Sign in", number=number).replace(FAY, EVE))
    assert told(log) == [("sign-in refused", "sign_in", "number", "old")]
    assert len(pages) == 1


def test_why_a_link_did_not_let_in_is_told(table: Table, log: pytest.LogCaptureFixture) -> None:
    asked(table, EVE)
    first, second = Browser(table.app()), Browser(table.app())
    for browser in (first, second):
        browser.open(link_in(text_of(table.newest(EVE))))
    for browser in (first, second):
        browser.press("Sign in")

    assert told(log) == [
        ("signed in", "link"),
        ("sign-in refused", "sign_in", "link", "used"),
    ]


def test_that_no_letter_went_to_an_address_is_told(table: Table, log: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        browser = Browser(table.app())
        browser.open("/sign-in")
        browser.press("Email me a code", address=EVE)
    table.work()
    browser.press("Sign in", number="000000")

    assert told(log) == [
        ("no email sent to an address", "sign_in"),
        ("sign-in refused", "sign_in", "number", "unsent"),
    ]


def test_requests_that_are_refused_are_told(table: Table, log: pytest.LogCaptureFixture) -> None:
    browser = Browser(table.app(None, None, OPERATOR))
    browser.client.post("/settings/profile", data={"name": "Eve"})
    browser.client.get("/admin/")
    browser.open("/sign-in")
    form = {"csrf": browser.csrf, "number": "1"}
    answers = [browser.client.post("/sign-in/number", data=form).status_code for _ in range(61)]

    assert answers[-1] == 429
    refused = [each for each in told(log) if each[0] == "request refused"]
    assert refused == [
        ("request refused", "settings.profile", "old form"),
        ("request refused", "admin", "no operator"),
        ("request refused", "number", "too often"),
    ]


def test_no_line_of_the_log_names_whoever_it_is_about(table: Table, log: pytest.LogCaptureFixture) -> None:
    log.set_level(logging.INFO)
    browser, number = asked(table, EVE)
    browser.press("Sign in", number="12")
    browser.press("Sign in", number=number)
    browser.press("Save name", name="Evelyn")
    browser.client.post("/sign-out/everywhere", data={"csrf": browser.csrf})
    lines = "\n".join(JsonFormatter().format(each) for each in log.records)

    assert "sign-in refused" in lines
    for secret in (EVE, EVE.partition("@")[0] + "@", "Evelyn", f'"{number}"', "127.0.0.1"):
        assert secret not in lines
