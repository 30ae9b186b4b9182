"""`CORR_IMAP_URL`: how it names mailboxes."""

from __future__ import annotations

import pytest

from corr.mail.imap import Mailbox, parse_mailboxes
from corr.words.errors import Misconfigured


@pytest.mark.parametrize(
    ("url", "mailbox"),
    [
        ("imaps://ann:x@h.example", Mailbox("h.example", 993, "ann", "x", "INBOX", is_tls=True)),
        ("imap://ann:x@[::1]:1143/", Mailbox("::1", 1143, "ann", "x", "INBOX", is_tls=False)),
        (
            "imaps://ann%40a.example:p%3A%2F%20s@h.example:994/In%20coming/corr",
            Mailbox("h.example", 994, "ann@a.example", "p:/ s", "In coming/corr", is_tls=True),
        ),
        (
            "imaps://ann@a.example:x@h.example",
            Mailbox("h.example", 993, "ann@a.example", "x", "INBOX", is_tls=True),
        ),
    ],
)
def test_a_mailbox_is_named_by_a_url(url: str, mailbox: Mailbox) -> None:
    assert parse_mailboxes(url) == [mailbox]
    assert parse_mailboxes(f" {url}\n{url} ") == [mailbox, mailbox]
    assert "password" not in repr(mailbox)


@pytest.mark.parametrize(
    "url",
    [
        "imap.example.org",
        "http://a:secret@h",
        "imaps://h",
        "imaps://a@h/INBOX",
        "imaps://a:secret@h:x",
        "imaps://a:secret@h:99999",
        "imaps://a:secret@/x",
        "imaps://a:secret@[h/x",
    ],
)
def test_an_invalid_url_is_refused_without_showing_its_password(url: str) -> None:
    with pytest.raises(
        Misconfigured, match=r"CORR_IMAP_URL.* Write imaps://USER:PASSWORD@HOST/FOLDER"
    ) as refusal:
        parse_mailboxes(url)
    assert "secret" not in str(refusal.value)


def test_non_ascii_passwords_are_refused() -> None:
    with pytest.raises(Misconfigured, match="non-ASCII characters") as refusal:
        parse_mailboxes("imaps://ann:geheimnisvoll%C3%BC@h.example")
    assert "geheimnis" not in str(refusal.value)


@pytest.mark.parametrize(
    ("host", "is_near"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("192.0.2.1", False),
        ("localhost.example", False),
    ],
)
def test_only_a_local_host_needs_no_tls(host: str, is_near: bool) -> None:  # noqa: FBT001
    assert Mailbox(host, 143, "ann", "x", "INBOX", is_tls=False).is_near == is_near
