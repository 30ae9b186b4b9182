"""Letters about games that a mail program stops at its reader's word: these letters, and no game."""

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
from tests.support.table import ANN, BEN, DOMAIN, EVE, Table, flat, text_of
from tests.support.unsubscribe_headers import ONE_CLICK, address_of, page_of, press

LAST = "[corr] Emails about your games"


def a_letter(address: str, body: str = "", sender: str = ANN, message_id: str = "stop-1") -> bytes:
    """What a mail program sends to the address; some say nothing at all."""
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


def begun(table: Table) -> EmailMessage:
    """A game in which both have moved; Ann's letter about her turn."""
    table.begin()
    table.play("e2e4", "e7e5")
    return table.newest(ANN)


def visitor(table: Table, address: str) -> Visitor:
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, address)
    assert who
    return Visitor(who, "ann", table.clock())


def add(table: Table, address: str) -> None:
    """One more address of Ann's."""
    asking = addresses.request_address(table.server, visitor(table, ANN), address, table.clock())
    table.work()
    found = re.search(r'the six digits "(\d{6})"', table.says(address))
    assert found
    addresses.add_by_number(table.server, visitor(table, ANN), asking, found[1], table.clock())
    table.work()


def subjects(letters: Sequence[EmailMessage]) -> list[str]:
    return [str(letter["Subject"]) for letter in letters]


# ---------------------------------------------------------------- by a press


def test_a_press_stops_letters_about_turns_and_a_last_one_says_so(table: Table) -> None:
    told = begun(table)
    assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    before = len(table.letters(ANN))

    answer = press(table.app(), page_of(told))
    table.work()

    assert (answer.status_code, answer.headers.get("Set-Cookie")) == (200, None)
    assert "Emails stopped" in answer.get_data(as_text=True)
    assert subjects(table.letters(ANN)[before:]) == [LAST]
    assert "so we no longer email you about each move in your games" in table.says(ANN)
    table.reply(ANN, "d2d4", to=told)
    table.reply(BEN, "d7d5")
    assert "Your move has been made." in table.says(ANN)
    table.clock.pass_by(days=2, hours=12)
    table.sweep()
    assert len(table.letters(ANN)) == before + 3
    assert "We send this email whatever your settings are" in table.says(ANN)
    table.reply(ANN, "show", to=told)
    assert "d7d5" not in table.says(ANN)
    assert "White's move" in table.says(ANN)


def test_a_second_press_brings_no_second_letter(table: Table) -> None:
    told, app = begun(table), table.at_work()
    press(app, page_of(told))
    letters = len(table.letters(ANN))

    assert press(app, page_of(told)).status_code == 200
    assert len(table.letters(ANN)) == letters


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_looking_at_the_page_stops_nothing(table: Table, method: str) -> None:
    told, client = begun(table), table.app().test_client()

    assert client.open(page_of(told), method=method, query_string=ONE_CLICK).status_code == 200
    assert mailing(table) == "each"


@pytest.mark.parametrize("data", [{}, {"List-Unsubscribe": "no"}, {"csrf": "guessed"}])
def test_nor_does_a_form_that_does_not_say_so(table: Table, data: dict[str, str]) -> None:
    told, client = begun(table), table.app().test_client()

    assert client.post(page_of(told), data=data).status_code == 400
    assert mailing(table) == "each"


def test_the_page_says_what_still_comes_and_whose_it_is_to_nobody(table: Table) -> None:
    told, client = begun(table), table.app().test_client()
    page = client.get(page_of(told)).get_data(as_text=True)
    done = client.post(page_of(told), data=ONE_CLICK).get_data(as_text=True)

    for each in (page, done):
        assert "Emails you still get" in each
        assert "“mail each”" in each
        assert not re.search(r"\bann\b|a\.example|Wild 16", each, re.IGNORECASE)


def test_they_come_again_by_a_word_in_reply_to_the_last_one(table: Table) -> None:
    told = begun(table)
    press(table.at_work(), page_of(told))
    table.reply(ANN, "mail each")
    table.reply(ANN, "d2d4", to=told)
    table.reply(BEN, "d7d5")

    assert "White's move" in table.says(ANN)
    assert mailing(table) == "each"


def test_the_one_a_day_is_stopped_as_well(table: Table) -> None:
    table.begin()
    table.reply(ANN, "mail daily 18")
    table.play("e2e4", "e7e5")
    table.clock.pass_by(hours=7)
    table.sweep()
    table.work()
    digest = table.newest(ANN)
    assert digest["Subject"] == "[corr] Your games today"

    press(table.at_work(), page_of(digest))
    letters = len(table.letters(ANN))
    table.clock.pass_by(days=1)
    table.sweep()
    table.work()

    assert mailing(table) == "off"
    assert len(table.letters(ANN)) == letters


def test_a_letter_that_waits_for_the_mail_server_goes_out_no_more(table: Table) -> None:
    told = begun(table)
    table.post(table.letter(ANN, "d2d4"))
    table.read()
    table.send()
    table.post(table.letter(BEN, "d7d5"))
    table.read()
    press(table.app(), page_of(told))
    before = len(table.letters(ANN))
    table.work()

    assert subjects(table.letters(ANN)[before:]) == [LAST]


# ---------------------------------------------------------------- by mail


