"""The answer to a move goes out with the email of the next turn, if the opponent has moved before it went out."""

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
from tests.support.broken_parts import breaks
from tests.support.table import ANN, BEN, Table, flat, html_of, text_of

ANSWER = "Your move has been made. The umpire says: Black's move. 0 pawn tries."
MERGED = f"{ANSWER}\n\nThen ben moved.\n\nThe umpire says: White's move. 0 pawn tries."


@dataclass
class Reluctant:
    """A mail server that takes no emails to some people for now, and hands on all others."""

    behind: Mailer
    refused: set[str] = field(default_factory=set)

    def send(self, envelope: Envelope) -> Delivery:
        if envelope.recipient in self.refused:
            return Delivery(DeliveryFate.LATER, "not now")
        return self.behind.send(envelope)

    def close(self) -> None:
        pass


@pytest.fixture
def post(table: Table) -> Reluctant:
    return Reluctant(table.server.mailer)


@pytest.fixture
def slow(table: Table, post: Reluctant) -> Table:
    """A table whose mail server may refuse emails."""
    table.begin()
    return replace(table, server=replace(table.server, mailer=post))


@contextmanager
def unreachable(post: Reluctant, who: str) -> Iterator[None]:
    post.refused.add(who)
    yield
    post.refused.remove(who)


def since(table: Table, player: str, count: int) -> list[str]:
    return [text_of(letter) for letter in table.letters(player)[count:]]


def later(table: Table) -> None:
    """Everything that was put off goes out."""
    table.clock.pass_by(minutes=10)
    table.send()


def claimed(table: Table) -> list[OutgoingEmail]:
    table.clock.pass_by(minutes=10)
    return game_emails.OUTBOX.claim(table.server, table.clock(), 20)


def unsent(table: Table) -> tuple[int, int]:
    """How many emails still wait, and how many have bytes."""
    with table.server.store.reading() as connection:
        waits = select(func.count()).select_from(OutboxRow).where(OutboxRow.sent_at.is_(None))
        kept = select(func.count()).select_from(EmailBytesRow)
        return connection.execute(waits).scalar_one(), connection.execute(kept).scalar_one()


