"""The servers that the house talks to, and its own doors."""

from __future__ import annotations

import os
import smtplib
import socket
import ssl
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from imaplib import IMAP4
from urllib.parse import urlsplit

from corr import broker
from corr.config import Config
from corr.doctor.finding import Finding, well, wrong
from corr.mail.fetch import UNMARKED, Mailbox, mailboxes_of, opened
from corr.mail.listen import ListenAt, LmtpDoor, SmtpDoor, place_of
from corr.mail.outward.smarthost import Smarthost, smarthost_of

_SECONDS = 3.0
# So many letters in a mailbox are more than are just being fetched.
_MANY = 20
# Asked for, and never written to.
_ANYBODY = "postmaster@example.com"


def findings(config: Config) -> Iterator[Finding]:
    """Redis, the mail server, the listeners and the pages; in place of SMTP's the mailboxes, where there are any."""
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
            "CORR_REDIS_URL is not set, and the Procfile's processes need it.",
            "Set it, for example CORR_REDIS_URL=redis://127.0.0.1:6379/0",
        )
    trouble = broker.trouble(url)
    if not trouble:
        return well("broker", "Redis answers, and keeps what it is given")
    if "policy" in trouble:
        return wrong("broker", trouble, "Set maxmemory-policy noeviction in redis.conf.")
    return wrong(
        "broker", trouble, "Start it, or set CORR_REDIS_URL to where it is; until then letters wait."
    )


def _spool(url: str) -> Finding:
    folder = urlsplit(url).path
    if os.access(folder, os.W_OK):
        return well("post", f"letters are put into {folder}")
    return wrong("post", f"{folder} cannot be written.", "Make it, and let this user write there.")


def _post(url: str, domain: str) -> Finding:
    smarthost = smarthost_of(url)
    try:
        with smarthost.connect(_SECONDS) as server:
            server.mail(f"umpire@{domain}")
            code, words = server.rcpt(_ANYBODY)
    except (OSError, smtplib.SMTPException) as error:
        return wrong("post", *_no_way_to(smarthost, error))
    if code in (250, 251):
        return well("post", f"{smarthost} takes letters for anybody")
    return wrong(
        "post",
        f"{smarthost} takes no letter for a stranger: {_said(code, words)}.",
        "Let it relay for this machine.",
    )


def _no_way_to(smarthost: Smarthost, error: Exception) -> tuple[str, str]:
    """What is wrong, and what to do."""
    match error:
        case smtplib.SMTPAuthenticationError():
            said = _said(error.smtp_code, error.smtp_error)
            return (
                f"{smarthost} does not let {smarthost.user} in: {said}.",
                "Look at the name and the password in CORR_SMTP_URL; @ and / in them are written as %40 and %2F.",
            )
        case ssl.SSLCertVerificationError():
            return (
                f"{smarthost} shows a certificate that is not good: {error.verify_message.rstrip('.')}.",
                "Name it in CORR_SMTP_URL as its certificate does, or let this machine trust who has signed that.",
            )
        case smtplib.SMTPNotSupportedError():
            return (
                f"{smarthost} is no place for a password: {str(error).rstrip('.')}.",
                "Try its port for submission, 587 with smtp:// or 465 with smtps://, in CORR_SMTP_URL.",
            )
        case _:
            advice = "Start the mail server, or set CORR_SMTP_URL to where it is."
            return f"{smarthost} does not answer: {error}.", advice


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
        return well("mail", f"letters are taken in at {named}")
    return wrong("mail", f"nobody takes letters in at {named}.", "Start the Procfile's `mail`: corr listen")


def _mailbox(mailbox: Mailbox) -> Finding:
    named = f"{mailbox.folder} at {mailbox.host}"
    try:
        with opened(mailbox) as client:
            client.select_folder(mailbox.folder, readonly=True)
            waiting = len(client.search(UNMARKED))
    except (OSError, IMAP4.error) as error:
        return wrong("fetch", f"{named} cannot be read: {error}.", "Mend CORR_IMAP_URL, or ask the provider.")
    if waiting < _MANY:
        return well("fetch", f"{named} can be read")
    return wrong("fetch", f"{waiting} letters wait in {named}.", "Start the Procfile's `fetch`: corr fetch")


def _pages(listen: str) -> Finding:
    connection = HTTPConnection(listen, timeout=_SECONDS)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, HTTPException):
        return wrong("web", f"there are no pages at {listen}.", "Start the Procfile's `web`.")
    finally:
        connection.close()
    if status == 200:
        return well("web", f"the pages at {listen} are well")
    return wrong(
        "web", f"the pages at {listen} are not well.", "Look at the web's log, at the database and at Redis."
    )
