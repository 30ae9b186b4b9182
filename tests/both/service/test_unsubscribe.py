"""Unsubscribing from emails about games: it stops these emails, and no game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from email.message import EmailMessage

import pytest
from sqlalchemy import select

from corr.mail.address import TokenKind
from corr.service.mail import inbox
from corr.service.players import addresses, mailboxes
from corr.service.players.authentication import Visitor
from corr.store.tables import PlayerRow
from tests.support.table import ANN, BEN, DOMAIN, EVE, Table, text_of, unwrap
from tests.support.unsubscribe_headers import (
    ONE_CLICK,
    unsubscribe_address,
    unsubscribe_page,
    unsubscribe_with_one_click,
)

FAREWELL_SUBJECT = "[corr] Emails about your games"


def unsubscribe_email(address: str, body: str = "", sender: str = ANN, message_id: str = "stop-1") -> bytes:
    """What a mail program sends to the unsubscribe address; some send no text."""
    head = (
        f"From: {sender}",
        f"To: {address}",
        "Subject: unsubscribe",
        f"Message-ID: <{message_id}@mail.example>",
    )
    return "\r\n".join((*head, "", body)).encode()


def mailing(table: Table, name: str = "ann") -> str:
    with table.server.store.reading() as connection:
        return connection.execute(select(PlayerRow.mailing).where(PlayerRow.name == name)).scalar_one()


def begin_game(table: Table) -> EmailMessage:
    """Begin a game, move on both sides, and return Ann's turn email."""
    table.begin()
    table.play("e2e4", "e7e5")
    return table.last_email(ANN)


def visitor(table: Table, address: str) -> Visitor:
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, address)
    assert who
    return Visitor(who, "ann", table.clock())


def add_address(table: Table, address: str) -> None:
    """Give Ann another address."""
    asking = addresses.request_address(table.server, visitor(table, ANN), address, table.clock())
    table.run_workers()
    found = re.search(r'the six digits "(\d{6})"', table.last_text(address))
    assert found
    addresses.add_by_number(table.server, visitor(table, ANN), asking, found[1], table.clock())
    table.run_workers()


def subjects(letters: Sequence[EmailMessage]) -> list[str]:
    return [str(letter["Subject"]) for letter in letters]


# ---------------------------------------------------------------- by one click


