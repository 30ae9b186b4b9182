"""The door under TLS: it is offered where there is a certificate, and each renewed one is shown."""

from __future__ import annotations

import logging
import os
import smtplib
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from corr.mail.smtp_server import ListenAddress, Listener, SmtpProtocol
from corr.mail.tls_certificate import Certificate
from corr.words.errors import Misconfigured
from tests.support.certificates import certificate_for
from tests.support.database_servers import free_port
from tests.support.fake_entrances import OpenDoor
from tests.support.waiting import PATIENCE, wait_until

NAME = "localhost"


@pytest.fixture
def door() -> OpenDoor:
    return OpenDoor()


@pytest.fixture
def pem(tmp_path: Path) -> Path:
    return certificate_for(tmp_path, NAME)


@pytest.fixture
def place(door: OpenDoor, pem: Path) -> Iterator[ListenAddress]:
    place = ListenAddress("127.0.0.1", free_port(), SmtpProtocol)
    listener = Listener(door, place, "play.example", certificate=Certificate(pem, pem))
    listener.start()
    yield place
    listener.stop()


def client(place: ListenAddress) -> smtplib.SMTP:
    return smtplib.SMTP(NAME, place.port, timeout=PATIENCE)


def trusting(pem: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(pem))


def shown(place: ListenAddress) -> str:
    """The certificate that is shown at a door, as it stands in its file."""
    with client(place) as connection:
        connection.starttls(context=ssl._create_unverified_context())
        assert isinstance(connection.sock, ssl.SSLSocket)
        return ssl.DER_cert_to_PEM_cert(connection.sock.getpeercert(binary_form=True) or b"")


def renewed(pem: Path) -> None:
    """Another certificate in the same file, at a later time of the file's."""
    before = pem.stat().st_mtime_ns
    certificate_for(pem.parent, NAME)
    os.utime(pem, ns=(before + 1, before + 1))


def test_a_letter_comes_under_tls_where_its_sender_asks_for_it(
    door: OpenDoor, place: ListenAddress, pem: Path
) -> None:
    with client(place) as connection:
        connection.ehlo()
        assert connection.has_extn("starttls")
        connection.starttls(context=trusting(pem))
        connection.ehlo()
        assert not connection.has_extn("starttls")
        assert not connection.has_extn("auth")
        for _ in range(2):
            assert connection.sendmail("a@a.example", ["x@play.example"], b"Subject: x\r\n\r\ne2e4\r\n") == {}

    with client(place) as connection:
        assert connection.sendmail("a@a.example", ["x@play.example"], b"Subject: x\r\n\r\ne7e5\r\n") == {}
    assert len(door.kept) == 3


def test_old_tls_is_refused(place: ListenAddress, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "corr")
    old = ssl._create_unverified_context()
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with client(place) as connection, pytest.raises(ssl.SSLError):
        connection.starttls(context=old)
    wait_until(lambda: bool(said(caplog)), "the door has told why")

    assert "UNSUPPORTED_PROTOCOL" in vars(said(caplog)[0])["why"]


def test_what_was_said_before_tls_is_forgotten(door: OpenDoor, place: ListenAddress, pem: Path) -> None:
    with client(place) as connection:
        connection.ehlo()
        connection.mail("eve@e.example")
        connection.rcpt("x@play.example")
        connection.starttls(context=trusting(pem))
        connection.ehlo()
        assert connection.docmd("DATA")[0] == 503
    assert door.kept == []


def test_what_is_slipped_in_before_tls_begins_is_never_heard(door: OpenDoor, place: ListenAddress) -> None:
    """Somebody on the way adds commands to the last packet that is not sealed."""
    with socket.create_connection((place.host, place.port), timeout=PATIENCE) as plain:
        heard = plain.makefile("rb")
        plain.sendall(b"EHLO h\r\n")
        while not heard.readline().startswith(b"250 "):
            pass
        plain.sendall(b"STARTTLS\r\nMAIL FROM:<eve@e.example>\r\n")
        assert heard.readline().startswith(b"220 ")
        plain.shutdown(socket.SHUT_WR)
        assert heard.read() == b""


def test_a_handshake_that_fails_takes_no_room_and_is_no_alarm(
    door: OpenDoor, place: ListenAddress, pem: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "corr")
    for _ in range(3):
        with client(place) as connection, pytest.raises(ssl.SSLError):
            connection.starttls(context=ssl.create_default_context())
    wait_until(lambda: len(said(caplog)) == 3, "all are told")

    assert {(each.levelname, each.getMessage()) for each in said(caplog)} == {
        ("INFO", "a connection could not start TLS")
    }
    test_a_letter_comes_under_tls_where_its_sender_asks_for_it(door, place, pem)


def said(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [each for each in caplog.records if each.name == "corr.mail.smtp_server"]


def test_a_renewed_certificate_is_shown_and_one_that_is_half_written_is_not(
    place: ListenAddress, pem: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = shown(place)
    assert first in pem.read_text()
    renewed(pem)
    second = shown(place)
    assert second in pem.read_text()
    pem.write_text(second)  # its key is still missing
    assert shown(place) == second
    pem.unlink()
    assert shown(place) == second

    assert [each.getMessage() for each in caplog.records if each.levelname == "WARNING"] == [
        "could not load a new certificate; the old one stays in use",
        "could not load a new certificate; the old one stays in use",
    ]


def test_a_certificate_that_cannot_be_used_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").touch()
    for name in ("nothing.pem", "empty.pem"):
        with pytest.raises(
            Misconfigured, match="Can't read the certificate that CORR_SMTP_CERT and CORR_SMTP_KEY name"
        ):
            Certificate(tmp_path / name, tmp_path / name)
