"""Checks the servers that corr uses, and its own listeners."""

from __future__ import annotations

import os
import smtplib
import socket
import ssl
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from imaplib import IMAP4
from urllib.parse import urlsplit

from corr import redis_health
from corr.config import Config
from corr.doctor.finding import Finding, well, wrong
from corr.mail.imap import UNMARKED, Mailbox, mailboxes_of, opened
from corr.mail.outward.smarthost import Smarthost, smarthost_of
from corr.mail.smtp_server import ListenAt, LmtpDoor, SmtpDoor, place_of

_SECONDS = 3.0
# If a mailbox holds this many emails, they are not just being fetched.
_MANY = 20
# Offered as a recipient, but never sent an email.
_ANYBODY = "postmaster@example.com"


def findings(config: Config) -> Iterator[Finding]:
    """Check Redis, the mail server, the listeners and the pages.

    If the site fetches its email from mailboxes, they are checked in place of the SMTP listener.
    """
    yield _broker(config.redis_url)
    yield (
        _spool(config.post_url)
        if config.post_url.startswith("spool:")
        else _post(config.post_url, config.domain)
    )
    if config.imap_url:
        yield from map(_mailbox, mailboxes_of(config.imap_url))
    else:
        yield _listener(place_of(config.smtp_listen, SmtpDoor))
    if config.lmtp_listen:
        yield _listener(place_of(config.lmtp_listen, LmtpDoor))
    yield _pages(config.web_listen)


def _broker(url: str | None) -> Finding:
    if url is None:
        return wrong(
            "broker",
            "CORR_REDIS_URL isn't set, but the Procfile's processes need it.",
            "Set it, for example CORR_REDIS_URL=redis://127.0.0.1:6379/0",
        )
    trouble = redis_health.trouble(url)
    if not trouble:
        return well("broker", "Redis answers, and never evicts keys")
    if "policy" in trouble:
        return wrong("broker", trouble, "Set maxmemory-policy noeviction in redis.conf.")
    return wrong("broker", trouble, "Start it, or set CORR_REDIS_URL to its address. Until then emails wait.")


def _spool(url: str) -> Finding:
    folder = urlsplit(url).path
    if os.access(folder, os.W_OK):
        return well("post", f"emails go into the folder {folder}")
    return wrong("post", f"Can't write to {folder}.", "Create it, and let this user write there.")


def _post(url: str, domain: str) -> Finding:
    smarthost = smarthost_of(url)
    try:
        with smarthost.connect(_SECONDS) as server:
            server.mail(f"umpire@{domain}")
            code, words = server.rcpt(_ANYBODY)
    except (OSError, smtplib.SMTPException) as error:
        return wrong("post", *_no_way_to(smarthost, error))
    if code in (250, 251):
        return well("post", f"{smarthost} accepts email for any address")
    return wrong(
        "post",
        f"{smarthost} doesn't accept email for a stranger: {_said(code, words)}.",
        "Let it relay for this machine.",
    )


def _no_way_to(smarthost: Smarthost, error: Exception) -> tuple[str, str]:
    """Return the problem, and the advice."""
    match error:
        case smtplib.SMTPAuthenticationError():
            said = _said(error.smtp_code, error.smtp_error)
            return (
                f"{smarthost} refuses to sign in {smarthost.user}: {said}.",
                ("Check the name and the password in CORR_SMTP_URL. Write @ and / in them as %40 and %2F."),
            )
        case ssl.SSLCertVerificationError():
            return (
                f"{smarthost} has a bad certificate: {error.verify_message.rstrip('.')}.",
                (
                    "Use the name from its certificate in CORR_SMTP_URL, or make this machine "
                    "trust the issuer."
                ),
            )
        case smtplib.SMTPNotSupportedError():
            return (
                f"{smarthost} takes no password: {str(error).rstrip('.')}.",
                "Use its submission port in CORR_SMTP_URL: 587 with smtp://, or 465 with smtps://.",
            )
        case _:
            advice = "Start the mail server, or set CORR_SMTP_URL to its address."
            return f"{smarthost} doesn't answer: {error}.", advice


def _said(code: int, words: bytes | str) -> str:
    return f"{code} {words.decode(errors='replace') if isinstance(words, bytes) else words}"


def _listener(place: ListenAt) -> Finding:
    named = f"{place.host}:{place.port}"
    try:
        with socket.create_connection((place.host, place.port), _SECONDS) as door:
            greeting = door.recv(3)
    except OSError:
        greeting = b""
    if greeting == b"220":
        return well("mail", f"corr accepts email at {named}")
    return wrong("mail", f"Nothing accepts email at {named}.", "Start the Procfile's `mail`: corr listen")


def _mailbox(mailbox: Mailbox) -> Finding:
    named = f"{mailbox.folder} at {mailbox.host}"
    try:
        with opened(mailbox) as client:
            client.select_folder(mailbox.folder, readonly=True)
            waiting = len(client.search(UNMARKED))
    except (OSError, IMAP4.error) as error:
        return wrong("fetch", f"Can't read {named}: {error}.", "Correct CORR_IMAP_URL, or ask your provider.")
    if waiting < _MANY:
        return well("fetch", f"can read {named}")
    return wrong(
        "fetch", f"{waiting} emails are waiting in {named}.", "Start the Procfile's `fetch`: corr fetch"
    )


def _pages(listen: str) -> Finding:
    connection = HTTPConnection(listen, timeout=_SECONDS)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, HTTPException):
        return wrong("web", f"Nothing answers at {listen}.", "Start the Procfile's `web`.")
    finally:
        connection.close()
    if status == 200:
        return well("web", f"the pages at {listen} work")
    return wrong(
        "web", f"The pages at {listen} don't work.", "See the web log, and check the database and Redis."
    )
