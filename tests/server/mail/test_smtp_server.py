"""The door: real SMTP and LMTP, with the house behind it."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest
from sqlalchemy import event, func, select

from corr import limits
from corr.mail.smtp_server import ListenAddress, Listener, LmtpProtocol, SmtpProtocol
from corr.service.mail.entrance import EmailEntrance
from corr.store import schema
from corr.store.tables import InboxRow
from tests.support.database_servers import free_port
from tests.support.fake_entrances import OpenDoor
from tests.support.table import ANN, DOMAIN, Table
from tests.support.unsubscribe_headers import with_another_mark
from tests.support.waiting import PATIENCE, join

Opens = Callable[[type], smtplib.SMTP]


@pytest.fixture
def door(table: Table) -> Iterator[Opens]:
    """Opens a connection to the house in a tongue."""
    open_things: list[Callable[[], object]] = []
    knocks: list[str] = []

    def opens(tongue: type) -> smtplib.SMTP:
        place = ListenAddress("127.0.0.1", free_port(), tongue)
        listener = Listener(EmailEntrance(table.server, knocks.append), place, DOMAIN)
        listener.start()
        client = smtplib.LMTP if tongue is LmtpProtocol else smtplib.SMTP
        connection = client(place.host, place.port, timeout=PATIENCE)
        open_things.extend([listener.stop, connection.close])
        return connection

    yield opens
    for close in reversed(open_things):
        close()


def waiting(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(
            select(func.count()).select_from(InboxRow).where(InboxRow.read_at.is_(None))
        ).scalar_one()


@pytest.mark.parametrize("tongue", [SmtpProtocol, LmtpProtocol])
def test_a_letter_to_a_seat_is_kept_before_it_is_acknowledged(
    table: Table, door: Opens, tongue: type
) -> None:
    table.begin()
    letter = table.letter(ANN, "e2e4")
    connection = door(tongue)

    assert connection.sendmail(ANN, [table.newest(ANN)["Reply-To"]], letter) == {}
    assert waiting(table) == 1


@pytest.mark.parametrize("lines", [1, 200, 20_000])
def test_a_letter_with_bare_line_feeds_is_taken_as_it_is_meant(table: Table, door: Opens, lines: int) -> None:
    """Only what ends in CRLF, dot, CRLF ends a letter: a dot between line feeds is a line of it."""
    table.begin()
    raw = table.letter(ANN, "e2e4").replace(b"\r\n", b"\n") + b"\n.\n" + b"> And so it went on.\n" * lines
    connection = door(SmtpProtocol)

    connection.ehlo()
    connection.mail(ANN)
    connection.rcpt(table.newest(ANN)["Reply-To"])
    connection.docmd("DATA")
    connection.send(raw + b"\r\n.\r\n")
    assert connection.getreply()[0] == 250
    table.work()

    said = "Your move has been made." if lines < 5_000 else "It has more than 5,000 lines, the most we read"
    assert said in table.says(ANN)


def test_for_an_address_one_row_is_asked_for_however_a_mail_program_writes_it(
    table: Table, door: Opens
) -> None:
    table.begin()
    connection, said = door(SmtpProtocol), list[str]()
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *what: said.append(what[2]))
    connection.ehlo()
    connection.mail(ANN)

    assert connection.rcpt(table.newest(ANN)["Reply-To"].upper())[0] == 250
    assert len(said) == 1


def test_an_unknown_address_is_refused_at_the_door_with_a_sentence(table: Table, door: Opens) -> None:
    connection = door(SmtpProtocol)

    with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
        connection.sendmail(ANN, [f"nobody@{DOMAIN}"], b"Subject: hello\r\n\r\ne2e4\r\n")

    code, words = refusal.value.recipients[f"nobody@{DOMAIN}"]
    assert code == 550
    assert b"please reply to the latest email about your game" in words


def test_an_address_of_a_seat_with_another_mark_is_as_unknown_as_any(table: Table, door: Opens) -> None:
    table.begin()
    address = table.newest(ANN)["Reply-To"]
    connection = door(SmtpProtocol)
    connection.ehlo()
    connection.mail(ANN)

    assert connection.rcpt(address)[0] == 250
    assert connection.rcpt(with_another_mark(address)) == connection.rcpt(f"nobody@{DOMAIN}")
    assert connection.rcpt(with_another_mark(address))[0] == 550


def test_one_that_says_beforehand_that_it_is_too_big_is_refused_in_a_sentence(
    table: Table, door: Opens
) -> None:
    connection = door(SmtpProtocol)
    connection.ehlo()

    code, words = connection.mail(ANN, [f"SIZE={limits.LETTER_BYTES + 1}"])

    assert (code, words) == (552, b"5.3.4 Your email is too big: we accept 1,000,000 bytes at most")
    assert connection.mail(ANN, [f"SIZE={limits.LETTER_BYTES}"])[0] == 250


def test_a_letter_of_two_megabytes_is_refused_and_the_door_stays_open(table: Table, door: Opens) -> None:
    table.begin()
    connection = door(SmtpProtocol)
    address = table.newest(ANN)["Reply-To"]

    with pytest.raises((smtplib.SMTPSenderRefused, smtplib.SMTPDataError)) as refusal:
        connection.sendmail(ANN, [address], b"Subject: x\r\n\r\n" + b"x" * 60 + b"\r\n" * 1_000_000)

    assert refusal.value.smtp_code == 552
    assert waiting(table) == 0
    assert connection.noop()[0] == 250


@pytest.mark.parametrize("tongue", [SmtpProtocol, LmtpProtocol])
def test_a_strangers_letter_to_the_umpire_is_left_alone_and_the_door_does_not_tell(
    table: Table, door: Opens, tongue: type
) -> None:
    connection = door(tongue)

    for sender in ("x@victim.example", ANN):
        assert connection.sendmail(sender, [f"umpire@{DOMAIN}"], b"Subject: x\r\n\r\nspam\r\n") == {}
    assert waiting(table) == 0


@pytest.mark.parametrize("tongue", [SmtpProtocol, LmtpProtocol])
def test_while_the_database_is_away_the_sender_is_asked_to_try_again(
    table: Table, door: Opens, tongue: type
) -> None:
    table.begin()
    connection = door(tongue)
    address = table.newest(ANN)["Reply-To"]
    letter = table.letter(ANN, "e2e4")
    schema.downgrade(table.server.store)

    with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
        connection.sendmail(ANN, [address], letter)

    assert refusal.value.recipients[address][0] == 451


@pytest.mark.parametrize("tongue", [SmtpProtocol, LmtpProtocol])
def test_it_is_so_too_where_the_database_goes_away_after_the_address_was_known(
    table: Table, door: Opens, tongue: type
) -> None:
    table.begin()
    letter = table.letter(ANN, "e2e4")
    connection = door(tongue)
    connection.ehlo_or_helo_if_needed()
    connection.mail(ANN)
    assert connection.rcpt(table.newest(ANN)["Reply-To"])[0] == 250
    schema.downgrade(table.server.store)

    assert connection.data(letter)[0] == 451


class NoGame(OpenDoor):
    """A door behind which nobody reads what was taken in."""

    def store_received(self, _raw: bytes, _recipients: Sequence[str], _sender: str) -> int:
        return 0


@pytest.mark.parametrize(
    ("tongue", "answers"),
    [(SmtpProtocol, [550]), (LmtpProtocol, [250, 250])],
    ids=["by SMTP", "by LMTP, where another server has accepted it"],
)
def test_what_nobody_reads_is_refused_where_nobody_else_would_have_to_send_it_back(
    tongue: type, answers: list[int]
) -> None:
    place = ListenAddress("127.0.0.1", free_port(), tongue)
    listener = Listener(NoGame(), place, DOMAIN)
    listener.start()
    client = smtplib.LMTP if tongue is LmtpProtocol else smtplib.SMTP
    with client(place.host, place.port, timeout=PATIENCE) as connection:
        connection.ehlo_or_helo_if_needed()
        connection.mail(ANN)
        for name in ("x", "y"):
            connection.rcpt(f"{name}@{DOMAIN}")
        got = [connection.data(b"Subject: x\r\n\r\ne2e4\r\n")[0]]
        got += [connection.getreply()[0] for _ in answers[1:]]
        assert got == answers
        assert connection.noop() == (250, b"OK")
    listener.stop()


def test_lmtp_answers_once_for_each_recipient(table: Table, door: Opens) -> None:
    table.begin()
    connection = door(LmtpProtocol)
    addresses = [letter["Reply-To"] for letter in (table.newest(ANN), table.letters(ANN)[0])]

    assert connection.sendmail(ANN, addresses, table.letter(ANN, "e2e4")) == {}
    assert connection.noop()[0] == 250


@pytest.mark.parametrize("tongue", [SmtpProtocol, LmtpProtocol])
def test_a_letter_from_nobody_is_a_robots_whatever_it_says(table: Table, door: Opens, tongue: type) -> None:
    table.begin()
    letters = len(table.letters(ANN))

    door(tongue).sendmail("<>", [table.newest(ANN)["Reply-To"]], table.letter(ANN, "e2e4"))
    table.work()

    assert len(table.letters(ANN)) == letters


class SlowDoor:
    """A door behind which a letter takes its time to be kept."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.kept: list[bytes] = []

    def is_known(self, _address: str) -> bool:
        return True

    def store_received(self, raw: bytes, _recipients: Sequence[str], _sender: str) -> int:
        self.begun.set()
        self.go_on.wait(PATIENCE)
        self.kept.append(raw)
        return 1