def test_one_email_tells_of_a_move_and_of_the_orders_that_answered_it_at_once(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.reply(BEN, "e7e5\nif no capture: b8c6")
    letters = len(table.letters(ANN))
    answered = table.newest(ANN)

    table.reply(ANN, "g1f3", message_id="mine@a.example")

    (said,) = since(table, ANN, letters)
    assert f"| g1f3\n\n{MERGED}" in said
    assert said.startswith("Wild 16 with ben. You are White. Move 3. Your turn: reply by")
    assert "Your last turn" not in said, "it is told above"
    merged = table.newest(ANN)
    assert merged["In-Reply-To"] == "<mine@a.example>"
    assert merged["References"].split()[0] == answered["References"].split()[0]
    assert "Then ben moved." in html_of(merged)
    assert unsent(table) == (0, 0)

    # A mail program that sends the reply twice gets the first answer again, and the game goes on.
    table.reply(ANN, "g1f3", to=answered)
    assert "You sent these orders before" in table.says(ANN)
    assert "Your move has been made." in table.says(ANN)
    table.reply(ANN, "f1c4", to=merged)
    assert "| f1c4\n\nYour move has been made." in text_of(table.newest(ANN))


def test_an_answer_that_waits_for_the_mail_server_goes_out_with_the_turn(
    slow: Table, post: Reluctant
) -> None:
    letters = len(slow.letters(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e5")
        later(slow)
        slow.reply(ANN, "e2e4")
        slow.reply(BEN, "e7e5")
    later(slow)

    refused, merged = since(slow, ANN, letters)
    assert "Illegal move. It is still your turn." in refused
    assert f"| e2e4\n\n{MERGED}" in merged
    assert "Your last turn:\n\n| e2e5: Illegal move.\n| e2e4: played" in merged
    assert unsent(slow) == (0, 0)


def test_an_answer_that_a_worker_has_claimed_goes_out_alone(slow: Table, post: Reluctant) -> None:
    letters = len(slow.letters(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
    rows = claimed(slow)
    slow.post(slow.letter(BEN, "e7e5"))
    slow.read()
    game_emails.OUTBOX.send(slow.server, rows)
    slow.work()

    answer, news = since(slow, ANN, letters)
    assert ANSWER in answer
    assert "Then ben moved." not in news
    assert "Your last turn:\n\n| e2e4: played" in news


def test_an_answer_goes_out_once_though_it_is_claimed_as_the_opponent_moves(
    slow: Table, post: Reluctant
) -> None:
    letters = len(slow.letters(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
    slow.post(slow.letter(BEN, "e7e5"))
    slow.clock.pass_by(minutes=10)
    with ThreadPoolExecutor(1) as other, slow.server.store.writing() as connection:
        rows = game_emails.OUTBOX.take(connection, slow.server, slow.clock(), 20)
        reading = other.submit(slow.read)
        if connection.dialect.name == "postgresql":
            reading.result()  # it doesn't wait for the claim
    game_emails.OUTBOX.send(slow.server, rows)
    slow.work()

    said = since(slow, ANN, letters)
    assert sum(ANSWER in each for each in said) == 1
    assert sum("Your turn: reply by" in each for each in said) == 1
    assert unsent(slow) == (0, 0)


HAS_MORE_TO_SAY = {
    "a line that is no order": "e2e4\nNice one, this will be a good game.",
    "a draw offer": "e2e4\ndraw?",
    "a note": "e2e4\nnote hm",
    "orders for the next turn": "e2e4\nif capture: d2d4",
}


@pytest.mark.parametrize("why", HAS_MORE_TO_SAY)
def test_an_answer_that_says_more_than_that_a_move_was_made_goes_out_alone(
    slow: Table, post: Reluctant, why: str
) -> None:
    letters = len(slow.letters(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, HAS_MORE_TO_SAY[why])
        slow.reply(BEN, "e7e5")
    later(slow)

    answer, news = since(slow, ANN, letters)
    assert ANSWER in answer
    assert "Your turn: reply by" in news
    assert "Then ben moved." not in news


@pytest.mark.parametrize("mailing", ["mail daily 18", "mail off"])
def test_it_goes_out_alone_to_players_who_get_no_email_of_a_turn(
    slow: Table, post: Reluctant, mailing: str
) -> None:
    slow.reply(ANN, mailing)
    letters = len(slow.letters(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
        slow.reply(BEN, "e7e5")
    later(slow)

    (answer,) = since(slow, ANN, letters)
    assert ANSWER in answer
    assert "Then ben moved." not in answer


def test_an_email_that_tells_both_is_never_left_out(slow: Table, post: Reluctant) -> None:
    """Neither because its reader has turned emails off since, nor because a newer turn has begun."""
    letters = len(slow.letters(ANN))
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
        slow.reply(BEN, "e7e5")
        slow.write(ANN, "mail off")
        later(slow)
        slow.post(slow.letter(ANN, "g1f3", to=slow.newest(ANN)))
        slow.work()
    later(slow)

    assert sum(f"| e2e4\n\n{MERGED}" in each for each in since(slow, ANN, letters)) == 1


def test_if_it_cannot_be_composed_it_still_says_that_it_answers(
    slow: Table, post: Reluctant, monkeypatch: pytest.MonkeyPatch
) -> None:
    with unreachable(post, ANN):
        slow.reply(ANN, "e2e4")
        slow.post(slow.letter(BEN, "e7e5"))
        slow.read()
        with monkeypatch.context() as broken:
            breaks(broken, compose, "render")
            slow.send()
    later(slow)

    assert "This answers your email." in slow.says(ANN)


QUIET = "mail no answers"


def test_a_player_who_wants_no_answers_gets_none_to_a_plain_move(table: Table) -> None:
    table.begin()
    table.reply(ANN, QUIET)
    assert "We no longer answer emails that only make a move" in table.says(ANN)
    letters = len(table.letters(ANN))

    table.reply(ANN, "e2e4")
    assert since(table, ANN, letters) == []
    assert "Your turn: reply by" in table.says(BEN)
    table.reply(BEN, "d7d5")

    (news,) = since(table, ANN, letters)
    assert "Your turn: reply by" in news
    assert "Your last turn:\n\n| e2e4: played" in news
    table.reply(ANN, "mail answers")
    table.reply(ANN, "g1f3")
    assert "Your move has been made." in table.says(ANN)


ANSWERED_ALL_THE_SAME = {
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


@pytest.mark.parametrize("what", ANSWERED_ALL_THE_SAME)
def test_whatever_has_more_to_tell_is_answered_all_the_same(table: Table, what: str) -> None:
    table.begin()
    table.reply(ANN, QUIET)
    table.play("e2e4", "d7d5")
    letters = len(table.letters(ANN))
    order, told = ANSWERED_ALL_THE_SAME[what]

    table.reply(ANN, order)

    assert len(since(table, ANN, letters)) == 1
    assert told in table.says(ANN)


@pytest.mark.parametrize(("variant", "heard"), [("wild16", "1 pawn try."), ("cincinnati", "Pawn capture")])
def test_that_the_opponents_pawns_can_capture_is_told_for_no_later_email_says_it(
    table: Table, variant: str, heard: str
) -> None:
    table.begin(variant)
    table.reply(ANN, QUIET)
    table.play("e2e4", "d7d5")
    letters = len(table.letters(ANN))

    table.play("b1c3", "d5d4")

    answer, news = since(table, ANN, letters)
    assert f"Black's move. {heard}" in flat(answer)
    assert "Black's move" not in news


def test_the_same_email_again_is_answered_though_the_first_was_not(table: Table) -> None:
    table.begin()
    table.reply(ANN, QUIET)
    answered = table.newest(ANN)
    table.reply(ANN, "e2e4", to=answered)
    letters = len(table.letters(ANN))

    table.reply(ANN, "e2e4", to=answered)

    (said,) = since(table, ANN, letters)
    assert "You sent these orders before" in said
    assert ANSWER in said
