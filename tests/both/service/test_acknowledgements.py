"""One email acknowledges a move and announces the next turn, if the opponent moves early enough."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import func, select

from corr.mail.outward import compose
from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope, Mailer
from corr.service.mail import game_emails
from corr.service.mail.delivery import OutgoingEmail
from corr.store.tables import EmailBytesRow, OutboxRow
from tests.support.broken_parts import break_part
from tests.support.table import ANN, BEN, Table, html_of, text_of, unwrap

ANSWER = "Your move has been made. The umpire says: Black's move. 0 pawn tries."
MERGED = f"{ANSWER}\n\nThen ben moved.\n\nThe umpire says: White's move. 0 pawn tries."


@dataclass
class PickyMailer:
    """A mail server that refuses emails to some people for now and sends all others."""

    behind: Mailer
    refused: set[str] = field(default_factory=set)

    def send(self, envelope: Envelope) -> Delivery:
        if envelope.recipient in self.refused:
            return Delivery(DeliveryFate.LATER, "not now")
        return self.behind.send(envelope)

    def close(self) -> None:
        pass


@pytest.fixture
def post(table: Table) -> PickyMailer:
    return PickyMailer(table.server.mailer)


@pytest.fixture
def slow(table: Table, post: PickyMailer) -> Table:
    """A table whose mail server may refuse emails."""
    table.begin()
    return replace(table, server=replace(table.server, mailer=post))


@contextmanager
def unreachable(post: PickyMailer, who: str) -> Iterator[None]:
    post.refused.add(who)
    yield
    post.refused.remove(who)


def texts_since(table: Table, player: str, count: int) -> list[str]:
    return [text_of(letter) for letter in table.emails_to(player)[count:]]


def send_delayed(table: Table) -> None:
    """Send everything that was delayed."""
    table.clock.advance(minutes=10)
    table.send_emails()


def claim_delayed(table: Table) -> list[OutgoingEmail]:
    table.clock.advance(minutes=10)
    return game_emails.OUTBOX.claim(table.server, table.clock(), 20)


def count_unsent(table: Table) -> tuple[int, int]:
    """How many emails wait, and how many have bytes."""
    with table.server.store.reading() as connection:
        waits = select(func.count()).select_from(OutboxRow).where(OutboxRow.sent_at.is_(None))
        kept = select(func.count()).select_from(EmailBytesRow)
        return connection.execute(waits).scalar_one(), connection.execute(kept).scalar_one()


def test_standing_orders_that_answer_at_once_are_in_the_same_email(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.reply(BEN, "e7e5\nif no capture: b8c6")
    letters = len(table.emails_to(ANN))
    answered = table.last_email(ANN)

    table.reply(ANN, "g1f3", message_id="mine@a.example")

    (text,) = texts_since(table, ANN, letters)
    assert f"| g1f3\n\n{MERGED}" in text
    assert text.startswith("Wild 16 with ben. You are White. Move 3. Your turn: reply by")
    assert "Your last turn" not in text, "it's already above"
    merged = table.last_email(ANN)
    assert merged["In-Reply-To"] == "<mine@a.example>"
    assert merged["References"].split()[0] == answered["References"].split()[0]
    assert "Then ben moved." in html_of(merged)
    assert count_unsent(table) == (0, 0)

    # A mail program that sends the reply twice gets the first answer again, and the game goes on.
    table.reply(ANN, "g1f3", to=answered)
    assert "You sent these orders before" in table.last_text(ANN)
    assert "Your move has been made." in table.last_text(ANN)
    table.reply(ANN, "f1c4", to=merged)
    assert "| f1c4\n\nYour move has been made." in text_of(table.last_email(ANN))


def test_a_delayed_answer_goes_out_with_the_turn(slow: Table, post: PickyMailer) -> None:
    letters = len(slow.emails_to(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e5")
        send_delayed(slow)
        slow.reply(ANN, "e2e4")
        slow.reply(BEN, "e7e5")
    send_delayed(slow)

    refused, merged = texts_since(slow, ANN, letters)
    assert "Illegal move. It is still your turn." in refused
    assert f"| e2e4\n\n{MERGED}" in merged
    assert "Your last turn:\n\n| e2e5: Illegal move.\n| e2e4: played" in merged
    assert count_unsent(slow) == (0, 0)


def test_a_claimed_answer_goes_out_alone(slow: Table, post: PickyMailer) -> None:
    letters = len(slow.emails_to(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
    rows = claim_delayed(slow)
    slow.deliver(slow.reply_email(BEN, "e7e5"))
    slow.read_emails()
    game_emails.OUTBOX.send(slow.server, rows)
    slow.run_workers()

    answer, news = texts_since(slow, ANN, letters)
    assert ANSWER in answer
    assert "Then ben moved." not in news
    assert "Your last turn:\n\n| e2e4: played" in news


def test_an_answer_claimed_while_the_opponent_moves_goes_out_once(slow: Table, post: PickyMailer) -> None:
    letters = len(slow.emails_to(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
    slow.deliver(slow.reply_email(BEN, "e7e5"))
    slow.clock.advance(minutes=10)
    with ThreadPoolExecutor(1) as other, slow.server.store.writing() as connection:
        rows = game_emails.OUTBOX.take(connection, slow.server, slow.clock(), 20)
        reading = other.submit(slow.read_emails)
        if connection.dialect.name == "postgresql":
            reading.result()  # it doesn't wait for the claim
    game_emails.OUTBOX.send(slow.server, rows)
    slow.run_workers()

    texts = texts_since(slow, ANN, letters)
    assert sum(ANSWER in each for each in texts) == 1
    assert sum("Your turn: reply by" in each for each in texts) == 1
    assert count_unsent(slow) == (0, 0)


EMAILS_WITH_MORE_THAN_A_MOVE = {
    "a line that is no order": "e2e4\nNice one, this will be a good game.",
    "a draw offer": "e2e4\ndraw?",
    "a note": "e2e4\nnote hm",
    "orders for the next turn": "e2e4\nif capture: d2d4",
}


@pytest.mark.parametrize("why", EMAILS_WITH_MORE_THAN_A_MOVE)
def test_an_answer_that_says_more_than_a_move_goes_out_alone(
    slow: Table, post: PickyMailer, why: str
) -> None:
    letters = len(slow.emails_to(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, EMAILS_WITH_MORE_THAN_A_MOVE[why])
        slow.reply(BEN, "e7e5")
    send_delayed(slow)

    answer, news = texts_since(slow, ANN, letters)
    assert ANSWER in answer
    assert "Your turn: reply by" in news
    assert "Then ben moved." not in news


@pytest.mark.parametrize("mailing", ["mail daily 18", "mail off"])
def test_it_goes_out_alone_to_players_who_get_no_turn_emails(
    slow: Table, post: PickyMailer, mailing: str
) -> None:
    slow.reply(ANN, mailing)
    letters = len(slow.emails_to(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
        slow.reply(BEN, "e7e5")
    send_delayed(slow)

    (answer,) = texts_since(slow, ANN, letters)
    assert ANSWER in answer
    assert "Then ben moved." not in answer


def test_a_merged_email_is_never_dropped(slow: Table, post: PickyMailer) -> None:
    """Neither because its reader has turned emails off, nor because a newer turn has begun."""
    letters = len(slow.emails_to(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
        slow.reply(BEN, "e7e5")
        slow.write_to_site(ANN, "mail off")
        send_delayed(slow)
        slow.reply(ANN, "g1f3", to=slow.last_email(ANN))
    send_delayed(slow)

    assert sum(f"| e2e4\n\n{MERGED}" in each for each in texts_since(slow, ANN, letters)) == 1


def test_a_plain_fallback_still_says_that_it_answers(
    slow: Table, post: PickyMailer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
        slow.deliver(slow.reply_email(BEN, "e7e5"))
        slow.read_emails()
        with monkeypatch.context() as broken:
            break_part(broken, compose, "render")
            slow.send_emails()
    send_delayed(slow)

    assert "This answers your email." in slow.last_text(ANN)


NO_ANSWERS = "mail no answers"


def test_a_player_who_wants_no_answers_gets_none_to_a_plain_move(table: Table) -> None:
    table.begin()
    table.reply(ANN, NO_ANSWERS)
    assert "We no longer answer emails that only make a move" in table.last_text(ANN)
    letters = len(table.emails_to(ANN))

    table.reply(ANN, "e2e4")
    assert texts_since(table, ANN, letters) == []
    assert "Your turn: reply by" in table.last_text(BEN)
    table.reply(BEN, "d7d5")

    (news,) = texts_since(table, ANN, letters)
    assert "Your turn: reply by" in news
    assert "Your last turn:\n\n| e2e4: played" in news
    table.reply(ANN, "mail answers")
    table.reply(ANN, "g1f3")
    assert "Your move has been made." in table.last_text(ANN)


ALWAYS_ANSWERED = {
    "a refused move": ("e4e6", "Illegal move."),
    "a list": ("e4e6, g1f3", "Illegal move."),
    "the first of a list": ("g1f3, b1c3", "The rest of your list wasn't needed."),
    "a capture": ("e4d5", "Pawn at d5 captured."),
    "a pawn capture left to the umpire": ("px", 'You played "e4d5".'),
    "a check": ("f1b5", "check"),
    "an unclear line": ("Nf3 perhaps", "I couldn't understand this line"),
    "prose": ("g1f3\nThank you for the game so far, I enjoy it.", "I didn't act on this line"),
    "a question": ("show", "Here is your board."),
    "a draw offer": ("g1f3\ndraw?", "You've offered a draw."),
    "a note": ("g1f3\nnote hm", "Noted."),
    "resigning": ("resign resign", "The game is over"),
}


@pytest.mark.parametrize("what", ALWAYS_ANSWERED)
def test_anything_more_than_a_plain_move_is_always_answered(table: Table, what: str) -> None:
    table.begin()
    table.reply(ANN, NO_ANSWERS)
    table.play("e2e4", "d7d5")
    letters = len(table.emails_to(ANN))
    order, answer = ALWAYS_ANSWERED[what]

    table.reply(ANN, order)

    assert len(texts_since(table, ANN, letters)) == 1
    assert answer in table.last_text(ANN)


@pytest.mark.parametrize(
    ("variant", "announcement"), [("wild16", "1 pawn try."), ("cincinnati", "Pawn capture")]
)
def test_pawn_captures_are_always_announced_because_no_later_email_repeats_them(
    table: Table, variant: str, announcement: str
) -> None:
    table.begin(variant)
    table.reply(ANN, NO_ANSWERS)
    table.play("e2e4", "d7d5")
    letters = len(table.emails_to(ANN))

    table.play("b1c3", "d5d4")

    answer, news = texts_since(table, ANN, letters)
    assert f"Black's move. {announcement}" in unwrap(answer)
    assert "Black's move" not in news


def test_a_repeated_email_is_answered_though_the_first_was_not(table: Table) -> None:
    table.begin()
    table.reply(ANN, NO_ANSWERS)
    answered = table.last_email(ANN)
    table.reply(ANN, "e2e4", to=answered)
    letters = len(table.emails_to(ANN))

    table.reply(ANN, "e2e4", to=answered)

    (text,) = texts_since(table, ANN, letters)
    assert "You sent these orders before" in text
    assert ANSWER in text
