"""Letters that come back: the clock waits as for any that is late, mailboxes have a score, forgeries do no harm."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest
from sqlalchemy import func, select, update

from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope, Mailer
from corr.mail.unknown_address import Failure, classify_failure
from corr.service.players import bouncing_mailboxes, mailboxes, players
from corr.store.tables import CorrespondentRow, FailingMailboxRow, GameRow, OutboxRow, SeatRow
from tests.server.service.test_due_actions import (
    TROUBLE,
    days,
    is_over,
    page,
    pass_by,
    shown,
    table_of,
    times,
)
from tests.support.browser import Browser
from tests.support.moody_transport import Moody, drain
from tests.support.table import ANN, BEN, Table, flat, text_of

NOBODY, FULL = "5.1.1", "5.2.2"
OTHER = "ann@other.example"
DEAD = "We couldn't deliver"


def notice(status: str = NOBODY, action: str = "failed") -> bytes:
    """What a mail server writes of a letter that it could not deliver."""
    return (
        "From: MAILER-DAEMON@mx.example\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=BB\r\n\r\n"
        "--BB\r\nContent-Type: text/plain\r\n\r\nNobody here. resign resign\r\n\r\n"
        "--BB\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; somebody\r\nAction: {action}\r\nStatus: {status}\r\n\r\n--BB--\r\n"
    ).encode()


def comes_back(table: Table, letter: EmailMessage, status: str = NOBODY) -> None:
    """A letter comes back to where it says that it comes from."""
    tell(table, letter, notice(status))


def tell(table: Table, letter: EmailMessage, raw: bytes) -> None:
    """What comes to where a letter says that it comes from, each time under another number."""
    ours = letter["Message-ID"].strip("<>").partition("@")[0]
    number = f"Message-ID: <{table.clock():%d%H%M}.{ours}@mx.example>\r\n"
    table.post(number.encode() + raw, letter["X-Envelope-From"])
    table.work()


def bounce_in_words(said: str) -> bytes:
    """What qmail writes, and others that have no fields for programs."""
    head = "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nSubject: failure notice\r\n\r\n"
    return f"{head}Hi. This is the mailer.\r\n{said}\r\n".encode()


UNREADABLE = b"Return-Path: <>\r\nFrom: robot@mx.example\r\nSubject: Hola\r\n\r\nHola.\r\n"


def newest_of_a_turn(table: Table, player: str) -> EmailMessage:
    """The newest letter that tells a player of their turn; what they wrote themselves is answered by others."""
    return next(each for each in reversed(table.letters(player)) if "Your turn: reply by" in text_of(each))


def times_of(table: Table, game: int) -> datetime | None:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.deadline).where(GameRow.id == game)).scalar_one()


def sweep(table: Table) -> None:
    table.sweep()
    table.work()


def told_of_trouble(table: Table, player: str) -> int:
    return sum(TROUBLE in flat(text_of(letter)) for letter in table.letters(player))


# ---------------------------------------------------------------- the time of the turn


def test_a_letter_that_came_back_was_never_handed_over(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    pass_by(table, days(1))
    comes_back(table, table.newest(BEN))
    sweep(table)

    assert told_of_trouble(table, ANN) == 1
    assert NOBODY not in table.says(ANN)
    pass_by(table, days(1))
    shown(table, BEN)
    told = table.clock()
    pass_by(table, days(1))

    assert times(table)[0] == told + days(3)


def test_whose_letter_comes_back_has_all_the_time_that_the_turn_had(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    begun, turn = table.clock(), table.newest(BEN)
    pass_by(table, days(2.5))
    comes_back(table, turn)
    table_of(table, BEN).open(page(table))
    sweep(table)

    assert times(table)[0] == begun + days(5.5)


@pytest.mark.databases("sqlite")
def test_the_other_side_reads_the_same_whatever_came_back_and_whatever_was_tried_in_vain(
    table: Table,
) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    turn, other = table.newest(BEN), table.copied(table.spool.with_name("copied"))
    other.reply(BEN, "e8e1")
    for twin, status in ((table, NOBODY), (other, FULL)):
        comes_back(twin, turn, status)
        pass_by(twin, days(1))

    assert told_of_trouble(table, ANN) == 1
    assert [text_of(letter) for letter in table.letters(ANN)] == [
        text_of(letter) for letter in other.letters(ANN)
    ]


def test_a_letter_comes_back_once(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    turn = table.newest(BEN)
    comes_back(table, turn)
    sweep(table)
    shown(table, BEN)
    pass_by(table, days(1))
    before = times(table)

    comes_back(table, turn)
    sweep(table)

    assert times(table)[0] == before[0]
    assert told_of_trouble(table, ANN) == 1


def test_a_letter_that_was_not_sent_yet_cannot_come_back(table: Table) -> None:
    table.begin()
    post = Moody([DeliveryFate.LATER] * 2)
    table.post(table.letter(ANN, "e2e4"))
    table.read()
    drain(table, post)
    turn = next(each for each in post.given if each.recipient == BEN)

    table.post(notice(), turn.sender)
    table.read()

    with table.server.store.reading() as connection:
        assert connection.execute(select(FailingMailboxRow.score)).scalars().all() == []
        dead = select(func.count()).select_from(OutboxRow).where(OutboxRow.dead_at.is_not(None))
        assert connection.execute(dead).scalar_one() == 0
    pass_by(table, timedelta(minutes=10), timedelta(minutes=2))
    assert "Your turn: reply by" in table.says(BEN)
    assert told_of_trouble(table, ANN) == 0


@pytest.mark.parametrize(
    ("raw", "score", "told"),
    [
        (bounce_in_words("Sorry, no mailbox here by that name. (#5.1.1)"), 1.0, "5.1.1"),
        (bounce_in_words("This mailbox is full."), 0.2, "no reason given"),
        (UNREADABLE, 0.2, "we couldn't tell why"),
    ],
    ids=["unknown", "full", "unreadable"],
)
def test_a_bounce_in_words_or_without_any_counts_until_its_owner_writes(
    table: Table, raw: bytes, score: float, told: str
) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    turn = table.newest(BEN)
    tell(table, turn, raw)
    sweep(table)
    assert told_of_trouble(table, ANN) == 1
    assert told in table_of_operator(table).open("/admin/")
    with table.server.store.reading() as connection:
        assert connection.execute(select(FailingMailboxRow.score)).scalars().all() == [score]

    pass_by(table, days(4))
    assert not is_over(table)
    table.reply(BEN, "show")
    written = table.clock()
    sweep(table)

    assert times(table)[0] == written + days(3)


def test_what_a_person_writes_to_two_addresses_is_no_bounce(table: Table) -> None:
    table.begin()
    turn = table.newest(ANN)
    table.post(table.letter(ANN, "e2e4", headers=f"Cc: {turn['X-Envelope-From']}\r\n"))
    table.work()

    assert "e2e4" in table.says(ANN)
    assert told_of_trouble(table, BEN) == 0


def test_a_letter_to_the_site_counts_against_its_mailbox_too(table: Table) -> None:
    table.challenge()
    invitation = table.newest(ANN)
    tell(table, invitation, f"To: {invitation['X-Envelope-From']}\r\n".encode() + UNREADABLE)

    with table.server.store.reading() as connection:
        assert connection.execute(select(FailingMailboxRow.score)).scalars().all() == [0.2]


NO_REPORTS = (
    ("late, and on its way", "X-Envelope-From", notice(action="delayed")),
    ("late, in words", "X-Envelope-From", bounce_in_words("It has not yet been delivered. User unknown?")),
    ("delivered", "X-Envelope-From", notice("2.0.0", "delivered")),
    ("an absence", "X-Envelope-From", b"From: ben@b.example\r\nAuto-Submitted: auto-replied\r\n\r\nAway.\r\n"),
    ("to where one answers", "Reply-To", notice()),
    ("a person's", "X-Envelope-From", b"From: ben@b.example\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("to", "raw"), [each[1:] for each in NO_REPORTS], ids=[each[0] for each in NO_REPORTS]
)
def test_what_is_no_report_of_this_letter_changes_nothing(table: Table, to: str, raw: bytes) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    before, letters = times(table), len(table.all_letters())
    pass_by(table, days(1))

    table.post(raw, table.newest(BEN)[to])
    table.work()
    sweep(table)

    assert times(table)[0] == before[0]
    assert len(table.all_letters()) == letters


def test_a_report_of_an_answer_or_of_an_old_turn_stops_no_clock(table: Table) -> None:
    table.begin()
    first = newest_of_a_turn(table, ANN)
    table.reply(ANN, "e2e4")
    own_answer = table.newest(ANN)
    table.reply(BEN, "e7e5")
    before = times(table)

    for letter in (first, own_answer):
        comes_back(table, letter)
    sweep(table)

    assert times(table)[0] == before[0]
    assert told_of_trouble(table, BEN) == 0


@pytest.mark.parametrize("raw", [notice(FULL), UNREADABLE], ids=["full", "unreadable"])
def test_who_forges_reports_of_own_letters_gains_seven_days_in_a_game_and_no_more(
    table: Table, raw: bytes
) -> None:
    table.begin()
    begun = table.clock()
    for mine, theirs in (("a2a3", "a7a6"), ("b2b3", "b7b6"), ("h2h3", "h7h6"), ("g2g3", "g7g6")):
        tell(table, newest_of_a_turn(table, ANN), raw)
        pass_by(table, days(2.5))
        table.reply(ANN, mine)
        table.reply(BEN, theirs)

    assert not is_over(table)
    with table.server.store.reading() as connection:
        assert max(connection.execute(select(SeatRow.held)).scalars()) == days(7)
    tell(table, newest_of_a_turn(table, ANN), raw)
    pass_by(table, days(3.1))
    assert is_over(table)
    assert table.clock() - begun == days(13.1)


def has_been_waited_for(table: Table, game: int, count: float = 14) -> None:
    """The games of this one's players have waited for them, unless told otherwise as long as they do within a year."""
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).where(SeatRow.game_id == game).values(held=days(count)))


