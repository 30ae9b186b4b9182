"""The SMTP and LMTP server, with the real server behind it."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest
from sqlalchemy import event, func, select

from corr import limits
from corr.mail.smtp_server import ListenAddress, Listener, LmtpProtocol, SmtpProtocol
from corr.service.mail.entrance import EmailEntrance
from corr.store import migrate
from corr.store.tables import InboxRow
from tests.support.database_servers import free_port
from tests.support.fake_entrances import AcceptingEntrance
from tests.support.table import ANN, DOMAIN, Table
from tests.support.unsubscribe_headers import with_wrong_token
from tests.support.waiting import TIMEOUT, join

Connect = Callable[[type], smtplib.SMTP]


@pytest.fixture
def connect(table: Table) -> Iterator[Connect]:
    """Starts a listener for a protocol and returns a connection to it."""
    closers: list[Callable[[], object]] = []
    knocks: list[str] = []

    def connect_with(protocol: type) -> smtplib.SMTP:
        place = ListenAddress("127.0.0.1", free_port(), protocol)
        listener = Listener(EmailEntrance(table.server, knocks.append), place, DOMAIN)
        listener.start()
        client = smtplib.LMTP if protocol is LmtpProtocol else smtplib.SMTP
        connection = client(place.host, place.port, timeout=TIMEOUT)
        closers.extend([listener.stop, connection.close])
        return connection

    yield connect_with
    for close in reversed(closers):
        close()


def count_unread(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(
            select(func.count()).select_from(InboxRow).where(InboxRow.read_at.is_(None))
        ).scalar_one()


@pytest.mark.parametrize("protocol", [SmtpProtocol, LmtpProtocol])
def test_an_email_to_a_seat_is_stored_before_it_is_acknowledged(
    table: Table, connect: Connect, protocol: type
) -> None:
    table.begin()
    email = table.reply_email(ANN, "e2e4")
    connection = connect(protocol)

    assert connection.sendmail(ANN, [table.last_email(ANN)["Reply-To"]], email) == {}
    assert count_unread(table) == 1


@pytest.mark.parametrize("lines", [1, 200, 20_000])
def test_an_email_with_bare_line_feeds_is_accepted_whole(table: Table, connect: Connect, lines: int) -> None:
    """Only CRLF, dot, CRLF ends an email: a dot between line feeds is part of it."""
    table.begin()
    raw = (
        table.reply_email(ANN, "e2e4").replace(b"\r\n", b"\n") + b"\n.\n" + b"> And so it went on.\n" * lines
    )
    connection = connect(SmtpProtocol)

    connection.ehlo()
    connection.mail(ANN)
    connection.rcpt(table.last_email(ANN)["Reply-To"])
    connection.docmd("DATA")
    connection.send(raw + b"\r\n.\r\n")
    assert connection.getreply()[0] == 250
    table.run_workers()

    said = "Your move has been made." if lines < 5_000 else "It has more than 5,000 lines, the most we read"
    assert said in table.last_text(ANN)


def test_looking_up_an_address_takes_one_query_whatever_its_capitals(table: Table, connect: Connect) -> None:
    table.begin()
    connection, statements = connect(SmtpProtocol), list[str]()
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    connection.ehlo()
    connection.mail(ANN)

    assert connection.rcpt(table.last_email(ANN)["Reply-To"].upper())[0] == 250
    assert len(statements) == 1


def test_an_unknown_address_is_refused_at_once_with_a_sentence(table: Table, connect: Connect) -> None:
    connection = connect(SmtpProtocol)

    with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
        connection.sendmail(ANN, [f"nobody@{DOMAIN}"], b"Subject: hello\r\n\r\ne2e4\r\n")

    code, words = refusal.value.recipients[f"nobody@{DOMAIN}"]
    assert code == 550
    assert b"please reply to the latest email about your game" in words


def test_a_seats_address_with_a_wrong_signature_is_unknown(table: Table, connect: Connect) -> None:
    table.begin()
    address = table.last_email(ANN)["Reply-To"]
    connection = connect(SmtpProtocol)
    connection.ehlo()
    connection.mail(ANN)

    assert connection.rcpt(address)[0] == 250
    assert connection.rcpt(with_wrong_token(address)) == connection.rcpt(f"nobody@{DOMAIN}")
    assert connection.rcpt(with_wrong_token(address))[0] == 550


def test_an_announced_size_that_is_too_big_is_refused_with_a_sentence(table: Table, connect: Connect) -> None:
    connection = connect(SmtpProtocol)
    connection.ehlo()

    code, words = connection.mail(ANN, [f"SIZE={limits.LETTER_BYTES + 1}"])

    assert (code, words) == (552, b"5.3.4 Your email is too big: we accept 1,000,000 bytes at most")
    assert connection.mail(ANN, [f"SIZE={limits.LETTER_BYTES}"])[0] == 250


def test_an_email_of_two_megabytes_is_refused_and_the_connection_stays_open(
    table: Table, connect: Connect
) -> None:
    table.begin()
    connection = connect(SmtpProtocol)
    address = table.last_email(ANN)["Reply-To"]

    with pytest.raises((smtplib.SMTPSenderRefused, smtplib.SMTPDataError)) as refusal:
        connection.sendmail(ANN, [address], b"Subject: x\r\n\r\n" + b"x" * 60 + b"\r\n" * 1_000_000)

    assert refusal.value.smtp_code == 552
    assert count_unread(table) == 0
    assert connection.noop()[0] == 250


@pytest.mark.parametrize("protocol", [SmtpProtocol, LmtpProtocol])
def test_an_unverified_email_to_the_umpire_is_accepted_and_dropped(
    table: Table, connect: Connect, protocol: type
) -> None:
    connection = connect(protocol)

    for sender in ("x@victim.example", ANN):
        assert connection.sendmail(sender, [f"umpire@{DOMAIN}"], b"Subject: x\r\n\r\nspam\r\n") == {}
    assert count_unread(table) == 0


@pytest.mark.parametrize("protocol", [SmtpProtocol, LmtpProtocol])
def test_without_the_database_the_sender_is_asked_to_try_again(
    table: Table, connect: Connect, protocol: type
) -> None:
    table.begin()
    connection = connect(protocol)
    address = table.last_email(ANN)["Reply-To"]
    email = table.reply_email(ANN, "e2e4")
    migrate.downgrade(table.server.store)

    with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
        connection.sendmail(ANN, [address], email)

    assert refusal.value.recipients[address][0] == 451


@pytest.mark.parametrize("protocol", [SmtpProtocol, LmtpProtocol])
def test_the_sender_is_asked_to_try_again_if_the_database_vanishes_after_rcpt(
    table: Table, connect: Connect, protocol: type
) -> None:
    table.begin()
    email = table.reply_email(ANN, "e2e4")
    connection = connect(protocol)
    connection.ehlo_or_helo_if_needed()
    connection.mail(ANN)
    assert connection.rcpt(table.last_email(ANN)["Reply-To"])[0] == 250
    migrate.downgrade(table.server.store)

    assert connection.data(email)[0] == 451


class StoresNothing(AcceptingEntrance):
    """An entrance that stores no email."""

    def store_received(self, _raw: bytes, _recipients: Sequence[str], _sender: str) -> int:
        return 0


@pytest.mark.parametrize(
    ("protocol", "answers"),
    [(SmtpProtocol, [550]), (LmtpProtocol, [250, 250])],
    ids=["SMTP", "LMTP, after another server has accepted it"],
)
def test_an_email_that_is_not_stored_is_refused_unless_that_would_cause_a_bounce(
    protocol: type, answers: list[int]
) -> None:
    place = ListenAddress("127.0.0.1", free_port(), protocol)
    listener = Listener(StoresNothing(), place, DOMAIN)
    listener.start()
    client = smtplib.LMTP if protocol is LmtpProtocol else smtplib.SMTP
    with client(place.host, place.port, timeout=TIMEOUT) as connection:
        connection.ehlo_or_helo_if_needed()
        connection.mail(ANN)
        for name in ("x", "y"):
            connection.rcpt(f"{name}@{DOMAIN}")
        codes = [connection.data(b"Subject: x\r\n\r\ne2e4\r\n")[0]]
        codes += [connection.getreply()[0] for _ in answers[1:]]
        assert codes == answers
        assert connection.noop() == (250, b"OK")
    listener.stop()


def test_lmtp_answers_once_for_each_recipient(table: Table, connect: Connect) -> None:
    table.begin()
    connection = connect(LmtpProtocol)
    addresses = [email["Reply-To"] for email in (table.last_email(ANN), table.emails_to(ANN)[0])]

    assert connection.sendmail(ANN, addresses, table.reply_email(ANN, "e2e4")) == {}
    assert connection.noop()[0] == 250


@pytest.mark.parametrize("protocol", [SmtpProtocol, LmtpProtocol])
def test_an_email_with_an_empty_sender_is_automatic_whatever_it_says(
    table: Table, connect: Connect, protocol: type
) -> None:
    table.begin()
    emails = len(table.emails_to(ANN))

    connect(protocol).sendmail("<>", [table.last_email(ANN)["Reply-To"]], table.reply_email(ANN, "e2e4"))
    table.run_workers()

    assert len(table.emails_to(ANN)) == emails


class SlowEntrance:
    """An entrance that waits until told before it stores an email."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.kept: list[bytes] = []

    def is_known(self, _address: str) -> bool:
        return True

    def store_received(self, raw: bytes, _recipients: Sequence[str], _sender: str) -> int:
        self.begun.set()
        self.go_on.wait(TIMEOUT)
        self.kept.append(raw)
        return 1


