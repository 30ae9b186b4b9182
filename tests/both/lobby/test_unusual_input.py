"""Input that databases may mind (null bytes, huge numbers, unusual Unicode) in forms, emails and names."""

from __future__ import annotations

import pytest

from tests.support.browser import Browser
from tests.support.table import EVE, FAY, Table

UNUSUAL = ("\0", "a\0b", "9" * 5_000, "\u0663", "a" + "\u0301\u0323" * 500)
FORMS = {
    "/lobby/challenge": "whom",
    "/lobby/seek": "clock",
    "/lobby/withdraw": "code",
    "/settings/profile": "name",
    "/settings/zone": "zone",
    "/settings/address": "address",
    "/settings/address/number": "number",
}
LINES = ("challenge {text} wild16", "seek wild16 {text}", "take {text}", "{text}")


def test_no_form_field_breaks_the_database(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/lobby/")
    good = {"whom": FAY, "variant": "wild16", "clock": "3d", "color": "white", "csrf": browser.csrf}

    for form, field in FORMS.items():
        for text in UNUSUAL:
            assert browser.client.post(form, data={**good, field: text}).status_code < 500, (form, text[:9])


def test_no_email_breaks_the_database(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    Browser(table.app()).sign_in(table, EVE, "Eve")

    for line in LINES:
        for text in UNUSUAL:
            table.write_to_site(EVE, line.format(text=text), name=text[:300])
        table.clock.advance(hours=2)

    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("taken", ["åsa", "ÅSA", "A\u030asa", "  Åsa "])
def test_names_that_look_alike_are_the_same_on_each_database(table: Table, taken: str) -> None:
    Browser(table.app()).sign_in(table, EVE, "Åsa")
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/settings/")

    assert "Another player's name looks the same" in fays.press("Save profile", name=taken)
    assert "You are Fay" in fays.open("/settings/")