def begin_slowly(table: Table) -> None:
    """A game with twenty days for each move."""
    table.challenge(clock="20d")
    for player in (ANN, BEN):
        table.reply(player, "accept")


def test_for_who_was_waited_for_two_weeks_within_a_year_no_game_waits(table: Table) -> None:
    table.begin()
    has_been_waited_for(table, 1)
    begin_slowly(table)
    before = times_of(table, 2)

    comes_back(table, newest_of_a_turn(table, ANN))
    sweep(table)

    assert times_of(table, 2) == before


def test_nor_does_it_where_letters_to_a_mailbox_that_fails_are_given_up(table: Table) -> None:
    begin_slowly(table)
    has_been_waited_for(table, 1)
    begin_slowly(table)
    fail_for_days(table, 3)
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5")
    begun = table.clock()
    pass_by(table, days(1))

    assert times_of(table, 2) == begun + days(20)
    assert told_of_trouble(table, BEN) == 0


def test_after_thirteen_days_games_wait_for_one_more(table: Table) -> None:
    table.begin()
    has_been_waited_for(table, 1, 13)
    begin_slowly(table)
    begun = times_of(table, 2)
    assert begun
    comes_back(table, newest_of_a_turn(table, ANN))
    sweep(table)

    pass_by(table, days(0.9), timedelta(hours=1))
    assert until_when_it_waits(table) == begun - days(13)
    pass_by(table, days(0.1), timedelta(hours=1))
    assert times_of(table, 2) == begun + days(1)
    assert until_when_it_waits(table) == begun - days(19)
    pass_by(table, days(5))

    assert times_of(table, 2) == begun + days(1)
    assert told_of_trouble(table, BEN) == 2
    table_of(table, ANN).open("/games/")
    assert times_of(table, 2) == begun + days(1)


