"""If composing an email fails, the reader gets a plain one, or one without the broken part."""

from __future__ import annotations

import logging

import pytest
from sqlalchemy import select, update

from corr.images import board_image
from corr.mail.inward import html
from corr.mail.outward import compose
from corr.mail.outward import text_board as boards
from corr.mail.outward.transport import Delivery, DeliveryFate
from corr.orders import kind_of
from corr.service import catalogue
from corr.service.games import finished, seats, view
from corr.service.mail import game_emails
from corr.service.players import times
from corr.store.tables import OutboxRow, SlipRow
from corr.text import template_env
from corr.words.board import Side
from tests.support.broken_parts import SECRET, break_part, content_types
from tests.support.table import ANN, BEN, Table, text_of

#: Everything an email to a seat is made of, each with its module.
PARTS = [
    (board_image, "png"),
    (compose, "render"),
    (compose, "make_board"),
    (compose, "board_text"),
    (compose, "sentence"),
    (compose, "html_to_lines"),
    (compose, "_game_part"),
    (compose, "_make_html"),
    (compose, "_picture_part"),
    (compose, "_quotable"),
    (catalogue, "card"),
    (catalogue, "cards"),
    (catalogue, "example"),
    (catalogue, "score"),
    (catalogue, "write_pgn"),
    (view, "build_view"),
    (view, "build_base_view"),
    (view, "unpack"),
    (view, "parse_clock"),
    (finished, "load_game"),
    (times, "word_moment"),
]
NAMES = [f"{module.__name__.rpartition('.')[2]}.{name}" for module, name in PARTS]


def test_the_parts_are_the_functions_that_are_called() -> None:
    assert {boards.make_board, html.html_to_lines, template_env.render} <= {
        getattr(module, name) for module, name in PARTS
    }


@pytest.mark.parametrize(("module", "name"), PARTS, ids=NAMES)
def test_whatever_part_breaks_both_hear_of_moves_and_of_the_end(
    table: Table, monkeypatch, module: object, name: str
) -> None:
    table.begin()
    table.play("e2e4")
    with monkeypatch.context() as broken:
        break_part(broken, module, name)
        table.reply(BEN, "e7e5", to=table.last_email(BEN))
        table.reply(ANN, "resign resign")
    for player in (ANN, BEN):
        email, said = table.last_email(player), table.last_text(player)
        assert SECRET not in email.as_string()
        if (module, name) != (view, "unpack"):
            assert "White resigns. Black wins." in said
        assert "is over" in said
    assert [each for each in outbox_rows(table) if not each.sent_at] == []


def outbox_rows(table: Table) -> list:
    with table.server.store.reading() as connection:
        return list(connection.execute(select(OutboxRow.sent_at, OutboxRow.dead_at)))


def plain_answer(table: Table, monkeypatch, player: str, *lines: str) -> str:
    """Reply with these lines one after another while templates are broken; return the last answer."""
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        for line in lines:
            table.reply(player, line)
    assert content_types(table.last_email(player)) == ["text/plain"]
    return table.last_text(player)


def test_a_plain_email_has_announcements_pieces_and_deadline(table: Table, monkeypatch) -> None:
    table.begin()
    table.play("e2e4", "d7d5")
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        table.reply(ANN, "e4d5")
    said = table.last_text(BEN)
    assert said.startswith("Wild 16 with ann. You are Black.\nThis email is plainer than usual")
    assert "Pawn at d5 captured. Black's move." in said
    assert (
        "Your pieces: king on e8; queen on d8; rooks on a8, h8; bishops on c8, f8; knights on b8, g8; pawns on a7,"
        in said
    )
    assert "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC." in said


def test_a_plain_email_has_the_same_seal(table: Table, monkeypatch) -> None:
    table.begin()
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        table.reply(ANN, "e2e4")
    table.reply(BEN, "show")

    (plain,), (whole,) = (seals_in_newest(table, player) for player in (ANN, BEN))
    assert plain == whole
    assert plain.startswith("Seal 1w: ")


def seals_in_newest(table: Table, player: str) -> list[str]:
    """The seals in a player's newest email."""
    return [line for line in text_of(table.last_email(player)).splitlines() if line.startswith("Seal ")]


@pytest.mark.parametrize(
    ("clock", "lines", "expected"),
    [
        ("none", (), "Your turn. This game has no clock."),
        ("3d", ("pause?",), 'White asks for a pause. To agree, reply "pause?"'),
        ("3d claim", (), "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC."),
    ],
)
def test_a_plain_email_states_the_clock(
    table: Table, monkeypatch, clock: str, lines: tuple[str, ...], expected: str
) -> None:
    table.challenge(clock=clock)
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.reply(ANN, "e2e4")
    for line in lines:
        table.reply(ANN, line)
    assert expected in plain_answer(table, monkeypatch, BEN, "show")


