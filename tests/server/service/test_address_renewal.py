"""New reply addresses for a seat: the old ones stop working."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from corr.mail.inward.html import html_to_lines
from corr.orders import kind_of
from corr.service.games import seats
from corr.service.mail import inbox
from corr.store.tables import OrderRow
from corr.words.board import Side
from corr.words.errors import Refused
from tests.support.table import ANN, BEN, EVE, Table, text_of


def orders(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(OrderRow)).scalar_one()


def test_a_new_address_replaces_the_old_one(table: Table) -> None:
    table.begin()
    leaked = table.last_email(ANN)

    table.reply(ANN, "new address")
    assert "You have a new reply address for this game." in table.last_text(ANN)
    assert table.last_email(ANN)["Reply-To"] != leaked["Reply-To"]

    table.reply(ANN, "resign resign", to=leaked)
    assert "your old reply address for this game, so I did nothing" in table.last_text(ANN)
    assert orders(table) == 0
    table.reply(ANN, "e2e4")
    assert "Your move has been made." in table.last_text(ANN)


def test_an_old_message_id_no_longer_finds_the_seat(table: Table) -> None:
    table.begin()
    leaked = table.last_email(ANN)
    raw = table.reply_email(ANN, "e2e4", to=leaked)
    table.reply(ANN, "new address")

    table.deliver(raw.replace(leaked["Reply-To"].encode(), b"umpire@play.example"), "umpire@play.example")
    table.run_workers()

    assert orders(table) == 0


def test_the_opponent_notices_nothing(table: Table) -> None:
    table.begin()
    emails, address = len(table.emails_to(BEN)), table.last_email(BEN)["Reply-To"]

    table.reply(ANN, "new address")

    assert len(table.emails_to(BEN)) == emails
    table.reply(ANN, "e2e4")
    assert table.last_email(BEN)["Reply-To"][:10] == address[:10]


def test_an_old_address_and_its_bounces_are_still_accepted(table: Table) -> None:
    table.begin()
    old = table.last_email(ANN)
    table.reply(ANN, "new address")
    emails = len(table.all_emails())

    assert inbox.find_seat_address(table.server, old["Reply-To"])
    assert table.deliver(b"From: mailer-daemon@a.example\r\n\r\nno such box\r\n", old["X-Envelope-From"]) == 1
    table.run_workers()

    assert len(table.all_emails()) == emails


def test_emails_to_an_old_address_get_five_answers_a_day(table: Table) -> None:
    table.begin()
    old = table.last_email(ANN)
    table.reply(ANN, "new address")
    emails = len(table.emails_to(ANN))

    for _ in range(9):
        table.deliver(table.reply_email(ANN, "e2e4", to=old))
    table.run_workers()

    assert len(table.emails_to(ANN)) == emails + 5
    assert "today's last answer to emails sent to your old reply address" in table.last_text(ANN)


def test_a_new_address_asked_for_by_message_id_alone_must_be_confirmed(table: Table) -> None:
    table.begin()
    address = table.last_email(ANN)["Reply-To"]
    raw = table.reply_email(ANN, "new address").replace(address.encode(), b"umpire@play.example")

    table.deliver(raw)
    table.run_workers()
    assert "got an email in your name" in table.last_text(ANN)
    table.reply(ANN, "confirm")

    assert "You have a new reply address for this game." in table.last_text(ANN)


def test_a_seat_may_get_new_addresses_repeatedly(table: Table) -> None:
    table.begin()
    old = [table.last_email(ANN)]
    for _ in range(3):
        table.reply(ANN, "new address")
        old.append(table.last_email(ANN))

    for email in old[:-1]:
        table.reply(ANN, "e2e4", to=email)
    assert orders(table) == 0
    table.reply(ANN, "e2e4", to=old[-1])
    assert orders(table) == 1


def test_an_operator_renews_a_seats_address_and_only_its_player_is_emailed(table: Table) -> None:
    code = table.challenge()
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    old = table.last_email(BEN)
    emails = len(table.emails_to(ANN))

    seats.renew_for_operator(table.server, code.upper(), Side.BLACK, table.clock())
    table.run_workers()

    assert "An admin has given you a new reply address for this game" in table.last_text(BEN)
    assert len(table.emails_to(ANN)) == emails
    assert table.last_email(BEN)["Reply-To"] != old["Reply-To"]
    lines = [*text_of(table.last_email(BEN)).splitlines(), *html_to_lines(str(table.last_text(BEN)))]
    assert "order" not in set(map(kind_of, lines))
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5", to=old)
    assert orders(table) == 1


def test_renewing_an_unknown_game_is_refused(table: Table) -> None:
    with pytest.raises(Refused, match="There is no game"):
        seats.renew_for_operator(table.server, "zzzzz", Side.WHITE, table.clock())


def test_a_stranger_at_an_old_address_is_refused_like_any_stranger(table: Table) -> None:
    table.begin()
    old = table.last_email(ANN)
    table.reply(ANN, "new address")

    table.reply(ANN, "e2e4", to=old, sender=EVE)

    assert "came from an address that isn't yours" in table.last_text(ANN)