def test_one_click_stops_turn_emails_and_a_last_email_says_so(table: Table) -> None:
    turn_email = begin_game(table)
    assert turn_email["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    before = len(table.emails_to(ANN))

    answer = unsubscribe_with_one_click(table.app(), unsubscribe_page(turn_email))
    table.run_workers()

    assert (answer.status_code, answer.headers.get("Set-Cookie")) == (200, None)
    assert "Emails stopped" in answer.get_data(as_text=True)
    assert subjects(table.emails_to(ANN)[before:]) == [FAREWELL_SUBJECT]
    assert "so we no longer email you about each move in your games" in table.last_text(ANN)
    table.reply(ANN, "d2d4", to=turn_email)
    table.reply(BEN, "d7d5")
    assert "Your move has been made." in table.last_text(ANN)
    table.clock.advance(days=2, hours=12)
    table.sweep()
    assert len(table.emails_to(ANN)) == before + 3
    assert "We send this email whatever your settings are" in table.last_text(ANN)
    table.reply(ANN, "show", to=turn_email)
    assert "d7d5" not in table.last_text(ANN)
    assert "White's move" in table.last_text(ANN)


def test_a_second_click_sends_no_second_email(table: Table) -> None:
    turn_email, app = begin_game(table), table.app_with_workers()
    unsubscribe_with_one_click(app, unsubscribe_page(turn_email))
    letters = len(table.emails_to(ANN))

    assert unsubscribe_with_one_click(app, unsubscribe_page(turn_email)).status_code == 200
    assert len(table.emails_to(ANN)) == letters


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_opening_the_page_stops_nothing(table: Table, method: str) -> None:
    turn_email, client = begin_game(table), table.app().test_client()

    assert client.open(unsubscribe_page(turn_email), method=method, query_string=ONE_CLICK).status_code == 200
    assert mailing(table) == "each"


@pytest.mark.parametrize("data", [{}, {"List-Unsubscribe": "no"}, {"csrf": "guessed"}])
def test_a_form_without_the_one_click_field_stops_nothing(table: Table, data: dict[str, str]) -> None:
    turn_email, client = begin_game(table), table.app().test_client()

    assert client.post(unsubscribe_page(turn_email), data=data).status_code == 400
    assert mailing(table) == "each"


def test_the_page_says_what_still_comes_and_names_no_player(table: Table) -> None:
    turn_email, client = begin_game(table), table.app().test_client()
    page = client.get(unsubscribe_page(turn_email)).get_data(as_text=True)
    done = client.post(unsubscribe_page(turn_email), data=ONE_CLICK).get_data(as_text=True)

    for each in (page, done):
        assert "Emails you still get" in each
        assert "“mail each”" in each
        assert not re.search(r"\bann\b|a\.example|Wild 16", each, re.IGNORECASE)


def test_a_reply_to_the_last_email_turns_them_on_again(table: Table) -> None:
    turn_email = begin_game(table)
    unsubscribe_with_one_click(table.app_with_workers(), unsubscribe_page(turn_email))
    table.reply(ANN, "mail each")
    table.reply(ANN, "d2d4", to=turn_email)
    table.reply(BEN, "d7d5")

    assert "White's move" in table.last_text(ANN)
    assert mailing(table) == "each"


def test_the_digest_is_stopped_too(table: Table) -> None:
    table.begin()
    table.reply(ANN, "mail daily 18")
    table.play("e2e4", "e7e5")
    table.clock.advance(hours=7)
    table.sweep()
    table.run_workers()
    digest = table.last_email(ANN)
    assert digest["Subject"] == "[corr] Your games today"

    unsubscribe_with_one_click(table.app_with_workers(), unsubscribe_page(digest))
    letters = len(table.emails_to(ANN))
    table.clock.advance(days=1)
    table.sweep()
    table.run_workers()

    assert mailing(table) == "off"
    assert len(table.emails_to(ANN)) == letters


def test_an_unsent_email_is_dropped(table: Table) -> None:
    turn_email = begin_game(table)
    table.deliver(table.reply_email(ANN, "d2d4"))
    table.read_emails()
    table.send_emails()
    table.deliver(table.reply_email(BEN, "d7d5"))
    table.read_emails()
    unsubscribe_with_one_click(table.app(), unsubscribe_page(turn_email))
    before = len(table.emails_to(ANN))
    table.run_workers()

    assert subjects(table.emails_to(ANN)[before:]) == [FAREWELL_SUBJECT]


# ---------------------------------------------------------------- by email


@pytest.mark.parametrize(
    "body", ["", "stop", "e2e4\nresign resign", "This message was generated by a program."]
)
@pytest.mark.parametrize("sender", [ANN, EVE])
def test_any_email_to_the_unsubscribe_address_stops_them(table: Table, body: str, sender: str) -> None:
    turn_email = begin_game(table)
    before = len(table.emails_to(ANN))

    assert inbox.is_site_address(table.server, unsubscribe_address(turn_email))
    assert table.deliver(unsubscribe_email(unsubscribe_address(turn_email), body, sender)) == 1
    table.run_workers()

    assert mailing(table) == "off"
    assert subjects(table.emails_to(ANN)[before:]) == [FAREWELL_SUBJECT]
    assert table.emails_to(EVE) == []


def test_a_repeated_unsubscribe_email_does_nothing(table: Table) -> None:
    raw = unsubscribe_email(unsubscribe_address(begin_game(table)))
    table.deliver(raw)
    table.run_workers()
    table.reply(ANN, "mail each")
    table.deliver(raw)
    table.run_workers()

    assert mailing(table) == "each"


def test_a_bounce_stops_nothing(table: Table) -> None:
    address = unsubscribe_address(begin_game(table))
    head = b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n"
    table.deliver(head + unsubscribe_email(address))
    table.run_workers()

    assert mailing(table) == "each"


# ---------------------------------------------------------------- valid links


def test_a_new_address_invalidates_the_older_links(table: Table) -> None:
    leaked = begin_game(table)
    table.reply(ANN, "new address")
    answer = unsubscribe_with_one_click(table.app(), unsubscribe_page(leaked))

    assert answer.status_code == 404
    assert "We changed nothing, because this link is out of date" in answer.get_data(as_text=True)
    assert not inbox.is_site_address(table.server, unsubscribe_address(leaked))
    assert table.deliver(unsubscribe_email(unsubscribe_address(leaked))) == 0
    assert mailing(table) == "each"
    table.reply(ANN, "d2d4")
    table.reply(BEN, "d7d5")
    unsubscribe_with_one_click(table.app(), unsubscribe_page(table.last_email(ANN)))
    assert mailing(table) == "off"


def test_the_opponents_new_address_changes_no_link(table: Table) -> None:
    turn_email = begin_game(table)
    table.reply(BEN, "new address", to=table.emails_to(BEN)[-1])
    table.reply(ANN, "d2d4")
    table.reply(BEN, "d7d5")

    assert table.last_email(ANN)["List-Unsubscribe"] == turn_email["List-Unsubscribe"]


def test_no_other_mark_and_no_guessed_one_stops_emails(table: Table) -> None:
    turn_email, client = begin_game(table), table.app().test_client()
    mark = unsubscribe_page(turn_email).rpartition("/")[2]
    ann = visitor(table, ANN).who
    of_checkpoints = ann.signer.mark(TokenKind.STOP_CHECKPOINTS, 0)
    others = [ann.signer.mark(kind, number) for kind in TokenKind for number in (0, 1)]
    guessed = [f"{mark[:-2]}{each}{mark[-1]}" for each in "abcdq" if each != mark[-2]]
    for each in [*others, *guessed, mark[:-1], "nothing", "é"]:
        if each not in (mark, of_checkpoints):
            assert client.post(f"/stop/{each}", data=ONE_CLICK).status_code == 404, each
            assert client.get(f"/stop/{each}").status_code == 404, each
    assert mark in others
    assert mailing(table) == "each"


def test_a_link_signs_nobody_in_and_opens_nothing_else(table: Table) -> None:
    turn_email, client = begin_game(table), table.app().test_client()
    mark = unsubscribe_page(turn_email).rpartition("/")[2]
    before = len(table.all_emails())

    client.get(unsubscribe_page(turn_email))
    assert client.get(f"/letters/{mark}").status_code == 404
    assert client.post(f"/letters/{mark}", data={"deed": "never again"}).status_code in (400, 404)
    assert client.get("/games/").status_code == 303
    assert len(table.all_emails()) == before


def test_a_link_is_valid_as_long_as_its_address_is_the_players(table: Table) -> None:
    turn_email, other = begin_game(table), "ann@elsewhere.example"
    add_address(table, other)
    addresses.choose_main(table.server, visitor(table, ANN), other, table.clock())
    table.run_workers()

    unsubscribe_with_one_click(table.app_with_workers(), unsubscribe_page(turn_email))

    assert mailing(table) == "off"
    assert table.last_email(other)["Subject"] == FAREWELL_SUBJECT
    table.reply(other, "mail each")
    addresses.remove(table.server, visitor(table, other), ANN, table.clock())
    assert unsubscribe_with_one_click(table.app(), unsubscribe_page(turn_email)).status_code == 404
    assert mailing(table) == "each"


# ---------------------------------------------------------------- emails with a link


def test_only_emails_that_can_be_stopped_have_a_link(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e5")
    table.play("e2e4", "e7e5")
    table.clock.advance(days=2, hours=12)
    table.sweep()
    table.reply(BEN, "resign resign")
    table.reply(BEN, "again")
    with_it = [unwrap(text_of(letter)) for letter in table.emails_to(ANN) if letter["List-Unsubscribe"]]
    without = [unwrap(text_of(letter)) for letter in table.emails_to(ANN) if not letter["List-Unsubscribe"]]

    for phrase in ("The game starts when", "You wrote:", "Black resigns", "would like a rematch"):
        assert any(phrase in text for text in without), phrase
        assert not any(phrase in text for text in with_it), phrase
    for phrase in ("White's move", "This is a reminder"):
        assert any(phrase in text for text in with_it), phrase


def test_each_player_has_one_link_for_all_games(table: Table) -> None:
    for _ in range(2):
        table.begin_by_email()
        table.play("e2e4", "e7e5", "d2d4")
    found = {
        player: {
            str(letter["List-Unsubscribe"])
            for letter in table.emails_to(player)
            if letter["List-Unsubscribe"]
        }
        for player in (ANN, BEN)
    }

    assert [len(found[player]) for player in (ANN, BEN)] == [1, 1]
    assert found[ANN] != found[BEN]
    assert all(f"@{DOMAIN}>" in each for each in (*found[ANN], *found[BEN]))


def test_links_without_https_are_left_out(table: Table) -> None:
    table.server = replace(table.server, web_url="http://play.example")
    turn_email = begin_game(table)

    assert str(turn_email["List-Unsubscribe"]) == f"<mailto:{unsubscribe_address(turn_email)}>"
    assert turn_email["List-Unsubscribe-Post"] is None
