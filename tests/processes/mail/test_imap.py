"""Fetching emails from a real Dovecot: each has one effect, and none is lost."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import func, select

from corr import limits
from corr.config import Config
from corr.doctor import servers
from corr.mail.imap import Fetcher, Take, parse_mailboxes
from corr.processes import JsonFormatter
from corr.service.mail.entrance import EmailEntrance
from corr.store.tables import InboxRow
from tests.support.dovecot import NAME, REMOTE_NAME, DovecotServer
from tests.support.skips import skip_missing
from tests.support.table import ANN, BEN, DOMAIN, Table
from tests.support.waiting import join, wait_until

OURS, FLAGGED = b"To: x@play.example\r\n\r\ne2e4\r\n", {b"\\Flagged"}
SPAM = b"To: corr@play.example\r\nSubject: buy\r\n\r\nnow\r\n"
_numbers = count(1)


@pytest.fixture(scope="module")
def dovecot() -> Iterator[DovecotServer]:
    if DovecotServer.missing():
        skip_missing(DovecotServer.missing())
    with TemporaryDirectory(prefix="corr-dovecot-") as folder:
        server = DovecotServer(Path(folder))
        server.start()
        yield server
        server.kill()


@pytest.fixture(autouse=True)
def _trust_its_certificate(dovecot: DovecotServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))


@pytest.fixture
def folder(dovecot: DovecotServer) -> str:
    """An empty mailbox."""
    name = f"letters{next(_numbers)}"
    dovecot.make_mailbox(name)
    return name


@contextmanager
def fetching(urls: str, take: Take) -> Iterator[None]:
    """Fetch from these mailboxes meanwhile."""
    stop = threading.Event()
    fetchers = [Fetcher(each, take, stop) for each in parse_mailboxes(urls)]
    threads = [threading.Thread(target=each.run) for each in fetchers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        join(*threads)


def door(table: Table) -> Take:
    return EmailEntrance(table.server, lambda _: None).store_without_envelope


def kept(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(
            select(func.count()).select_from(InboxRow).where(InboxRow.read_at.is_(None))
        ).scalar_one()


def told(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    """The log entries, without the one about accepting email."""
    lines = [
        json.loads(JsonFormatter().format(each)) for each in caplog.records if each.name == "corr.mail.imap"
    ]
    return [each for each in lines if each["says"] != "accepting email"]


def test_our_emails_leave_the_mailbox_and_others_stay_and_are_fetched_once(
    table: Table, dovecot: DovecotServer, folder: str
) -> None:
    table.begin()
    fetched: list[bytes] = []

    def take(raw: bytes, came_at: object) -> int:
        fetched.append(raw)
        return door(table)(raw, came_at)  # type: ignore[arg-type]  # a moment

    dovecot.add_emails(folder, SPAM, table.reply_email(ANN, "e2e4"))
    with fetching(dovecot.url(folder), take):
        wait_until(lambda: dovecot.flags(folder) == [FLAGGED], "our letter is taken out")
        dovecot.add_emails(folder, table.reply_email(BEN, "show"))
        wait_until(lambda: dovecot.flags(folder) == [FLAGGED] and len(fetched) == 3, "and the next one")
    table.run_workers()

    assert fetched.count(SPAM) == 1
    assert "Your move has been made." in table.last_text(ANN)


@pytest.mark.parametrize("header", ["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"])
def test_the_recipient_is_read_from_the_headers(
    table: Table, dovecot: DovecotServer, folder: str, header: str
) -> None:
    table.begin()
    to = str(table.last_email(ANN)["Reply-To"])
    dovecot.add_emails(folder, f"{header}: {to}\r\nFrom: {ANN}\r\nMessage-ID: <1@a>\r\n\r\ne2e4\r\n".encode())
    with fetching(dovecot.url(folder), door(table)):
        wait_until(lambda: not dovecot.flags(folder), "the letter is taken out")
    table.run_workers()

    assert "Your move has been made." in table.last_text(ANN)


def test_an_email_too_big_is_skipped_and_the_next_is_fetched(
    dovecot: DovecotServer, folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    fetched: list[bytes] = []
    dovecot.add_emails(folder, OURS + b"x" * limits.LETTER_BYTES, OURS)

    with fetching(dovecot.url(folder), lambda raw, _: fetched.append(raw) or 1):
        wait_until(lambda: dovecot.flags(folder) == [FLAGGED], "the other one is taken out")

    assert fetched == [OURS]
    assert [each["says"] for each in told(caplog)] == ["an email in a mailbox is too big"]


def test_an_email_stored_as_the_connection_broke_has_one_effect(
    table: Table, dovecot: DovecotServer, folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    table.begin()
    takes = door(table)
    seen: list[bytes] = []

    def take(raw: bytes, came_at: object) -> int:
        taken = takes(raw, came_at)  # type: ignore[arg-type]  # a moment
        if not seen:
            dovecot.kill()
            dovecot.start()
        seen.append(raw)
        return taken

    letter = table.reply_email(ANN, "e2e4")
    dovecot.add_emails(folder, letter, table.reply_email(ANN, "note he is late"))
    with fetching(dovecot.url(folder), take):
        wait_until(lambda: len(seen) == 3, "one came once more, and the other")
        wait_until(lambda: dovecot.flags(folder) == [], "all is taken out")

    assert seen.count(letter) == 2
    assert kept(table) == 2
    assert [each["says"] for each in told(caplog)] == ["could not empty a mailbox; will try again"]


def test_emails_of_a_recreated_mailbox_are_fetched_whatever_their_numbers(
    dovecot: DovecotServer, folder: str
) -> None:
    fetched: list[bytes] = []
    letters = [OURS + b"%d" % each for each in range(4)]
    before = dovecot.validity(folder)
    with fetching(dovecot.url(folder), lambda raw, _: fetched.append(raw) or 1):
        dovecot.add_emails(folder, *letters[:2])
        wait_until(lambda: len(fetched) == 2, "the first are taken")
        dovecot.make_mailbox(folder)
        dovecot.add_emails(folder, *letters[2:])
        wait_until(lambda: len(fetched) == 4, "and those of the new one")
        wait_until(lambda: dovecot.flags(folder) == [], "all are taken out")

    assert dovecot.validity(folder) != before
    assert fetched == letters


def test_the_same_email_in_two_mailboxes_has_one_effect(
    table: Table, dovecot: DovecotServer, folder: str
) -> None:
    table.begin()
    other = f"junk of {folder}"
    dovecot.make_mailbox(other)
    letter = table.reply_email(ANN, "e2e4")
    for each in (folder, other):
        dovecot.add_emails(each, letter)

    urls = f"{dovecot.url(folder)} {dovecot.url(other)}"
    with fetching(urls, door(table)):
        wait_until(lambda: not dovecot.flags(folder) + dovecot.flags(other), "both are taken out")

    assert kept(table) == 1


def test_emails_that_cannot_be_stored_stay_and_are_logged_once(
    dovecot: DovecotServer, folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An email that fails doesn't hold up others: it is tried after them."""
    caplog.set_level(logging.INFO)
    bad, tries, fetched = OURS + b"bad", count(1), list[bytes]()

    def take(raw: bytes, _: object) -> int:
        if raw == bad and next(tries) < 3:
            raise ValueError("the database is away")
        fetched.append(raw)
        return 1

    dovecot.add_emails(folder, bad, OURS)
    with fetching(dovecot.url(folder), take):
        wait_until(lambda: dovecot.flags(folder) == [], "all is taken out")

    assert fetched == [OURS, bad]
    assert [each["says"] for each in told(caplog)] == ["could not empty a mailbox; will try again"]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"password": "an old one"}, "b'[AUTHENTICATIONFAILED]"),
        ({"folder": "nowhere"}, "select failed: "),
    ],
)
def test_a_failed_login_is_retried_later_and_logged_once(
    dovecot: DovecotServer, folder: str, caplog: pytest.LogCaptureFixture, wrong: dict[str, str], why: str
) -> None:
    before = dovecot.log().count("Login: ") + dovecot.log().count("auth failed")

    def tries() -> int:
        return dovecot.log().count("Login: ") + dovecot.log().count("auth failed") - before

    with fetching(dovecot.url(**{"folder": folder} | wrong), lambda *_: 1):
        wait_until(lambda: tries() == 2, "it is tried twice")

    (line,) = told(caplog)
    assert (line["says"], line["level"]) == ("could not empty a mailbox; will try again", "warning")
    assert str(line["why"]).startswith(why)
    assert "an old one" not in json.dumps(line)


