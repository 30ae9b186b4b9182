"""Players can get all their data: by email to their own address, once a day, and from the settings page."""

from __future__ import annotations

import json
from email.message import EmailMessage
from typing import Any

import pytest

from corr import limits
from corr.proof.proof import prove
from corr.service.games import own_data_file
from corr.service.players import players
from tests.support.browser import Browser
from tests.support.command_line import corr
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, DOMAIN, EVE, FAY, Table, text_of, unwrap

SUBJECT = "[corr] Your data"


def data_emails(table: Table, address: str) -> list[EmailMessage]:
    return [each for each in table.emails_to(address) if each["Subject"] == SUBJECT]


def attached_file(letter: EmailMessage) -> dict[str, Any]:
    (file,) = letter.iter_attachments()
    assert file.get_filename() == "kept.json"
    held = file.get_payload(decode=True)
    assert isinstance(held, bytes)
    found: dict[str, Any] = json.loads(held)
    return found


def play(table: Table) -> None:
    """Play a whole short game of Ann with Ben."""
    table.begin_by_email()
    table.play(*GAMES["wild16"].letters)


def test_the_email_has_the_records_of_ones_own_finished_games(table: Table) -> None:
    play(table)
    table.reply(ANN, "note his queen is out")
    table.reply(ANN, "data")
    (letter,) = data_emails(table, ANN)
    kept = attached_file(letter)

    assert "We're emailing your data" in unwrap(text_of(table.emails_to(ANN)[-2])) + unwrap(
        text_of(table.emails_to(ANN)[-1])
    )
    assert (kept["name"], kept["addresses"]) == ("ann", [ANN])
    assert [each["order"] for each in kept["orders"]] == ["f2f3", "g2g4"]
    assert kept["notes"][0]["note"] == "his queen is out"
    assert any("f2f3" in each for each in kept["letters"])
    (game,) = kept["records"]
    lines = [f"{line}\n".encode() for line in game["record"]]
    assert prove(lines).holds
    assert json.loads(lines[0])["side"] == game["side"] == "white"
    assert BEN not in json.dumps({**kept, "letters": []})


def test_a_running_game_has_no_record_in_it(table: Table) -> None:
    table.begin_by_email()
    table.play("e2e4")
    table.reply(ANN, "data")

    assert attached_file(data_emails(table, ANN)[0])["records"] == []


def test_it_comes_once_a_day(table: Table) -> None:
    play(table)
    table.reply(ANN, "data")
    table.write_to_site(ANN, "data")
    assert len(data_emails(table, ANN)) == 1
    assert "in the last 24 hours" in unwrap(text_of(table.emails_to(ANN)[-1]))
    table.clock.advance(hours=25)
    table.write_to_site(ANN, "data")

    assert len(data_emails(table, ANN)) == 2
    assert data_emails(table, BEN) == []


def test_an_unproved_email_gets_no_data_sent_to_anyone(table: Table) -> None:
    play(table)
    table.reply(ANN, "data", sender=EVE)
    table.write_to_site(ANN, "data", vouched=False)

    assert [data_emails(table, each) for each in (ANN, EVE)] == [[], []]
    assert "can't be sure it was you" in unwrap(text_of(table.emails_to(ANN)[-1]))


def test_it_goes_to_the_main_address_whichever_own_address_asked(table: Table) -> None:
    play(table)
    players.add(table.server, "Ann", FAY, table.clock())
    table.write_to_site(FAY, "data")

    assert len(data_emails(table, ANN)) == 1
    assert data_emails(table, FAY) == []


def test_a_stranger_hears_that_no_player_uses_the_address(table: Table) -> None:
    table.write_to_site(EVE, "data")

    assert data_emails(table, EVE) == []
    assert "No player uses this address" in unwrap(text_of(table.last_email(EVE)))


def test_a_file_that_would_be_too_large_leaves_out_the_oldest_and_says_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(table)
    monkeypatch.setattr(limits, "OWN_DATA_BYTES", 8_000)
    table.reply(ANN, "data")
    (letter,) = data_emails(table, ANN)
    kept = attached_file(letter)

    assert kept["letters"] == []
    assert kept["left_out"]["letters"] > 0
    assert kept["left_out"]["records"] == 1 - len(kept["records"])
    assert len(json.dumps(kept)) < 13_000
    assert f"{kept['left_out']['letters']} emails that you sent" in unwrap(text_of(letter))


def test_the_settings_page_has_it_as_a_file_without_emails(table: Table) -> None:
    play(table)
    ann = Browser(table.app_with_workers())
    ann.sign_in(table, ANN)
    assert 'href="/settings/data"' in ann.client.get("/settings/").get_data(as_text=True)
    file = ann.client.get("/settings/data")
    kept = file.get_json()

    assert file.headers["Content-Disposition"] == 'attachment; filename="kept.json"'
    assert file.headers["Cache-Control"] == "no-store"
    assert kept["addresses"] == [ANN]
    assert len(kept["records"]) == 1
    assert "letters" not in kept
    table.clock.advance(minutes=11)
    assert ann.client.get("/settings/data").status_code == 303
    assert Browser(table.app_with_workers()).client.get("/settings/data").status_code == 303


def test_the_command_prints_all_of_it(table: Table) -> None:
    play(table)
    kept = json.loads(own_data_file.export_by_name(table.server, "ann"))
    env = {"CORR_DATABASE_URL": (table.spool.parent / "database").read_text(), "CORR_MAIL_DOMAIN": DOMAIN}

    assert kept["letters"]
    assert len(kept["records"]) == 1
    assert json.loads(corr("player", "export", "Ann", env=env).output) == kept
