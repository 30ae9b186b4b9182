"""An order in the Subject acts if the email has no other text."""

from __future__ import annotations

import pytest

from tests.support.table import ANN, EVE, Table


def with_subject(raw: bytes, subject: str) -> bytes:
    """The same email with another Subject."""
    head, _, rest = raw.partition(b"\r\nSubject: ")
    return b"".join((head, b"\r\nSubject: ", subject.encode(), b"\r\n", rest.partition(b"\r\n")[2]))


def with_text(raw: bytes, text: str) -> bytes:
    """The same email with only this text, and no quote."""
    return raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + text.encode() + b"\r\n"


@pytest.mark.parametrize(
    "text", ["", "  ", "-- \r\nann\r\n+49 123 4567", "Sent from my iPhone", "Thanks,\r\nann"]
)
@pytest.mark.parametrize("subject", ["e2e4", "E2-E4.", "I play e2e4", "=?utf-8?q?e2=E2=80=93e4?="])
def test_a_move_in_the_subject_is_made(table: Table, text: str, subject: str) -> None:
    table.begin()
    table.deliver(with_subject(with_text(table.reply_email(ANN, ""), text), subject))
    table.run_workers()

    assert "Your move has been made." in table.last_text(ANN)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("e2e4", "Was this a good move?"),
        ("e2e4", "d2d5"),
        ("e2e4", "No!"),
        ("e2e4", "> e2e4"),
        ("Re: e2e4", ""),
        ("Fwd: e2e4", ""),
        ("e2e4?", ""),
        ("Re: [corr] e2e4", ""),
        ("[corr]: e2e4", ""),
        ("e2e4 [corr] Wild 16 with ben", ""),
        ("Automatic reply: e2e4", ""),
    ],
)
def test_a_move_in_the_subject_is_not_made_if_it_may_be_quoted_or_just_discussed(
    table: Table, subject: str, text: str
) -> None:
    table.begin()
    before = len(table.emails_to(ANN))
    table.deliver(with_subject(with_text(table.reply_email(ANN, ""), text), subject))
    table.run_workers()

    assert all("Black's move" not in str(each) for each in table.emails_to(ANN)[before:])


def test_a_reply_that_quotes_us_is_read_without_its_subject(table: Table) -> None:
    table.begin()
    table.deliver(with_subject(table.reply_email(ANN, ""), "e2e4"))
    table.run_workers()

    assert "I found no move or command in your email" in table.last_text(ANN)


def test_we_ask_about_an_unclear_subject(table: Table) -> None:
    table.begin()
    table.deliver(with_subject(with_text(table.reply_email(ANN, ""), ""), "Nf3"))
    table.run_workers()

    assert "| Nf3" in table.last_text(ANN)
    table.reply(ANN, "yes")
    assert "You agreed to:\n| g1f3" in table.last_text(ANN)


def test_a_command_in_the_subject_of_an_email_to_the_site_acts(table: Table) -> None:
    table.deliver(with_subject(with_text(table.site_email(EVE, "", name="Eve"), "Thanks!\r\nEve"), "help"))
    table.run_workers()

    assert "Reply with one line, for example" in table.last_text(EVE)


def test_a_stranger_confirms_a_subject_that_starts_a_game(table: Table) -> None:
    table.deliver(with_subject(with_text(table.site_email(EVE, "", name="Eve"), ""), "tutorial"))
    table.run_workers()

    assert "confirm" in table.last_text(EVE)
    table.reply(EVE, "confirm")
    assert any("tutor" in str(each["Subject"]) for each in table.emails_to(EVE))


def test_a_subject_in_plain_words_gets_fitting_help(table: Table) -> None:
    table.deliver(with_subject(with_text(table.site_email(EVE, ""), ""), "How does one learn this?"))
    table.run_workers()

    assert "To learn the game, reply with one of these" in table.last_text(EVE)