def test_an_email_being_stored_while_the_listener_stops_is_stored_and_acknowledged() -> None:
    slow, place = SlowEntrance(), ListenAddress("127.0.0.1", free_port(), SmtpProtocol)
    listener = Listener(slow, place, DOMAIN)
    listener.start()
    refused: list[dict[str, tuple[int, bytes]]] = []

    def send() -> None:
        with smtplib.SMTP(place.host, place.port, timeout=TIMEOUT) as client:
            refused.append(client.sendmail(ANN, [f"x@{DOMAIN}"], b"Subject: x\r\n\r\ne2e4\r\n"))

    sender, stopper = threading.Thread(target=send), threading.Thread(target=listener.stop)
    sender.start()
    slow.begun.wait(TIMEOUT)
    stopper.start()
    slow.go_on.set()
    join(stopper, sender)

    assert refused == [{}]
    assert len(slow.kept) == 1


def test_two_listeners_share_a_port_and_one_goes_on_when_the_other_stops(table: Table) -> None:
    place = ListenAddress("127.0.0.1", free_port(), SmtpProtocol)
    first, second = (Listener(EmailEntrance(table.server, lambda _: None), place, DOMAIN) for _ in range(2))
    first.start()
    second.start()
    first.stop()

    for _ in range(5):
        with smtplib.SMTP(place.host, place.port, timeout=TIMEOUT) as client:
            assert client.noop()[0] == 250
    second.stop()
