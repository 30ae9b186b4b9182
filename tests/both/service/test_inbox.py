"""Incoming emails: each is stored and read once, and nothing is done if in doubt."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, event, func, select
from sqlalchemy.exc import OperationalError

from corr.service.mail import inbox
from corr.service.mail.arrivals import Arrival
from corr.service.mail.entrance import EmailEntrance
from corr.store.tables import InboxRow, OrderRow
from tests.support.table import ANN, BEN, Table, text_of, unwrap
from tests.support.unsubscribe_headers import with_wrong_token


def count(table: Table, row: type) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(row)).scalar_one()


def test_the_same_email_ten_times_has_one_effect(table: Table) -> None:
    table.begin()
    raw = table.reply_email(ANN, "e2e4")
    answers = len(table.emails_to(ANN))

    for _ in range(10):
        assert table.deliver(raw) == 1
        table.run_workers()

    assert len(table.emails_to(ANN)) == answers + 1
    assert count(table, OrderRow) == 1


@pytest.mark.parametrize("first", range(3))
def test_the_same_email_has_one_effect_however_it_arrives(table: Table, first: int) -> None:
    """With an envelope (SMTP), without one (from a mailbox), or through a pipe that doesn't pass it on."""
    table.begin()
    entrance = EmailEntrance(table.server, lambda _: None)
    raw, to = table.reply_email(ANN, "e2e4"), str(table.last_email(ANN)["Reply-To"])
    ways = [
        lambda: entrance.store_received(raw, [to], ANN),
        lambda: entrance.store_without_envelope(b"Delivered-To: corr@h.example\r\n" + raw, table.clock()),
        lambda: inbox.store_email(table.server, Arrival(raw, (), table.clock())),
    ]
    answers = len(table.emails_to(ANN))

    for number in range(6):
        assert ways[(first + number) % 3]() == 1
        table.run_workers()

    assert len(table.emails_to(ANN)) == answers + 1
    assert count(table, OrderRow) == 1


def test_another_text_under_a_known_message_id_is_answered_once_and_not_read(table: Table) -> None:
    table.begin()
    raw = table.reply_email(ANN, "a2a3\n\nPlease")
    for each in (raw, *[raw.replace(b"a2a3", b"h2h4")] * 3):
        table.deliver(each)
        table.run_workers()

    assert "so I didn't read the new one" in table.last_text(ANN)
    assert (count(table, InboxRow), count(table, OrderRow)) == (4, 1)


def test_an_email_rewrapped_on_its_way_is_the_same(table: Table) -> None:
    table.begin()
    raw = table.reply_email(ANN, "a2a3\n\nOne word and another")
    answers = len(table.emails_to(ANN))
    for each in (raw, raw.replace(b"word and", b"word\r\nand"), raw + b"\r\n\r\n"):
        table.deliver(each)
        table.run_workers()

    assert len(table.emails_to(ANN)) == answers + 1


def test_trace_headers_do_not_make_another_email(table: Table) -> None:
    table.begin()
    raw = table.reply_email(ANN, "e2e4").replace(b"Message-ID", b"X-Was-Message-ID")

    table.deliver(raw)
    table.deliver(b"Received: from elsewhere\r\n\tby here\r\nDelivered-To: someone\r\n" + raw)
    table.run_workers()

    assert count(table, InboxRow) == 3


def test_the_same_orders_in_another_email_get_the_first_answer_again(table: Table) -> None:
    table.begin()
    answered = table.last_email(ANN)
    table.reply(ANN, "e2e4", to=answered)
    table.reply(BEN, "e7e5")

    table.reply(ANN, "e2e4", to=answered)

    assert "You sent these orders before" in table.last_text(ANN)
    assert "Your move has been made." in table.last_text(ANN)
    assert "Your turn: reply by" in table.last_text(ANN), "the current board"
    assert count(table, OrderRow) == 2
    table.reply(ANN, "d2d4")
    assert count(table, OrderRow) == 3


@pytest.mark.parametrize("text", ["help", "ghost qd8", "draw?"])
def test_orders_that_move_no_piece_are_answered_each_time(table: Table, text: str) -> None:
    table.begin()
    answered, letters = table.last_email(ANN), len(table.emails_to(ANN))

    table.reply(ANN, text, to=answered)
    table.reply(ANN, text, to=answered)

    assert len(table.emails_to(ANN)) == letters + 2
    assert "You sent these orders before" not in table.last_text(ANN)


