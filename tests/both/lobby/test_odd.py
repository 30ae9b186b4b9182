"""What no person would write, where a database may mind: in forms, in letters, and as a name."""

from __future__ import annotations

import pytest

from tests.support.browser import Browser
from tests.support.table import EVE, FAY, Table

ODD = ("\0", "a\0b", "9" * 5_000, "\u0663", "a" + "\u0301\u0323" * 500)
FORMS = {
    "/lobby/challenge": "whom",
    "/lobby/seek": "clock",
    "/lobby/withdraw": "code",
    "/settings/profile": "name",
    "/settings/zone": "zone",
    "/settings/address": "address",
    "/settings/address/number": "number",
}
LINES = ("challenge {odd} wild16", "seek wild16 {odd}", "take {odd}", "{odd}")


def test_no_field_of_a_form_breaks_the_database(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/lobby/")
    good = {"whom": FAY, "variant": "wild16", "clock": "3d", "color": "white", "csrf": browser.csrf}

    for form, field in FORMS.items():
        for odd in ODD:
            assert browser.client.post(form, data={**good, field: odd}).status_code < 500, (form, odd[:9])


def test_no_letter_breaks_the_database(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    Browser(table.app()).sign_in(table, EVE, "Eve")

    for line in LINES:
        for odd in ODD:
            table.write(EVE, line.format(odd=odd), name=odd[:300])
        table.clock.pass_by(hours=2)

    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("taken", ["åsa", "ÅSA", "A\u030asa", "  Åsa "])
def test_a_name_is_the_same_name_however_a_database_compares_it(table: Table, taken: str) -> None:
    Browser(table.app()).sign_in(table, EVE, "Åsa")
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/settings/")

    assert "Another player's name looks the same" in fays.press("Save profile", name=taken)
    assert "You are Fay" in fays.open("/settings/")
