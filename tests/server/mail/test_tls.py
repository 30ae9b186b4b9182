"""The SMTP server under TLS: STARTTLS with a certificate, and renewed certificates without a restart."""

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
from tests.support.fake_entrances import AcceptingEntrance
from tests.support.waiting import TIMEOUT, wait_until

NAME = "localhost"


@pytest.fixture
def entrance() -> AcceptingEntrance:
    return AcceptingEntrance()


@pytest.fixture
def pem(tmp_path: Path) -> Path:
    return certificate_for(tmp_path, NAME)


@pytest.fixture
def place(entrance: AcceptingEntrance, pem: Path) -> Iterator[ListenAddress]:
    place = ListenAddress("127.0.0.1", free_port(), SmtpProtocol)
    listener = Listener(entrance, place, "play.example", certificate=Certificate(pem, pem))
    listener.start()
    yield place
    listener.stop()


def client(place: ListenAddress) -> smtplib.SMTP:
    return smtplib.SMTP(NAME, place.port, timeout=TIMEOUT)


def trusting(pem: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(pem))


def served_certificate(place: ListenAddress) -> str:
    """The certificate that the server presents, in PEM."""
    with client(place) as connection:
        connection.starttls(context=ssl._create_unverified_context())
        assert isinstance(connection.sock, ssl.SSLSocket)
        return ssl.DER_cert_to_PEM_cert(connection.sock.getpeercert(binary_form=True) or b"")


def renew(pem: Path) -> None:
    """Write another certificate to the same file, with a later modification time."""
    before = pem.stat().st_mtime_ns
    certificate_for(pem.parent, NAME)
    os.utime(pem, ns=(before + 1, before + 1))


def test_an_email_arrives_over_tls_if_its_sender_asks(
    entrance: AcceptingEntrance, place: ListenAddress, pem: Path
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
    assert len(entrance.kept) == 3


def test_old_tls_is_refused(place: ListenAddress, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "corr")
    old = ssl._create_unverified_context()
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with client(place) as connection, pytest.raises(ssl.SSLError):
        connection.starttls(context=old)
    wait_until(lambda: bool(log_records(caplog)), "the server has logged why")

    assert "UNSUPPORTED_PROTOCOL" in vars(log_records(caplog)[0])["why"]


def test_commands_before_tls_are_forgotten(
    entrance: AcceptingEntrance, place: ListenAddress, pem: Path
) -> None:
    with client(place) as connection:
        connection.ehlo()
        connection.mail("eve@e.example")
        connection.rcpt("x@play.example")
        connection.starttls(context=trusting(pem))
        connection.ehlo()
        assert connection.docmd("DATA")[0] == 503
    assert entrance.kept == []


def test_commands_injected_before_tls_are_ignored(entrance: AcceptingEntrance, place: ListenAddress) -> None:
    """An attacker on the way adds commands to the last unencrypted packet."""
    with socket.create_connection((place.host, place.port), timeout=TIMEOUT) as plain:
        heard = plain.makefile("rb")
        plain.sendall(b"EHLO h\r\n")
        while not heard.readline().startswith(b"250 "):
            pass
        plain.sendall(b"STARTTLS\r\nMAIL FROM:<eve@e.example>\r\n")
        assert heard.readline().startswith(b"220 ")
        plain.shutdown(socket.SHUT_WR)
        assert heard.read() == b""


def test_failed_handshakes_are_logged_quietly_and_block_nothing(
    entrance: AcceptingEntrance, place: ListenAddress, pem: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "corr")
    for _ in range(3):
        with client(place) as connection, pytest.raises(ssl.SSLError):
            connection.starttls(context=ssl.create_default_context())
    wait_until(lambda: len(log_records(caplog)) == 3, "all three are logged")

    assert {(each.levelname, each.getMessage()) for each in log_records(caplog)} == {
        ("INFO", "a connection could not start TLS")
    }
    test_an_email_arrives_over_tls_if_its_sender_asks(entrance, place, pem)


def log_records(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [each for each in caplog.records if each.name == "corr.mail.smtp_server"]


def test_a_renewed_certificate_is_used_unless_it_is_half_written(
    place: ListenAddress, pem: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = served_certificate(place)
    assert first in pem.read_text()
    renew(pem)
    second = served_certificate(place)
    assert second in pem.read_text()
    pem.write_text(second)  # its key is still missing
    assert served_certificate(place) == second
    pem.unlink()
    assert served_certificate(place) == second

    assert [each.getMessage() for each in caplog.records if each.levelname == "WARNING"] == [
        "could not load a new certificate; the old one stays in use",
        "could not load a new certificate; the old one stays in use",
    ]


def test_an_unusable_certificate_is_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").touch()
    for name in ("nothing.pem", "empty.pem"):
        with pytest.raises(
            Misconfigured, match="Can't read the certificate that CORR_SMTP_CERT and CORR_SMTP_KEY name"
        ):
            Certificate(tmp_path / name, tmp_path / name)