def test_a_strangers_email_with_my_message_id_does_not_swallow_mine(table: Table) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "d2d4", sender="eve@e.example", message_id="guessed@mail.example"))

    table.reply(ANN, "e2e4", message_id="guessed@mail.example")

    assert "Your move has been made." in table.last_text(ANN)


@pytest.mark.parametrize("text", ["e2e4", "help", "Hello!"])
def test_a_forged_email_tries_nothing_and_only_the_player_is_told(table: Table, text: str) -> None:
    table.begin()

    table.reply(ANN, text, sender=BEN)

    assert "came from an address that isn't yours" in table.last_text(ANN)
    assert f"| {BEN}" in table.last_text(ANN)
    assert "to move" in table.last_text(BEN)
    assert count(table, OrderRow) == 0


def test_an_email_from_another_address_acts_once_the_player_confirms_it(table: Table) -> None:
    table.begin()
    table.clock.advance(days=2, hours=23)
    table.reply(ANN, "e2e4", sender="ann@elsewhere.example")
    table.clock.advance(hours=1, seconds=30)

    table.reply(ANN, "confirm")

    assert "Your move has been made." in table.last_text(ANN)
    assert "Your turn: reply by" in table.last_text(BEN)
    assert count(table, OrderRow) == 1


@pytest.mark.parametrize("sender", ["", "undisclosed-recipients:;", f"{ANN}, {BEN}"])
def test_an_email_without_a_single_sender_is_doubtful(table: Table, sender: str) -> None:
    table.begin()

    table.reply(ANN, "e2e4", sender=sender or " ")

    assert "I haven't acted on it yet" in table.last_text(ANN)
    assert "| no address at all" in table.last_text(ANN)
    assert count(table, OrderRow) == 0


def test_an_email_to_two_seats_acts_at_neither(table: Table) -> None:
    table.begin()
    white, black = table.last_email(ANN)["Reply-To"], table.last_email(BEN)["Reply-To"]
    raw = table.reply_email(ANN, "e2e4").replace(b"Subject:", b"Cc: " + black.encode() + b"\r\nSubject:")

    table.deliver(raw, white, black)
    table.run_workers()

    assert "more than one of our reply addresses" in table.last_text(ANN)
    assert "came from an address that isn't yours. I didn't act on it" in table.last_text(BEN)
    assert "e2e4" not in text_of(table.last_email(BEN)).partition("The umpire's last announcement")[0]
    assert count(table, OrderRow) == 0


@pytest.mark.parametrize("black", [ANN, BEN])
def test_an_email_to_two_seats_of_one_player_acts_at_neither(table: Table, black: str) -> None:
    """Both sides of a game, or one side of each of two."""
    for _ in range(2):
        table.challenge(ANN, black)
    seats = table.emails_to(ANN)[-2:]
    before = len(table.emails_to(ANN))

    table.deliver(table.reply_email(ANN, "accept", to=seats[0]), *(each["Reply-To"] for each in seats))
    table.run_workers()

    answers = table.emails_to(ANN)[-2:]
    assert len(table.emails_to(ANN)) == before + 2
    assert ["more than one of our reply addresses" in unwrap(text_of(each)) for each in answers] == [
        True,
        True,
    ]
    assert count(table, OrderRow) == 0


@pytest.mark.parametrize(
    ("first", "says"), [("new", "Your move has been made."), ("old", "a move has been made since")]
)
def test_the_first_of_two_addresses_of_a_seat_says_which_email_was_answered(
    table: Table, first: str, says: str
) -> None:
    table.begin()
    old = table.last_email(ANN)
    table.play("a2a3", "a7a6")
    new = table.last_email(ANN)
    named = [new["Reply-To"], old["Reply-To"]] if first == "new" else [old["Reply-To"], new["Reply-To"]]
    letters = len(table.emails_to(ANN))

    table.deliver(table.reply_email(ANN, "e2e4", to=new), *named)
    table.run_workers()

    assert len(table.emails_to(ANN)) == letters + 1
    assert says in table.last_text(ANN)
    assert count(table, OrderRow) == {"new": 3, "old": 2}[first]


def test_an_address_or_message_id_with_another_mark_finds_no_seat(table: Table) -> None:
    table.begin()
    newest = table.last_email(ANN)
    raw = table.reply_email(ANN, "e2e4", to=newest)
    ours, address = newest["Message-ID"].strip("<>"), newest["Reply-To"]
    for each in (ours, address):
        raw = raw.replace(each.encode(), with_wrong_token(each).encode())
    letters, rows = len(table.all_emails()), count(table, InboxRow)

    table.deliver(raw)
    table.run_workers()

    assert (len(table.all_emails()), count(table, InboxRow)) == (letters, rows)