def test_a_plain_email_tells_of_claims_and_pauses(table: Table, monkeypatch) -> None:
    table.challenge(clock="3d claim")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.clock.advance(days=3, minutes=1)
    said = plain_answer(table, monkeypatch, BEN, "show")
    assert "White's time ran out at Mon 23 Nov 2026, 12:00 UTC. The other side can reply" in said
    table.reply(ANN, "pause?")
    assert "You have both agreed to a pause" in plain_answer(table, monkeypatch, BEN, "pause?")


def test_a_plain_answer_says_that_a_try_was_refused(table: Table, monkeypatch) -> None:
    table.begin()
    said = plain_answer(table, monkeypatch, ANN, "e2e5")
    assert "This answers your email." in said
    assert "Illegal move." in said


def test_a_plain_email_announces_a_new_address(table: Table, monkeypatch) -> None:
    code = table.challenge()
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        seats.renew_for_operator(table.server, code, Side.WHITE, table.clock())
        table.run_workers()
    assert "replies to older emails no longer do anything" in table.last_text(ANN)


def test_plain_challenges_and_offers_say_how_to_answer(table: Table, monkeypatch) -> None:
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        table.challenge()
    assert 'replied "accept"' in table.last_text(ANN)
    for player in (ANN, BEN):
        table.reply(player, "accept")
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        table.reply(ANN, "e2e4\ndraw?")
    assert 'White offers you a draw: reply "accept"' in table.last_text(BEN)


def test_a_plain_email_states_the_deadline_for_deployment(table: Table, monkeypatch) -> None:
    table.challenge(variant="welbeck")
    table.reply(ANN, "accept")
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        table.reply(BEN, "accept")
    assert "Deploy your pieces by Mon 23 Nov 2026, 12:00 UTC." in table.last_text(ANN)


def test_plain_emails_tell_of_undelivered_and_late_ones(table: Table, monkeypatch) -> None:
    table.begin()
    with monkeypatch.context() as unreachable:
        unreachable.setattr(
            table.server.mailer, "send", lambda _: Delivery(DeliveryFate.NEVER, "550 nobody here")
        )
        table.reply(ANN, "e2e4")
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        table.sweep()
        table.run_workers()
        assert (
            "The umpire is waiting for Black. We haven't been able to deliver our email to Black yet"
            in table.last_text(ANN)
        )
        assert "or on Fri 27 Nov 2026, 12:00 UTC at the latest." in table.last_text(ANN)
        game_emails.OUTBOX.revive(table.server, table.clock())
        table.run_workers()
        table.sweep()
        table.run_workers()
    assert "Our email to Black went out late" in table.last_text(ANN)
    assert "Your clock started only when our mail server accepted the email" in table.last_text(BEN)
    assert "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC." in table.last_text(BEN)


def test_no_line_of_a_plain_email_reads_as_an_order(table: Table, monkeypatch) -> None:
    break_part(monkeypatch, compose, "render")
    table.challenge(f'"resign resign" <{ANN}>', f'"e2e4" <{BEN}>')
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.play("e2e4\ndraw?", "d7d5", "e4e6", "e4d5")
    table.reply(BEN, "resign resign")
    table.reply(BEN, "again")
    for email in (*table.emails_to(ANN), *table.emails_to(BEN)):
        lines = text_of(email).splitlines()
        assert [line for line in lines if kind_of(line) == "order"] == []


def test_an_email_on_which_workers_keep_dying_is_sent_plain(table: Table) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "show"))
    table.read_emails()
    for _ in range(10):
        assert len(game_emails.OUTBOX.claim(table.server, table.clock(), 20)) == 1
        table.clock.advance(minutes=10)
    table.send_emails()
    assert content_types(table.last_email(ANN)) == ["text/plain"]
    assert "Your turn: reply by" in table.last_text(ANN)


def test_with_unreadable_slips_the_email_still_has_the_deadline(table: Table) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    with table.server.store.writing() as connection:
        connection.execute(update(SlipRow).values(sight=b""))
    table.send_emails()
    assert "Your turn: reply by" in table.last_text(BEN)
    assert "Your pieces" not in table.last_text(BEN)


def test_the_log_names_the_place_but_no_contents(table: Table, monkeypatch, caplog) -> None:
    with caplog.at_level(logging.WARNING):
        table.begin()
        plain_answer(table, monkeypatch, ANN, "e2e5")
    (record,) = (each for each in caplog.records if each.getMessage() == "could not compose an email")
    assert record.fault.startswith("KeyError at compose.py:")
    assert SECRET not in caplog.text
