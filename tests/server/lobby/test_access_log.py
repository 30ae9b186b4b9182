"""The access log records sign-ins and refusals, and names nobody."""

from __future__ import annotations

import logging

import pytest

from corr.processes import JsonFormatter
from tests.support.browser import Browser, link_in
from tests.support.sign_in_codes import code_in
from tests.support.table import EVE, FAY, Table, text_of

OPERATOR = "olga@o.example"


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "corr.service.players.access_log")
    return caplog


def new_entries(log: pytest.LogCaptureFixture) -> list[tuple[str, ...]]:
    """The entries since the last call: each message and its codes."""
    codes = ("what", "by", "why", "everywhere")
    found = [
        (each.getMessage(), *(str(vars(each)[code]) for code in codes if code in vars(each)))
        for each in log.records
        if each.name == "corr.service.players.access_log"
    ]
    log.clear()
    return found


def ask_for_code(table: Table, address: str) -> tuple[Browser, str]:
    browser = Browser(table.app())
    browser.open("/sign-in")
    browser.press("Email me a code", address=address)
    table.run_workers()
    return browser, code_in(table.last_text(address))


def test_signing_in_and_out_is_logged(table: Table, log: pytest.LogCaptureFixture) -> None:
    browser, code = ask_for_code(table, EVE)
    browser.press("Sign in", number=code)
    assert new_entries(log) == [("signed in", "number")]

    browser.client.post("/sign-out", data={"csrf": browser.csrf})
    assert new_entries(log) == [("signed out", "False")]

    ask_for_code(table, EVE)
    browser.open(link_in(text_of(table.last_email(EVE))))
    browser.press("Sign in")
    browser.open("/lobby/")
    browser.client.post("/sign-out/everywhere", data={"csrf": browser.csrf})
    assert new_entries(log) == [("signed in", "link"), ("signed out", "True")]


def test_signing_in_by_an_invitation_is_logged(table: Table, log: pytest.LogCaptureFixture) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/lobby/")
    browser.press("Challenge", whom=FAY)
    new_entries(log)
    friend = Browser(table.app_with_workers())
    friend.open(link_in(text_of(table.last_email(FAY))))
    friend.press("Accept", name="Fay")

    assert new_entries(log) == [("signed in", "invitation")]


def test_only_the_log_says_why_a_code_was_refused(table: Table, log: pytest.LogCaptureFixture) -> None:
    browser, code = ask_for_code(table, EVE)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    pages = {browser.press("Sign in", number=wrong) for _ in range(11)}
    assert {each[1:] for each in new_entries(log)} == {
        ("sign_in", "number", "wrong"),
        ("sign_in", "number", "tries"),
    }

    late, code = ask_for_code(table, FAY)
    table.clock.advance(minutes=10)
    pages.add(late.press("Sign in", number=code).replace(FAY, EVE))
    assert new_entries(log) == [("sign-in refused", "sign_in", "number", "old")]
    assert len(pages) == 1


def test_the_log_says_why_a_link_was_refused(table: Table, log: pytest.LogCaptureFixture) -> None:
    ask_for_code(table, EVE)
    first, second = Browser(table.app()), Browser(table.app())
    for browser in (first, second):
        browser.open(link_in(text_of(table.last_email(EVE))))
    for browser in (first, second):
        browser.press("Sign in")

    assert new_entries(log) == [
        ("signed in", "link"),
        ("sign-in refused", "sign_in", "link", "used"),
    ]


def test_the_log_says_that_no_email_was_sent(table: Table, log: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        browser = Browser(table.app())
        browser.open("/sign-in")
        browser.press("Email me a code", address=EVE)
    table.run_workers()
    browser.press("Sign in", number="000000")

    assert new_entries(log) == [
        ("no email sent to an address", "sign_in"),
        ("sign-in refused", "sign_in", "number", "unsent"),
    ]


def test_refused_requests_are_logged(table: Table, log: pytest.LogCaptureFixture) -> None:
    browser = Browser(table.app(None, None, OPERATOR))
    browser.client.post("/settings/profile", data={"name": "Eve"})
    browser.client.get("/admin/")
    browser.open("/sign-in")
    form = {"csrf": browser.csrf, "number": "1"}
    answers = [browser.client.post("/sign-in/number", data=form).status_code for _ in range(61)]

    assert answers[-1] == 429
    refused = [each for each in new_entries(log) if each[0] == "request refused"]
    assert refused == [
        ("request refused", "settings.profile", "old form"),
        ("request refused", "admin", "no operator"),
        ("request refused", "number", "too often"),
    ]


def test_the_log_names_nobody(table: Table, log: pytest.LogCaptureFixture) -> None:
    log.set_level(logging.INFO)
    browser, code = ask_for_code(table, EVE)
    browser.press("Sign in", number="12")
    browser.press("Sign in", number=code)
    browser.press("Save name", name="Evelyn")
    browser.client.post("/sign-out/everywhere", data={"csrf": browser.csrf})
    lines = "\n".join(JsonFormatter().format(each) for each in log.records)

    assert "sign-in refused" in lines
    for secret in (EVE, EVE.partition("@")[0] + "@", "Evelyn", f'"{code}"', "127.0.0.1"):
        assert secret not in lines