def test_an_untrusted_server_gets_no_password(
    dovecot: DovecotServer, folder: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    before = dovecot.log()
    with fetching(dovecot.url(folder), lambda *_: 1):
        wait_until(lambda: told(caplog) != [], "something is told")

    assert "CERTIFICATE_VERIFY_FAILED" in str(told(caplog)[0]["why"])
    assert "user=<corr" not in dovecot.log().removeprefix(before)


def test_starttls_is_used_unless_the_server_is_near(dovecot: DovecotServer, folder: str) -> None:
    fetched: list[bytes] = []
    for host in (NAME, REMOTE_NAME):
        before = dovecot.log()
        url = (
            dovecot.url(folder)
            .replace("imaps:", "imap:")
            .replace(f"{NAME}:{dovecot.tls_port}", f"{host}:{dovecot.port}")
        )
        dovecot.add_emails(folder, OURS)
        with fetching(url, lambda raw, _: fetched.append(raw) or 1):
            wait_until(lambda: dovecot.flags(folder) == [], "it is taken out")
        assert (", TLS, " in dovecot.log().removeprefix(before)) == (host == REMOTE_NAME)

    assert fetched == [OURS, OURS]


@pytest.mark.parametrize("late", [timedelta(hours=1), -timedelta(days=400)])
def test_an_email_counts_from_its_arrival_in_the_mailbox_but_never_from_the_future(
    table: Table, dovecot: DovecotServer, folder: str, late: timedelta
) -> None:
    table.begin()
    came = table.clock() - late
    dovecot.add_emails(folder, table.reply_email(ANN, "e2e4"), at=came)
    with fetching(dovecot.url(folder), door(table)):
        wait_until(lambda: dovecot.flags(folder) == [], "it is taken out")

    with table.server.store.reading() as connection:
        received = connection.execute(
            select(InboxRow.received_at).where(InboxRow.read_at.is_(None))
        ).scalar_one()
    assert received.replace(tzinfo=came.tzinfo) == min(came, table.clock())


def test_the_doctor_checks_the_mailbox(dovecot: DovecotServer, folder: str) -> None:
    dovecot.add_emails(folder, *[OURS] * 20)
    urls = (dovecot.url("INBOX"), dovecot.url(folder), dovecot.url(folder, password="an old one"))
    config = Config("sqlite://", DOMAIN, "spool:/", web_listen="127.0.0.1:1", imap_url=" ".join(urls))

    said = [each for each in servers.findings(config) if each.what == "fetch"]

    assert [(each.is_well, each.says.partition(":")[0]) for each in said] == [
        (True, f"can read INBOX at {NAME}"),
        (False, f"20 emails are waiting in {folder} at {NAME}."),
        (False, f"Can't read {folder} at {NAME}"),
    ]