@pytest.mark.parametrize("after", [5, 11], ids=["at once", "after a reminder"])
def test_what_a_turn_has_lost_before_its_letter_came_back_is_given_again_for_one_day_too(
    table: Table, after: int
) -> None:
    table.begin()
    has_been_waited_for(table, 1, 13)
    begin_slowly(table)
    begun, turn = times_of(table, 2), newest_of_a_turn(table, ANN)
    assert begun
    pass_by(table, days(after))

    comes_back(table, turn)
    sweep(table)
    pass_by(table, days(1))

    assert times_of(table, 2) == begun + days(1)


def test_games_that_wait_at_once_count_together(table: Table) -> None:
    table.begin()
    has_been_waited_for(table, 1, 13)
    deadlines = []
    for game in (2, 3):
        begin_slowly(table)
        deadlines.append(times_of(table, game))
        comes_back(table, newest_of_a_turn(table, ANN))
        sweep(table)
    pass_by(table, days(2), timedelta(hours=1))

    for game, deadline in zip((2, 3), deadlines, strict=True):
        assert deadline
        assert times_of(table, game) == deadline + days(0.5)


def until_when_it_waits(table: Table) -> datetime:
    """Until when at most the second game waits for Ann, as Ben is told."""
    with table.server.store.reading() as connection:
        asked = select(SeatRow.delayed_from, SeatRow.held).where(
            SeatRow.game_id == 2, SeatRow.delayed_from.is_not(None)
        )
        since, held = connection.execute(asked).one()
        return since + days(7) - held


@pytest.mark.parametrize(("ago", "letters"), [(364, 0), (366, 1)])
def test_what_lies_more_than_a_year_back_counts_no_more(table: Table, ago: int, letters: int) -> None:
    table.begin()
    table.reply(ANN, "resign resign")
    has_been_waited_for(table, 1)
    table.clock.pass_by(days=ago)
    begin_slowly(table)

    comes_back(table, newest_of_a_turn(table, ANN))
    sweep(table)

    assert told_of_trouble(table, BEN) == letters


