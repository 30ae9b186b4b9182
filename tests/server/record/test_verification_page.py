"""The verification page, and the download of a player's record."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from corr.proof import verify
from tests.support.api_bots import first_game_code
from tests.support.browser import Browser, text_of_page
from tests.support.table import ANN, BEN, EVE, Table


@pytest.fixture
def over(table: Table) -> str:
    """The code of a game in which Black resigned."""
    table.begin()
    table.play("e2e4")
    table.reply(BEN, "resign resign")
    return first_game_code(table)


def record_of(table: Table, player: str, code: str) -> bytes:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, player)
    return browser.client.get(f"/games/{code}/record").data


def mbox_of(table: Table, player: str) -> bytes:
    return b"".join(b"From umpire\n" + email.as_bytes() + b"\n" for email in table.emails_to(player))


def verify_on_page(table: Table, record: bytes, *emails: bytes) -> str:
    """The verification page's answer to a stranger."""
    browser = Browser(table.app_with_workers())
    browser.open("/verify")
    form = {
        "csrf": browser.csrf,
        "record": (io.BytesIO(record), "record.jsonl.gz"),
        "letters": [(io.BytesIO(each), "letters.mbox") for each in emails],
    }
    answer = browser.client.post("/verify", data=form, content_type="multipart/form-data")
    assert answer.status_code == 200
    return text_of_page(answer.text)


def test_anyone_can_check_a_record_and_its_emails(table: Table, over: str) -> None:
    page = verify_on_page(table, record_of(table, ANN, over), mbox_of(table, ANN))

    assert "The record holds" in page
    assert (
        f"The record of game {over} is valid: 3 turns, each sealed by the next, and 3 of your emails" in page
    )


def test_a_truncated_file_is_refused(table: Table, over: str) -> None:
    page = verify_on_page(table, record_of(table, ANN, over)[:-9])

    assert "The record is wrong" in page
    assert "We can't unpack the file" in page


def test_the_other_sides_emails_have_the_same_seals(table: Table, over: str) -> None:
    assert "The record holds" in verify_on_page(table, record_of(table, ANN, over), mbox_of(table, BEN))


def test_the_page_asks_for_a_missing_file(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.open("/verify")

    assert "Please choose a record file first." in text_of_page(browser.press("Check the record"))


def test_only_players_get_the_record(table: Table, over: str) -> None:
    eve = Browser(table.app_with_workers())
    assert eve.client.get(f"/games/{over}/record").status_code == 303
    eve.sign_in(table, EVE, "Eve")

    assert eve.client.get(f"/games/{over}/record").status_code == 404
    assert eve.client.get("/games/zzzzz/record").status_code == 404


def test_verify_py_is_served_unchanged(table: Table) -> None:
    program = Browser(table.app()).client.get("/verify.py").data

    assert program == Path(verify.__file__).read_bytes()


def test_a_file_that_is_too_large_is_refused(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.open("/verify")
    posted = browser.client.post(
        "/verify", data=b"x" * 11_000_000, content_type="multipart/form-data; boundary=b"
    )

    assert posted.status_code == 413
