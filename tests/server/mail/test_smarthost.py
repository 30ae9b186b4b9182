"""The way to the mail server that takes our letters: sealed where it can be, and where a password goes, always."""

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
from tests.support.smarthost import AFAR, LOGIN, NAME, PASSWORD, broken_seal, seal_of, smarthost
from tests.support.table import ANN

LETTER = Envelope("umpire@play.example", ANN, b"Subject: x\r\n\r\nx\r\n")


def sent(url: str) -> Delivery:
    """What becomes of a letter by such a setting."""
    post = make_mailer(url)
    assert isinstance(post, SmtpMailer)
    delivery = post.send(LETTER)
    post.close()
    return delivery


@pytest.fixture
def seal(tmp_path: Path) -> ssl.SSLContext:
    """The seal of a server that nobody trusts, unless told to."""
    return seal_of(tmp_path)


@pytest.fixture
def trusted(seal: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The same, trusted by this machine."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "host.pem"))
    return seal


@pytest.mark.parametrize("host", [HOST, AFAR])
def test_without_a_password_the_seal_that_is_offered_is_taken_whosever_it_is(
    seal: ssl.SSLContext, host: str
) -> None:
    with smarthost(seal) as heard:
        assert sent(f"smtp://{host}:{heard.port}").fate is DeliveryFate.SENT

    assert (heard.letters, heard.sealed) == ([LETTER.message], [True])


def test_a_seal_that_fails_is_done_without(seal: ssl.SSLContext) -> None:
    with smarthost(broken_seal()) as heard:
        assert sent(f"smtp://{HOST}:{heard.port}").fate is DeliveryFate.SENT

    assert (heard.letters, heard.sealed) == ([LETTER.message], [False])


@pytest.mark.parametrize(("scheme", "at_once"), [("smtp", False), ("smtps", True)])
def test_a_password_goes_sealed_to_a_server_whose_certificate_is_good(
    trusted: ssl.SSLContext, scheme: str, *, at_once: bool
) -> None:
    with smarthost(trusted, at_once=at_once, asks=True) as heard:
        assert sent(f"{scheme}://{LOGIN}@{AFAR}:{heard.port}").fate is DeliveryFate.SENT

    assert (heard.letters, heard.sealed) == ([LETTER.message], [True])
    assert heard.knocked == [(NAME, PASSWORD)]


@pytest.mark.parametrize(("scheme", "at_once"), [("smtp", False), ("smtps", True)])
def test_a_password_goes_to_nobody_else_and_the_letter_waits(
    seal: ssl.SSLContext, scheme: str, *, at_once: bool
) -> None:
    with smarthost(seal, at_once=at_once, asks=True) as heard:
        delivery = sent(f"{scheme}://{LOGIN}@{AFAR}:{heard.port}")

    assert delivery.fate is DeliveryFate.LATER
    assert delivery.why.startswith("SSLCertVerificationError")
    assert heard.knocked == heard.letters == []


def test_nor_does_it_go_by_a_way_that_is_not_sealed() -> None:
    with smarthost(None, asks=True) as heard:
        delivery = sent(f"smtp://{LOGIN}@{AFAR}:{heard.port}")

    assert delivery == Delivery(
        DeliveryFate.LATER, "SMTPNotSupportedError: STARTTLS extension not supported by server."
    )
    assert heard.knocked == heard.letters == []


def test_within_this_machine_a_password_may_go_as_it_is() -> None:
    with smarthost(None, asks=True) as heard:
        assert sent(f"smtp://{LOGIN}@{HOST}:{heard.port}").fate is DeliveryFate.SENT

    assert heard.knocked == [(NAME, PASSWORD)]


def test_with_a_wrong_password_all_letters_wait_and_no_word_tells_it(trusted: ssl.SSLContext) -> None:
    with smarthost(trusted, asks=True) as heard:
        delivery = sent(f"smtp://corr:hunter2@{AFAR}:{heard.port}")

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
def test_a_setting_names_a_server_and_who_we_are_there(url: str, found: Smarthost) -> None:
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
def test_one_that_cannot_be_meant_is_refused_without_a_word_of_the_password(url: str) -> None:
    with pytest.raises(Misconfigured, match=r"CORR_SMTP_URL is .*Write smtp://HOST:PORT") as refused:
        make_mailer(url)

    assert "hunter2" not in str(refused.value)
    assert "hunter2" not in repr(Config("sqlite://", "play.example", url))