# ---------------------------------------------------------------- the mailbox


def test_the_score_of_a_mailbox_fades_and_a_full_one_is_written_to_for_ever() -> None:
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
    """Ann's mailbox takes no letters, on one day after the other."""
    for _ in range(count):
        table.reply(ANN, "show")
        comes_back(table, table.newest(ANN))
        table.clock.pass_by(days=1, minutes=1)


def fail_for_three_days(table: Table) -> None:
    table.begin()
    fail_for_days(table, 3)


def test_to_a_mailbox_that_takes_none_for_days_no_letters_go_until_somebody_says_that_it_is_mended(
    table: Table,
) -> None:
    fail_for_three_days(table)
    letters = len(table.letters(ANN))
    table.reply(ANN, "show")
    assert len(table.letters(ANN)) == letters

    ann = table_of(table, ANN)
    assert DEAD in ann.open("/games/")
    assert f"Emails to {ANN} bounce, so we've stopped sending them" in ann.open("/games/")
    ann.open("/settings/")
    assert f"Emails go to {ANN} again" in ann.press("It works again: resume emails")
    table.work()

    assert len(table.letters(ANN)) > letters
    assert DEAD not in ann.open("/games/")


def test_several_on_one_day_count_once(table: Table) -> None:
    table.begin()
    for _ in range(5):
        table.reply(ANN, "show")
        comes_back(table, table.newest(ANN))

    letters = len(table.letters(ANN))
    table.reply(ANN, "show")
    assert len(table.letters(ANN)) == letters + 1


def test_who_signs_in_by_a_letter_has_shown_that_letters_come(table: Table) -> None:
    fail_for_three_days(table)

    Browser(table.at_work()).sign_in_by_letter(table, ANN)

    with table.server.store.reading() as connection:
        assert connection.execute(select(FailingMailboxRow.score)).scalars().all() == []


def test_another_mailbox_of_the_same_player_is_told_once(table: Table) -> None:
    table.begin()
    with table.server.store.writing() as connection:
        main = mailboxes.find_correspondent(connection, ANN)
        assert main
        other = mailboxes.find_or_create(connection, OTHER, table.clock())
        hers = update(CorrespondentRow).where(CorrespondentRow.id == other.id)
        connection.execute(hers.values(player_id=main.player_id, confirmed_at=table.clock()))
    fail_for_days(table, 2)

    (letter,) = table.letters(OTHER)
    assert letter["Subject"] == "[corr] Our emails to you are bouncing"
    assert ANN in text_of(letter)


@dataclass
class Refusing:
    """A mail server that knows nobody of one name."""

    post: Mailer
    refused: str
    said: str
    asked: list[str] = field(default_factory=list)

    def send(self, envelope: Envelope) -> Delivery:
        self.asked.append(envelope.recipient)
        if envelope.recipient == self.refused:
            return Delivery(DeliveryFate.NEVER, f"550 {self.said}", failure=classify_failure(self.said))
        return self.post.send(envelope)

    def close(self) -> None:
        self.post.close()


def test_a_refusal_at_once_is_the_same_as_a_letter_that_comes_back(table: Table) -> None:
    table.begin()
    refusing = Refusing(table.server.mailer, ANN, "5.1.1 no such user here")
    table.server = replace(table.server, mailer=refusing)
    for _ in range(4):
        table.reply(ANN, "show")
        table.clock.pass_by(days=1, minutes=1)

    assert refusing.asked.count(ANN) == 3


def test_what_came_back_is_forgotten_after_ninety_days(table: Table) -> None:
    fail_for_three_days(table)
    table.clock.pass_by(days=91)
    table.sweep()

    with table.server.store.reading() as connection:
        assert connection.execute(select(FailingMailboxRow.score)).scalars().all() == []


def test_an_operator_sees_such_mailboxes_and_calls_them_sound(table: Table) -> None:
    fail_for_three_days(table)
    olga = table_of_operator(table)

    assert "We've stopped emailing this address." in olga.open("/admin/")
    assert "We're emailing this address again" in olga.press("Resume emails")
    assert "We've stopped emailing this address." not in olga.open("/admin/")


def table_of_operator(table: Table) -> Browser:
    """An operator who plays no game, let in without a letter."""
    olga = "olga@house.example"
    players.add(table.server, "Olga", olga, table.clock())
    browser = Browser(table.at_work(olga))
    browser.let_in(table, olga)
    return browser
