"""Bounced emails: the clock waits, mailboxes get a score, forgeries do no harm."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest
from sqlalchemy import func, select, update

from corr.mail.failure_reason import Failure, classify_failure
from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope, Mailer
from corr.service.players import bouncing_mailboxes, mailboxes, players
from corr.store.tables import CorrespondentRow, FailingMailboxRow, GameRow, OutboxRow, SeatRow
from tests.server.service.test_due_actions import (
    TROUBLE,
    advance,
    days,
    is_over,
    page,
    shown,
    table_of,
    times,
)
from tests.support.browser import Browser
from tests.support.moody_transport import ScriptedMailer, send_all_due
from tests.support.table import ANN, BEN, Table, text_of, unwrap

NOBODY, FULL = "5.1.1", "5.2.2"
CLEO = "cleo@c.example"
SECOND_ADDRESS = "ann@other.example"
MAILBOX_FAILS = "We couldn't deliver"


def notice(status: str = NOBODY, action: str = "failed") -> bytes:
    """A delivery status notification."""
    return (
        "From: MAILER-DAEMON@mx.example\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=BB\r\n\r\n"
        "--BB\r\nContent-Type: text/plain\r\n\r\nNobody here. resign resign\r\n\r\n"
        "--BB\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; somebody\r\nAction: {action}\r\nStatus: {status}\r\n\r\n--BB--\r\n"
    ).encode()


def bounce_email(table: Table, letter: EmailMessage, status: str = NOBODY) -> None:
    """Let an email bounce to its envelope sender."""
    send_back(table, letter, notice(status))


def send_back(table: Table, letter: EmailMessage, raw: bytes) -> None:
    """Send something to an email's envelope sender, each time under another Message-ID."""
    ours = letter["Message-ID"].strip("<>").partition("@")[0]
    number = f"Message-ID: <{table.clock():%d%H%M}.{ours}@mx.example>\r\n"
    table.deliver(number.encode() + raw, letter["X-Envelope-From"])
    table.run_workers()


def prose_bounce(text: str) -> bytes:
    """A bounce from qmail and others without machine-readable fields."""
    head = "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nSubject: failure notice\r\n\r\n"
    return f"{head}Hi. This is the mailer.\r\n{text}\r\n".encode()


UNREADABLE = b"Return-Path: <>\r\nFrom: robot@mx.example\r\nSubject: Hola\r\n\r\nHola.\r\n"


def newest_turn_email(table: Table, player: str) -> EmailMessage:
    """A player's newest turn email, which isn't an answer to their own."""
    return next(each for each in reversed(table.emails_to(player)) if "Your turn: reply by" in text_of(each))


def deadline_of(table: Table, game: int) -> datetime | None:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.deadline).where(GameRow.id == game)).scalar_one()


def scores(table: Table) -> list[float]:
    """The scores of all failing mailboxes."""
    with table.server.store.reading() as connection:
        return list(connection.execute(select(FailingMailboxRow.score)).scalars())


def sweep(table: Table) -> None:
    table.sweep()
    table.run_workers()


def count_trouble(table: Table, player: str) -> int:
    """How many emails told a player of the trouble."""
    return sum(TROUBLE in unwrap(text_of(letter)) for letter in table.emails_to(player))


# ---------------------------------------------------------------- clocks


