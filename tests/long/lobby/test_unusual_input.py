"""Unusual input in every form field, header, path and email: nothing breaks."""

from __future__ import annotations

import re

import pytest

from tests.support.browser import Browser, link_in
from tests.support.table import EVE, FAY, Table, text_of

UNUSUAL = (
    "",
    " ",
    "\0",
    "a\0b",
    "9" * 5_000,
    "\u0663",
    "x" * 50_000,
    "a" + "\u0301\u0323" * 5_000,
    "\u202e\r\nBcc: vic@v.example",
    "../../x",
    "{{ 7 * 7 }}",
)
FIELDS = (
    "address",
    "number",
    "name",
    "goal",
    "whom",
    "variant",
    "clock",
    "ending",
    "stops",
    "color",
    "weight",
    "code",
    "deed",
    "orders",
    "stamp",
    "side",
    "endpoint",
    "p256dh",
    "auth",
    "device",
)
GOOD = {"whom": FAY, "variant": "wild16", "clock": "3d", "color": "white", "name": "Gus", "address": FAY}


def csrf_of(browser: Browser) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', browser.answer.get_data(as_text=True))
    assert found
    return found[1]


def forms(table: Table) -> list[str]:
    """Where all forms of the site go, including an email's page."""
    rules = [rule for rule in table.app().url_map.iter_rules() if "POST" in (rule.methods or ())]
    link = link_in(text_of(table.last_email(FAY)))
    return [rule.rule.replace("/letters/<mark>", link).replace("<code>", "whatever") for rule in rules]


@pytest.mark.parametrize("field", FIELDS)
def test_no_form_breaks_whatever_a_field_has(table: Table, field: str) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.press("Challenge", whom=FAY)
    table.run_workers()
    for form in forms(table):
        if "sign-out" in form:
            continue
        browser.open("/lobby/")
        for text in UNUSUAL:
            data = {**GOOD, "csrf": csrf_of(browser), field: text}
            assert browser.client.post(form, data=data).status_code < 500, (form, text[:20])


def status_without_csrf(form: str) -> int:
    """Eve is no operator, and the API asks for a token first."""
    if form.startswith("/admin/"):
        return 404
    if form == "/play":  # it redirects and asks again
        return 303
    return 401 if form.startswith(("/api/", "/reconchess/api/")) else 400


def test_no_form_breaks_without_its_fields(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.press("Challenge", whom=FAY)
    table.run_workers()
    for form in forms(table):
        status = status_without_csrf(form)
        for data in ({}, {"csrf": ""}, {"csrf": "é"}):
            assert browser.client.post(form, data=data).status_code == status, form
        if "Sign out" not in browser.open("/lobby/"):
            browser.open("/sign-in")
        assert browser.client.post(form, data={"csrf": csrf_of(browser)}).status_code < 500, form


@pytest.mark.parametrize("header", ["Origin", "Host", "X-Forwarded-For", "Cookie", "Referer", "Content-Type"])
@pytest.mark.parametrize(
    "odd", ["http://[::1", "[", "null", "é", "x" * 3_000, "corr=.e.e.e", "multipart/form-data"]
)
def test_no_request_header_breaks_a_page(table: Table, header: str, odd: str) -> None:
    client = table.app().test_client()
    for path in ("/sign-in", "/lobby/", "/letters/x"):
        for ask in (client.get, client.post, client.head):
            assert ask(path, headers={header: odd}).status_code < 500, (path, ask)


@pytest.mark.parametrize(
    "odd", ["%00", "x%00", "%ff", "%C3%9F" * 31, "%E2%80%AE", "1" * 4_000, "b" * 31, "..", "%2e%2e%2f"]
)
def test_no_path_breaks_a_page(table: Table, odd: str) -> None:
    client = table.app().test_client()
    for folder in ("letters", "offers", "games"):
        for ask in (client.get, client.head):
            assert ask(f"/{folder}/{odd}").status_code < 500
    browser = Browser(table.app())
    browser.client.get(f"/offers/{odd}")
    browser.sign_in(table, EVE, "Eve")
    assert browser.answer.status_code < 500


LINES = (
    "challenge {odd} wild16",
    "challenge a {odd}",
    "challenge fay@f.example {odd}",
    "challenge fay@f.example wild16 {odd}",
    "seek {odd}",
    "seek wild16 {odd}",
    "take {odd}",
    "withdraw {odd}",
    "rules {odd}",
    "{odd}",
    "never {odd}",
    "accept {odd}",
)


@pytest.mark.parametrize("line", LINES)
def test_no_email_breaks_the_reader(table: Table, line: str, caplog: pytest.LogCaptureFixture) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    for text in UNUSUAL:
        unfolded = text.replace("\r\n", " ")
        table.write_to_site(EVE, line.format(odd=unfolded), name=unfolded[:300])
        table.clock.advance(hours=2)

    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