@pytest.mark.parametrize(
    "body", ["", "stop", "e2e4\nresign resign", "This message was generated by a program."]
)
@pytest.mark.parametrize("sender", [ANN, EVE])
def test_any_letter_to_its_address_stops_them(table: Table, body: str, sender: str) -> None:
    told = begun(table)
    before = len(table.letters(ANN))

    assert inbox.is_site_address(table.server, address_of(told))
    assert table.post(a_letter(address_of(told), body, sender)) == 1
    table.work()

    assert mailing(table) == "off"
    assert subjects(table.letters(ANN)[before:]) == [LAST]
    assert table.letters(EVE) == []


def test_a_letter_that_comes_once_more_does_not_stop_them_once_more(table: Table) -> None:
    raw = a_letter(address_of(begun(table)))
    table.post(raw)
    table.work()
    table.reply(ANN, "mail each")
    table.post(raw)
    table.work()

    assert mailing(table) == "each"


def test_what_comes_back_from_a_mail_server_stops_nothing(table: Table) -> None:
    address = address_of(begun(table))
    head = b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n"
    table.post(head + a_letter(address))
    table.work()

    assert mailing(table) == "each"


# ---------------------------------------------------------------- which links are good


def test_after_a_new_address_was_made_the_older_links_stop_nothing(table: Table) -> None:
    leaked = begun(table)
    table.reply(ANN, "new address")
    answer = press(table.app(), page_of(leaked))

    assert answer.status_code == 404
    assert "We changed nothing, because this link is out of date" in answer.get_data(as_text=True)
    assert not inbox.is_site_address(table.server, address_of(leaked))
    assert table.post(a_letter(address_of(leaked))) == 0
    assert mailing(table) == "each"
    table.reply(ANN, "d2d4")
    table.reply(BEN, "d7d5")
    press(table.app(), page_of(table.newest(ANN)))
    assert mailing(table) == "off"


def test_the_other_sides_new_address_changes_no_link_of_ones_own(table: Table) -> None:
    told = begun(table)
    table.reply(BEN, "new address", to=table.letters(BEN)[-1])
    table.reply(ANN, "d2d4")
    table.reply(BEN, "d7d5")

    assert table.newest(ANN)["List-Unsubscribe"] == told["List-Unsubscribe"]


def test_no_other_mark_of_ours_stops_letters_and_a_guessed_one_neither(table: Table) -> None:
    told, client = begun(table), table.app().test_client()
    mark = page_of(told).rpartition("/")[2]
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


def test_a_link_lets_nobody_in_and_opens_nothing_else(table: Table) -> None:
    told, client = begun(table), table.app().test_client()
    mark = page_of(told).rpartition("/")[2]
    before = len(table.all_letters())

    client.get(page_of(told))
    assert client.get(f"/letters/{mark}").status_code == 404
    assert client.post(f"/letters/{mark}", data={"deed": "never again"}).status_code in (400, 404)
    assert client.get("/games/").status_code == 303
    assert len(table.all_letters()) == before


def test_a_link_that_went_to_an_earlier_address_is_good_as_long_as_that_is_the_players(table: Table) -> None:
    told, other = begun(table), "ann@elsewhere.example"
    add(table, other)
    addresses.choose_main(table.server, visitor(table, ANN), other, table.clock())
    table.work()

    press(table.at_work(), page_of(told))

    assert mailing(table) == "off"
    assert table.newest(other)["Subject"] == LAST
    table.reply(other, "mail each")
    addresses.remove(table.server, visitor(table, other), ANN, table.clock())
    assert press(table.app(), page_of(told)).status_code == 404
    assert mailing(table) == "each"


# ---------------------------------------------------------------- which letters have one


def test_letters_have_it_that_may_be_stopped_and_no_others(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e5")
    table.play("e2e4", "e7e5")
    table.clock.pass_by(days=2, hours=12)
    table.sweep()
    table.reply(BEN, "resign resign")
    table.reply(BEN, "again")
    with_it = [flat(text_of(letter)) for letter in table.letters(ANN) if letter["List-Unsubscribe"]]
    without = [flat(text_of(letter)) for letter in table.letters(ANN) if not letter["List-Unsubscribe"]]

    for said in ("The game starts when", "You wrote:", "Black resigns", "would like a rematch"):
        assert any(said in text for text in without), said
        assert not any(said in text for text in with_it), said
    for said in ("White's move", "This is a reminder"):
        assert any(said in text for text in with_it), said


def test_each_player_has_one_that_is_the_same_in_all_games(table: Table) -> None:
    for _ in range(2):
        table.begin_anew()
        table.play("e2e4", "e7e5", "d2d4")
    found = {
        player: {
            str(letter["List-Unsubscribe"]) for letter in table.letters(player) if letter["List-Unsubscribe"]
        }
        for player in (ANN, BEN)
    }

    assert [len(found[player]) for player in (ANN, BEN)] == [1, 1]
    assert found[ANN] != found[BEN]
    assert all(f"@{DOMAIN}>" in each for each in (*found[ANN], *found[BEN]))


def test_pages_that_anybody_on_the_way_reads_are_not_named(table: Table) -> None:
    table.server = replace(table.server, web_url="http://play.example")
    told = begun(table)

    assert str(told["List-Unsubscribe"]) == f"<mailto:{address_of(told)}>"
    assert told["List-Unsubscribe-Post"] is None