@pytest.mark.parametrize("reply_to", ["{seat}", "umpire@play.example", "Ann <{seat}>, ben@b.example"])
def test_a_reply_to_header_with_our_own_address_is_ignored(table: Table, reply_to: str) -> None:
    table.begin()
    seat, before = table.last_email(ANN)["Reply-To"], len(table.all_emails())

    table.reply(ANN, "e2e5", headers=f"Reply-To: {reply_to.format(seat=seat)}")
    table.deliver(
        table.site_email(ANN, "help").replace(
            b"Subject:", f"Reply-To: {reply_to.format(seat=seat)}\r\nSubject:".encode()
        )
    )
    table.run_workers()

    assert [letter["To"] for letter in table.all_emails()[before:]] == [ANN, ANN]


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "X-Autoreply: yes",
        "Precedence: bulk",
        "Return-Path: <>",
        "List-Id: <chess.example>",
    ],
)
def test_automatic_emails_are_not_answered_and_move_nothing(table: Table, header: str) -> None:
    table.begin()
    letters = len(table.emails_to(ANN))

    table.reply(ANN, "e2e4", headers=header)

    assert len(table.emails_to(ANN)) == letters
    assert count(table, OrderRow) == 0


def test_an_email_to_the_umpire_finds_its_game_by_what_it_answers(table: Table) -> None:
    table.begin()
    raw = table.reply_email(ANN, "e2e4").replace(
        table.last_email(ANN)["Reply-To"].encode(), b"umpire@play.example"
    )

    assert inbox.is_site_address(table.server, "Umpire@play.example")
    assert table.deliver(raw, "umpire@play.example") == 1
    table.run_workers()
    table.reply(ANN, "confirm")

    assert "Your move has been made." in table.last_text(ANN)


def test_an_email_to_the_umpire_finds_its_game_by_its_references(table: Table) -> None:
    table.begin()
    newest = table.last_email(ANN)
    raw = table.reply_email(ANN, "e2e4").replace(newest["Reply-To"].encode(), b"umpire@play.example")

    table.deliver(raw.replace(b"In-Reply-To: ", b"References: <other@mail.example> "), "umpire@play.example")
    table.run_workers()
    table.reply(ANN, "confirm")

    assert "Your move has been made." in table.last_text(ANN)


def test_a_strangers_email_to_the_umpire_is_stored_and_ignored(table: Table) -> None:
    table.begin()
    before = len(table.all_emails())

    for sender in ("eve@e.example", "nobody", "umpire@play.example"):
        assert table.deliver(f"From: {sender}\r\n\r\nhelp\r\n".encode(), "umpire@play.example") == 1
    table.run_workers()
    assert len(table.all_emails()) == before
    assert count(table, InboxRow) == 2


def test_emails_to_a_seat_are_read_in_the_order_they_arrived(table: Table) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.reply(ANN, "d2d4")

    with table.server.store.reading() as connection:
        assert connection.execute(select(OrderRow.text)).scalars().all() == ["e2e4"]


def test_a_bounce_moves_nothing_and_is_not_answered(table: Table) -> None:
    table.begin()
    letters = len(table.emails_to(ANN))
    envelope_sender = table.last_email(ANN)["X-Envelope-From"]

    assert table.deliver(b"From: mailer-daemon@a.example\r\n\r\ne2e4\r\n", envelope_sender) == 1
    table.run_workers()

    assert len(table.emails_to(ANN)) == letters