def test_a_bounce_stops_the_clock_until_its_owner_looks(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    advance(table, days(1))
    bounce_email(table, table.last_email(BEN))
    sweep(table)

    assert count_trouble(table, ANN) == 1
    assert NOBODY not in table.last_text(ANN)
    advance(table, days(1))
    shown(table, BEN)
    told = table.clock()
    advance(table, days(1))

    assert times(table)[0] == told + days(3)


def test_a_bounce_gives_back_the_whole_time_of_the_turn(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    begun, turn = table.clock(), table.last_email(BEN)
    advance(table, days(2.5))
    bounce_email(table, turn)
    table_of(table, BEN).open(page(table))
    sweep(table)

    assert times(table)[0] == begun + days(5.5)


@pytest.mark.databases("sqlite")
def test_the_opponent_reads_the_same_whatever_bounced_and_was_tried(
    table: Table,
) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    turn, other = table.last_email(BEN), table.copy_to(table.spool.with_name("copied"))
    other.reply(BEN, "e8e1")
    for twin, status in ((table, NOBODY), (other, FULL)):
        bounce_email(twin, turn, status)
        advance(twin, days(1))

    assert count_trouble(table, ANN) == 1
    assert [text_of(letter) for letter in table.emails_to(ANN)] == [
        text_of(letter) for letter in other.emails_to(ANN)
    ]


def test_a_second_bounce_of_the_same_email_does_nothing(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    turn = table.last_email(BEN)
    bounce_email(table, turn)
    sweep(table)
    shown(table, BEN)
    advance(table, days(1))
    before = times(table)

    bounce_email(table, turn)
    sweep(table)

    assert times(table)[0] == before[0]
    assert count_trouble(table, ANN) == 1


def test_an_unsent_email_cannot_bounce(table: Table) -> None:
    table.begin()
    post = ScriptedMailer([DeliveryFate.LATER] * 2)
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    send_all_due(table, post)
    turn = next(each for each in post.envelopes if each.recipient == BEN)

    table.deliver(notice(), turn.sender)
    table.read_emails()

    assert scores(table) == []
    with table.server.store.reading() as connection:
        dead = select(func.count()).select_from(OutboxRow).where(OutboxRow.dead_at.is_not(None))
        assert connection.execute(dead).scalar_one() == 0
    advance(table, timedelta(minutes=10), timedelta(minutes=2))
    assert "Your turn: reply by" in table.last_text(BEN)
    assert count_trouble(table, ANN) == 0


@pytest.mark.parametrize(
    ("raw", "score", "reason"),
    [
        (prose_bounce("Sorry, no mailbox here by that name. (#5.1.1)"), 1.0, "5.1.1"),
        (prose_bounce("This mailbox is full."), 0.2, "no reason given"),
        (UNREADABLE, 0.2, "we couldn't tell why"),
    ],
    ids=["unknown", "full", "unreadable"],
)
def test_a_bounce_in_prose_counts_until_its_owner_writes(
    table: Table, raw: bytes, score: float, reason: str
) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    turn = table.last_email(BEN)
    send_back(table, turn, raw)
    sweep(table)
    assert count_trouble(table, ANN) == 1
    assert reason in operators_browser(table).open("/admin/")
    assert scores(table) == [score]

    advance(table, days(4))
    assert not is_over(table)
    table.reply(BEN, "show")
    written = table.clock()
    sweep(table)

    assert times(table)[0] == written + days(3)


def test_a_persons_email_to_the_envelope_sender_is_no_bounce(table: Table) -> None:
    table.begin()
    turn = table.last_email(ANN)
    table.reply(ANN, "e2e4", headers=f"Cc: {turn['X-Envelope-From']}\r\n")

    assert "e2e4" in table.last_text(ANN)
    assert count_trouble(table, BEN) == 0


def test_a_bounced_invitation_counts_against_its_mailbox_too(table: Table) -> None:
    table.challenge()
    invitation = table.last_email(ANN)
    send_back(table, invitation, f"To: {invitation['X-Envelope-From']}\r\n".encode() + UNREADABLE)

    assert scores(table) == [0.2]


NOT_DELIVERED = "We couldn't deliver your challenge, because there is no such address:"


def invite_cleo(table: Table) -> None:
    """Let Ann challenge a friend who isn't a player yet."""
    table.challenge()
    table.write_to_site(ANN, f"challenge {CLEO} wild16")
    assert "would like to play a game" in table.last_text(CLEO)


def bounce_site_email(table: Table, letter: EmailMessage, status: str = NOBODY) -> None:
    """Let an email that is about no game bounce, as mail servers address it."""
    send_back(table, letter, f"To: {letter['X-Envelope-From']}\r\n".encode() + notice(status))


def test_a_challenge_to_an_unknown_address_ends_and_the_challenger_hears_of_it(table: Table) -> None:
    invite_cleo(table)
    bounce_site_email(table, table.last_email(CLEO))

    told = table.last_text(ANN)
    assert NOT_DELIVERED in told
    assert CLEO in told
    table.clock.advance(days=15)
    table.sweep()
    assert told == table.last_text(ANN)


def test_a_challenge_that_the_mail_server_refuses_ends_too(table: Table) -> None:
    table.challenge()
    refusing = RefusingMailer(table.server.mailer, CLEO, "5.1.1 no such user here")
    table.server = replace(table.server, mailer=refusing)
    table.write_to_site(ANN, f"challenge {CLEO} wild16")
    table.run_workers()

    assert NOT_DELIVERED in table.last_text(ANN)


@pytest.mark.parametrize("status", [FULL, "4.4.1"])
def test_a_challenge_stays_open_if_its_email_fails_for_another_reason(table: Table, status: str) -> None:
    invite_cleo(table)
    bounce_site_email(table, table.last_email(CLEO), status)

    assert NOT_DELIVERED not in table.last_text(ANN)
    table.reply(CLEO, "accept")
    assert "The game has started" in table.last_text(CLEO)


def test_a_challenge_by_name_says_nothing_about_its_readers_mailbox(table: Table) -> None:
    """The challenger doesn't know the address, and must not learn whether it works."""
    table.begin()
    table.write_to_site(ANN, "challenge ben wild16")
    bounce_site_email(table, table.last_email(BEN))

    assert NOT_DELIVERED not in table.last_text(ANN)


NO_BOUNCES = (
    ("late, and on its way", "X-Envelope-From", notice(action="delayed")),
    ("late, in words", "X-Envelope-From", prose_bounce("It has not yet been delivered. User unknown?")),
    ("delivered", "X-Envelope-From", notice("2.0.0", "delivered")),
    ("an absence", "X-Envelope-From", b"From: ben@b.example\r\nAuto-Submitted: auto-replied\r\n\r\nAway.\r\n"),
    ("to the reply address", "Reply-To", notice()),
    ("a person's", "X-Envelope-From", b"From: ben@b.example\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("to", "raw"), [each[1:] for each in NO_BOUNCES], ids=[each[0] for each in NO_BOUNCES]
)
def test_an_email_that_is_no_bounce_changes_nothing(table: Table, to: str, raw: bytes) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    before, letters = times(table), len(table.all_emails())
    advance(table, days(1))

    table.deliver(raw, table.last_email(BEN)[to])
    table.run_workers()
    sweep(table)

    assert times(table)[0] == before[0]
    assert len(table.all_emails()) == letters


def test_a_bounced_answer_or_old_turn_email_stops_no_clock(table: Table) -> None:
    table.begin()
    first = newest_turn_email(table, ANN)
    table.reply(ANN, "e2e4")
    own_answer = table.last_email(ANN)
    table.reply(BEN, "e7e5")
    before = times(table)

    for letter in (first, own_answer):
        bounce_email(table, letter)
    sweep(table)

    assert times(table)[0] == before[0]
    assert count_trouble(table, BEN) == 0


@pytest.mark.parametrize("raw", [notice(FULL), UNREADABLE], ids=["full", "unreadable"])
def test_forged_bounces_gain_seven_days_a_game_at_most(table: Table, raw: bytes) -> None:
    table.begin()
    begun = table.clock()
    for mine, theirs in (("a2a3", "a7a6"), ("b2b3", "b7b6"), ("h2h3", "h7h6"), ("g2g3", "g7g6")):
        send_back(table, newest_turn_email(table, ANN), raw)
        advance(table, days(2.5))
        table.reply(ANN, mine)
        table.reply(BEN, theirs)

    assert not is_over(table)
    with table.server.store.reading() as connection:
        assert max(connection.execute(select(SeatRow.held)).scalars()) == days(7)
    send_back(table, newest_turn_email(table, ANN), raw)
    advance(table, days(3.1))
    assert is_over(table)
    assert table.clock() - begun == days(13.1)


def set_days_waited(table: Table, game: int, count: float = 14) -> None:
    """Record for how many days a game has waited for its players; two weeks a year is the maximum."""
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).where(SeatRow.game_id == game).values(held=days(count)))


def begin_slowly(table: Table) -> None:
    """Begin a game with 20 days per move."""
    table.challenge(clock="20d")
    for player in (ANN, BEN):
        table.reply(player, "accept")


def test_games_wait_two_weeks_a_year_for_a_player_at_most(table: Table) -> None:
    table.begin()
    set_days_waited(table, 1)
    begin_slowly(table)
    before = deadline_of(table, 2)

    bounce_email(table, newest_turn_email(table, ANN))
    sweep(table)

    assert deadline_of(table, 2) == before


def test_the_limit_also_holds_for_a_mailbox_that_we_stopped_writing_to(table: Table) -> None:
    begin_slowly(table)
    set_days_waited(table, 1)
    begin_slowly(table)
    fail_for_days(table, 3)
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5")
    begun = table.clock()
    advance(table, days(1))

    assert deadline_of(table, 2) == begun + days(20)
    assert count_trouble(table, BEN) == 0


def test_after_thirteen_days_games_wait_for_one_more_day(table: Table) -> None:
    table.begin()
    set_days_waited(table, 1, 13)
    begin_slowly(table)
    begun = deadline_of(table, 2)
    assert begun
    bounce_email(table, newest_turn_email(table, ANN))
    sweep(table)

    advance(table, days(0.9), timedelta(hours=1))
    assert latest_end_of_wait(table) == begun - days(13)
    advance(table, days(0.1), timedelta(hours=1))
    assert deadline_of(table, 2) == begun + days(1)
    assert latest_end_of_wait(table) == begun - days(19)
    advance(table, days(5))

    assert deadline_of(table, 2) == begun + days(1)
    assert count_trouble(table, BEN) == 2
    table_of(table, ANN).open("/games/")
    assert deadline_of(table, 2) == begun + days(1)


@pytest.mark.parametrize("after", [5, 11], ids=["at once", "after a reminder"])
def test_time_lost_before_a_bounce_is_given_back_within_the_limit(table: Table, after: int) -> None:
    table.begin()
    set_days_waited(table, 1, 13)
    begin_slowly(table)
    begun, turn = deadline_of(table, 2), newest_turn_email(table, ANN)
    assert begun
    advance(table, days(after))

    bounce_email(table, turn)
    sweep(table)
    advance(table, days(1))

    assert deadline_of(table, 2) == begun + days(1)


def test_games_that_wait_at_once_share_the_limit(table: Table) -> None:
    table.begin()
    set_days_waited(table, 1, 13)
    deadlines = []
    for game in (2, 3):
        begin_slowly(table)
        deadlines.append(deadline_of(table, game))
        bounce_email(table, newest_turn_email(table, ANN))
        sweep(table)
    advance(table, days(2), timedelta(hours=1))

    for game, deadline in zip((2, 3), deadlines, strict=True):
        assert deadline
        assert deadline_of(table, game) == deadline + days(0.5)


def latest_end_of_wait(table: Table) -> datetime:
    """Until when the second game waits for Ann at most, as Ben is told."""
    with table.server.store.reading() as connection:
        asked = select(SeatRow.delayed_from, SeatRow.held).where(
            SeatRow.game_id == 2, SeatRow.delayed_from.is_not(None)
        )
        since, held = connection.execute(asked).one()
        return since + days(7) - held


@pytest.mark.parametrize(("ago", "letters"), [(364, 0), (366, 1)])
def test_waits_more_than_a_year_ago_do_not_count(table: Table, ago: int, letters: int) -> None:
    table.begin()
    table.reply(ANN, "resign resign")
    set_days_waited(table, 1)
    table.clock.advance(days=ago)
    begin_slowly(table)

    bounce_email(table, newest_turn_email(table, ANN))
    sweep(table)

    assert count_trouble(table, BEN) == letters


# ---------------------------------------------------------------- mailboxes


def test_a_mailboxs_score_fades_and_a_full_mailbox_is_never_given_up() -> None:
    hard, soft = Failure(is_hard=True, status=NOBODY), classify_failure(FULL)
    score = full = 0.0
    for _ in range(3):
        score = bouncing_mailboxes.add_to_score(score, days(1), hard)
    for _ in range(1_000):
        full = bouncing_mailboxes.add_to_score(full, days(1), soft)

    assert (
        score
        > 2.5
        > bouncing_mailboxes.add_to_score(bouncing_mailboxes.add_to_score(0, days(1), hard), days(1), hard)
    )
    assert bouncing_mailboxes.add_to_score(score, days(70), soft) < 0.3
    assert full < 2.5


def fail_for_days(table: Table, count: int) -> None:
    """Let Ann's mailbox bounce an email on each of so many days."""
    for _ in range(count):
        table.reply(ANN, "show")
        bounce_email(table, table.last_email(ANN))
        table.clock.advance(days=1, minutes=1)


def fail_for_three_days(table: Table) -> None:
    table.begin()
    fail_for_days(table, 3)


def test_a_mailbox_that_bounces_for_days_gets_no_emails_until_its_owner_says_it_works(
    table: Table,
) -> None:
    fail_for_three_days(table)
    letters = len(table.emails_to(ANN))
    table.reply(ANN, "show")
    assert len(table.emails_to(ANN)) == letters

    ann = table_of(table, ANN)
    assert MAILBOX_FAILS in ann.open("/games/")
    assert f"Emails to {ANN} bounce, so we've stopped sending them" in ann.open("/games/")
    ann.open("/settings/")
    assert f"Emails go to {ANN} again" in ann.press("It works again: resume emails")
    table.run_workers()

    assert len(table.emails_to(ANN)) > letters
    assert MAILBOX_FAILS not in ann.open("/games/")


def test_several_bounces_on_one_day_count_once(table: Table) -> None:
    table.begin()
    for _ in range(5):
        table.reply(ANN, "show")
        bounce_email(table, table.last_email(ANN))

    letters = len(table.emails_to(ANN))
    table.reply(ANN, "show")
    assert len(table.emails_to(ANN)) == letters + 1


def test_signing_in_by_email_proves_that_a_mailbox_works(table: Table) -> None:
    fail_for_three_days(table)

    Browser(table.app_with_workers()).sign_in_by_email(table, ANN)

    assert scores(table) == []


def test_another_mailbox_of_the_same_player_hears_once(table: Table) -> None:
    table.begin()
    with table.server.store.writing() as connection:
        main = mailboxes.find_correspondent(connection, ANN)
        assert main
        other = mailboxes.find_or_create(connection, SECOND_ADDRESS, table.clock())
        hers = update(CorrespondentRow).where(CorrespondentRow.id == other.id)
        connection.execute(hers.values(player_id=main.player_id, confirmed_at=table.clock()))
    fail_for_days(table, 2)

    (letter,) = table.emails_to(SECOND_ADDRESS)
    assert letter["Subject"] == "[corr] Our emails to you are bouncing"
    assert ANN in text_of(letter)


@dataclass
class RefusingMailer:
    """A mail server that refuses one recipient."""

    post: Mailer
    refused: str
    reply: str
    asked: list[str] = field(default_factory=list)

    def send(self, envelope: Envelope) -> Delivery:
        self.asked.append(envelope.recipient)
        if envelope.recipient == self.refused:
            return Delivery(DeliveryFate.NEVER, f"550 {self.reply}", failure=classify_failure(self.reply))
        return self.post.send(envelope)

    def close(self) -> None:
        self.post.close()


def test_a_refusal_by_the_mail_server_counts_as_a_bounce(table: Table) -> None:
    table.begin()
    refusing = RefusingMailer(table.server.mailer, ANN, "5.1.1 no such user here")
    table.server = replace(table.server, mailer=refusing)
    for _ in range(4):
        table.reply(ANN, "show")
        table.clock.advance(days=1, minutes=1)

    assert refusing.asked.count(ANN) == 3


def test_bounces_are_forgotten_after_ninety_days(table: Table) -> None:
    fail_for_three_days(table)
    table.clock.advance(days=91)
    table.sweep()

    assert scores(table) == []


def test_an_operator_sees_failing_mailboxes_and_can_resume_emails(table: Table) -> None:
    fail_for_three_days(table)
    olga = operators_browser(table)

    assert "We've stopped emailing this address." in olga.open("/admin/")
    assert "We're emailing this address again" in olga.press("Resume emails")
    assert "We've stopped emailing this address." not in olga.open("/admin/")


def operators_browser(table: Table) -> Browser:
    """An operator who plays no game, signed in without an email."""
    olga = "olga@house.example"
    players.add(table.server, "Olga", olga, table.clock())
    browser = Browser(table.app_with_workers(olga))
    browser.sign_in_directly(table, olga)
    return browser