def test_a_letter_that_is_being_kept_when_the_listener_stops_is_kept_and_acknowledged() -> None:
    slow, place = SlowDoor(), ListenAddress("127.0.0.1", free_port(), SmtpProtocol)
    listener = Listener(slow, place, DOMAIN)
    listener.start()
    refused: list[dict[str, tuple[int, bytes]]] = []

    def send() -> None:
        with smtplib.SMTP(place.host, place.port, timeout=PATIENCE) as client:
            refused.append(client.sendmail(ANN, [f"x@{DOMAIN}"], b"Subject: x\r\n\r\ne2e4\r\n"))

    sender, stopper = threading.Thread(target=send), threading.Thread(target=listener.stop)
    sender.start()
    slow.begun.wait(PATIENCE)
    stopper.start()
    slow.go_on.set()
    join(stopper, sender)

    assert refused == [{}]
    assert len(slow.kept) == 1


def test_two_listeners_share_a_place_and_one_goes_on_when_the_other_stops(table: Table) -> None:
    place = ListenAddress("127.0.0.1", free_port(), SmtpProtocol)
    first, second = (Listener(EmailEntrance(table.server, lambda _: None), place, DOMAIN) for _ in range(2))
    first.start()
    second.start()
    first.stop()

    for _ in range(5):
        with smtplib.SMTP(place.host, place.port, timeout=PATIENCE) as client:
            assert client.noop()[0] == 250
    second.stop()
