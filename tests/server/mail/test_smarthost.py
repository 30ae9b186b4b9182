"""Connections to our mail server (smarthost): TLS where possible, and always before a password."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from corr.config import Config
from corr.mail.outward.transport import (
    ALL_DOMAINS,
    Delivery,
    DeliveryFate,
    Envelope,
    Smarthost,
    SmtpMailer,
    make_mailer,
    parse_smarthost,
)
from corr.words.errors import Misconfigured
from tests.support.database_servers import HOST
from tests.support.smarthost import (
    LOGIN,
    NAME,
    PASSWORD,
    REMOTE_NAME,
    broken_tls_context,
    smarthost,
    tls_context,
)
from tests.support.table import ANN

EMAIL = Envelope("umpire@play.example", ANN, b"Subject: x\r\n\r\nx\r\n")


def send_through(url: str) -> Delivery:
    """What happens to an email under this setting."""
    mailer = make_mailer(url)
    assert isinstance(mailer, SmtpMailer)
    delivery = mailer.send(EMAIL)
    mailer.close()
    return delivery


@pytest.fixture
def certificate(tmp_path: Path) -> ssl.SSLContext:
    """A certificate that this machine doesn't trust."""
    return tls_context(tmp_path)


@pytest.fixture
def trusted(certificate: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The same certificate, trusted by this machine."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "host.pem"))
    return certificate


@pytest.mark.parametrize("host", [HOST, REMOTE_NAME])
def test_without_a_password_any_certificate_will_do(certificate: ssl.SSLContext, host: str) -> None:
    with smarthost(certificate) as server:
        assert send_through(f"smtp://{host}:{server.port}").fate is DeliveryFate.SENT

    assert (server.emails, server.encrypted) == ([EMAIL.message], [True])


def test_we_send_in_the_clear_if_tls_fails(certificate: ssl.SSLContext) -> None:
    with smarthost(broken_tls_context()) as server:
        assert send_through(f"smtp://{HOST}:{server.port}").fate is DeliveryFate.SENT

    assert (server.emails, server.encrypted) == ([EMAIL.message], [False])


@pytest.mark.parametrize(("scheme", "at_once"), [("smtp", False), ("smtps", True)])
def test_a_password_goes_over_tls_to_a_server_with_a_good_certificate(
    trusted: ssl.SSLContext, scheme: str, *, at_once: bool
) -> None:
    with smarthost(trusted, at_once=at_once, asks=True) as server:
        assert send_through(f"{scheme}://{LOGIN}@{REMOTE_NAME}:{server.port}").fate is DeliveryFate.SENT

    assert (server.emails, server.encrypted) == ([EMAIL.message], [True])
    assert server.logins == [(NAME, PASSWORD)]


@pytest.mark.parametrize(("scheme", "at_once"), [("smtp", False), ("smtps", True)])
def test_no_password_goes_to_an_untrusted_server_and_the_email_waits(
    certificate: ssl.SSLContext, scheme: str, *, at_once: bool
) -> None:
    with smarthost(certificate, at_once=at_once, asks=True) as server:
        delivery = send_through(f"{scheme}://{LOGIN}@{REMOTE_NAME}:{server.port}")

    assert delivery.fate is DeliveryFate.LATER
    assert delivery.why.startswith("SSLCertVerificationError")
    assert server.logins == server.emails == []


def test_no_password_goes_without_tls() -> None:
    with smarthost(None, asks=True) as server:
        delivery = send_through(f"smtp://{LOGIN}@{REMOTE_NAME}:{server.port}")

    assert delivery == Delivery(
        DeliveryFate.LATER, "SMTPNotSupportedError: STARTTLS extension not supported by server."
    )
    assert server.logins == server.emails == []


def test_on_this_machine_a_password_may_go_without_tls() -> None:
    with smarthost(None, asks=True) as server:
        assert send_through(f"smtp://{LOGIN}@{HOST}:{server.port}").fate is DeliveryFate.SENT

    assert server.logins == [(NAME, PASSWORD)]


def test_after_a_wrong_password_all_emails_wait_and_the_password_is_not_logged(
    trusted: ssl.SSLContext,
) -> None:
    with smarthost(trusted, asks=True) as server:
        delivery = send_through(f"smtp://corr:hunter2@{REMOTE_NAME}:{server.port}")

    assert (delivery.fate, delivery.busy) == (DeliveryFate.LATER, ALL_DOMAINS)
    assert delivery.why.startswith("SMTPAuthenticationError: (535, ")
    assert "hunter2" not in delivery.why


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("smtp://mx.example", Smarthost("mx.example", 25)),
        ("smtp://[::1]:2525/", Smarthost("::1", 2525)),
        ("smtps://mx.example", Smarthost("mx.example", 465, "smtps")),
        ("smtp://a:b@mx.example", Smarthost("mx.example", 587, "smtp", "a", "b")),
        (f"smtps://{LOGIN}@mx.example:2465", Smarthost("mx.example", 2465, "smtps", NAME, PASSWORD)),
    ],
)
def test_a_setting_names_the_server_and_our_login(url: str, found: Smarthost) -> None:
    assert parse_smarthost(url) == found
    assert PASSWORD not in f"{found!r} {found}"


@pytest.mark.parametrize(
    "url",
    [
        "imap://mx.example",
        "mx.example:25",
        "smtp://",
        "smtp://hunter2@mx.example",
        "smtp://corr:hunter2@mx.example:port",
        "smtps://corr:hun/ter2@mx.example",
        "smtps://corr:hunter2#@mx.example",
        "smtps://corr:hunter2\u00e9@mx.example",
        "smtps://[corr:hunter2@mx.example",
    ],
)
def test_a_bad_setting_is_refused_without_showing_the_password(url: str) -> None:
    with pytest.raises(Misconfigured, match=r"CORR_SMTP_URL is .*Write smtp://HOST:PORT") as refused:
        make_mailer(url)

    assert "hunter2" not in str(refused.value)
    assert "hunter2" not in repr(Config("sqlite://", "play.example", url))