def test_the_log_names_the_seat_of_a_bounce_and_no_vacation_notice(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.challenge()
    report = (
        b"From: mailer-daemon@mx.example\r\nAuto-Submitted: auto-replied\r\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        b"--b\r\n\r\n<ann@a.example>: no such box\r\n--b--\r\n"
    )
    notice = b"From: ben@b.example\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n"

    table.deliver(report, table.last_email(ANN)["X-Envelope-From"])
    table.deliver(notice, table.last_email(BEN)["X-Envelope-From"])
    table.run_workers()

    warnings = [record for record in caplog.records if record.levelname == "WARNING"]
    assert [(record.getMessage(), vars(record)["seat"]) for record in warnings] == [("received a bounce", 1)]
    assert "a.example" not in caplog.text


@pytest.mark.parametrize(
    ("raw", "answer"),
    [
        (b"", "I didn't act on it"),
        (b"\0" * 1000, "I didn't act on it"),
        (b"From: ann@a.example\r\n\r\n" + b"\xff\xfe" * 500, "I did nothing"),
        (b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x", "I didn't act on it"),
    ],
)
def test_a_broken_email_is_stored_and_answered_and_tries_nothing(
    table: Table, raw: bytes, answer: str
) -> None:
    table.begin()

    assert table.deliver(raw, table.last_email(ANN)["Reply-To"]) == 1
    table.run_workers()

    assert answer in table.last_text(ANN)


def test_the_answer_is_in_the_thread_of_the_players_own_email(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4", message_id="mine@mail.example")

    answer = table.last_email(ANN)

    assert answer["In-Reply-To"] == "<mine@mail.example>"
    assert answer["References"].split() == [table.emails_to(ANN)[0]["Message-ID"], "<mine@mail.example>"]
    assert "e2e4" in text_of(answer)


def test_a_copy_through_a_mailing_list_does_not_swallow_the_email_itself(table: Table) -> None:
    table.begin()
    raw = table.reply_email(ANN, "e2e4")

    table.deliver(b"List-Id: <chess.example>\r\n" + raw)
    table.run_workers()
    table.deliver(raw)
    table.run_workers()

    assert "Your move has been made." in table.last_text(ANN)


def test_a_strangers_prose_is_not_shown_as_the_players_own(table: Table) -> None:
    table.begin()

    table.reply(ANN, "buy my cheap watches\ne2e4", sender="eve@e.example")

    assert "came from an address that isn't yours" in table.last_text(ANN)
    assert "| e2e4" in table.last_text(ANN)
    assert "watches" not in table.last_text(ANN)


def test_an_address_in_the_subject_or_text_finds_no_seat(table: Table) -> None:
    table.begin()
    address = table.last_email(ANN)["Reply-To"]
    headers = f"From: {ANN}\r\nSubject: Re: {address}\r\nMessage-ID: <subject@mail.example>\r\n"

    table.deliver(f"{headers}\r\ne2e4\n{address}\n".encode(), "umpire@play.example")
    table.run_workers()

    assert (count(table, InboxRow), count(table, OrderRow)) == (2, 0)
    assert "Wild 16 with" not in table.last_email(ANN)["Subject"]


@pytest.mark.parametrize("field", ["Reply-To", "Sender", "Return-Path", "Errors-To", "X-Original-From"])
@pytest.mark.parametrize("text", ["e2e4", "e2e4 looks good", "help"])
def test_answers_go_to_the_players_address_whatever_the_headers_say(
    table: Table, field: str, text: str
) -> None:
    table.begin()
    before = len(table.emails_to(ANN))

    table.reply(ANN, text, headers=f"{field}: <eve@e.example>")

    assert len(table.emails_to(ANN)) == before + 1
    assert {letter["To"] for letter in table.all_emails()} == {ANN, BEN}


@pytest.mark.parametrize(
    "message_id", ["<no number>", "<a@b> <c@d>", "<>", f"<{'x' * 300}@mail.example>", "<a@b\x1b.example>"]
)
def test_the_answer_to_an_email_with_a_bad_message_id_is_threaded_below_ours(
    table: Table, message_id: str
) -> None:
    table.begin()
    raw = table.reply_email(ANN, "e2e4", message_id="mine@mail.example")
    last = table.last_email(ANN)["Message-ID"]

    table.deliver(raw.replace(b"<mine@mail.example>", message_id.encode()))
    table.run_workers()

    assert "Your move has been made." in table.last_text(ANN)
    assert table.last_email(ANN)["In-Reply-To"] == last
    assert table.last_email(ANN)["References"].split() == list(
        dict.fromkeys([table.emails_to(ANN)[0]["Message-ID"], last])
    )


@pytest.mark.parametrize("to", ["a seat", "the site"])
def test_an_email_that_could_not_be_stored_is_not_logged_as_received(
    table: Table, caplog: pytest.LogCaptureFixture, to: str
) -> None:
    table.begin()
    raw = table.reply_email(ANN, "e2e4") if to == "a seat" else table.site_email(BEN, "games")
    caplog.set_level("INFO", "corr")
    caplog.clear()

    def fail(_connection: Connection) -> None:
        raise OperationalError("COMMIT", None, Exception("the disk is full"))

    event.listen(table.server.store.engine, "commit", fail)
    with pytest.raises(OperationalError):
        table.deliver(raw)
    event.remove(table.server.store.engine, "commit", fail)
    assert [each for each in caplog.messages if "received an email" in each] == []

    table.deliver(raw)
    assert len([each for each in caplog.messages if "received an email" in each]) == 1
