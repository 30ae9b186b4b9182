"""Checks Redis, the mail server, incoming mail and the website; not the database."""

from __future__ import annotations

import os
import smtplib
import socket
import ssl
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from imaplib import IMAP4
from urllib.parse import urlsplit

from corr.config import Config
from corr.doctor.finding import Finding, report_ok, report_problem
from corr.mail.imap import UNMARKED, Mailbox, open_mailbox, parse_mailboxes
from corr.mail.outward.transport import Smarthost, parse_smarthost
from corr.mail.smtp_server import ListenAddress, LmtpProtocol, SmtpProtocol, parse_listen_address
from corr.processes import find_redis_problem

_SECONDS = 3.0
_MANY_WAITING = 20  # if a mailbox holds this many emails, they are not just being fetched
_TEST_RECIPIENT = "postmaster@example.com"  # offered as a recipient, but never sent an email


def findings(config: Config) -> Iterator[Finding]:
    """Check Redis, the mail server, our listeners or mailboxes for incoming email, and the pages."""
    yield _broker(config.redis_url)
    if config.post_url.startswith("spool:"):
        yield _spool(config.post_url)
    else:
        yield _post(config.post_url, config.domain)
    if config.imap_url:
        yield from map(_mailbox, parse_mailboxes(config.imap_url))
    else:
        yield _listener(parse_listen_address(config.smtp_listen, SmtpProtocol))
    if config.lmtp_listen:
        yield _listener(parse_listen_address(config.lmtp_listen, LmtpProtocol))
    yield _pages(config.web_listen)


def _broker(url: str | None) -> Finding:
    """Report whether Redis answers and never drops what it stores."""
    if url is None:
        says = "CORR_REDIS_URL isn't set, but the Procfile's processes need it."
        return report_problem("broker", says, "Set it, for example CORR_REDIS_URL=redis://127.0.0.1:6379/0")
    trouble = find_redis_problem(url)
    if not trouble:
        return report_ok("broker", "Redis answers, and never evicts keys")
    if "policy" in trouble:
        return report_problem("broker", trouble, "Set maxmemory-policy noeviction in redis.conf.")
    advice = "Start it, or set CORR_REDIS_URL to its address. Until then emails wait."
    return report_problem("broker", trouble, advice)


def _spool(url: str) -> Finding:
    """Report whether we can write to the folder for outgoing emails."""
    folder = urlsplit(url).path
    if os.access(folder, os.W_OK):
        return report_ok("post", f"emails go into the folder {folder}")
    return report_problem("post", f"Can't write to {folder}.", "Create it, and let this user write there.")


def _post(url: str, domain: str) -> Finding:
    """Report whether the mail server accepts our emails to any address."""
    smarthost = parse_smarthost(url)
    try:
        with smarthost.connect(_SECONDS) as server:
            server.mail(f"umpire@{domain}")
            code, words = server.rcpt(_TEST_RECIPIENT)
    except (OSError, smtplib.SMTPException) as error:
        return _no_way_to(smarthost, error)
    if code in (250, 251):
        return report_ok("post", f"{smarthost} accepts email for any address")
    says = f"{smarthost} refuses email to other domains: {_format_answer(code, words)}."
    return report_problem("post", says, "Let it relay for this machine.")


def _no_way_to(smarthost: Smarthost, error: Exception) -> Finding:
    """Explain why we could not connect to the mail server."""
    match error:
        case smtplib.SMTPAuthenticationError():
            said = f"refuses to sign in {smarthost.user}: {_format_answer(error.smtp_code, error.smtp_error)}"
            advice = "Check the name and the password in CORR_SMTP_URL. Write @ and / in them as %40 and %2F."
        case ssl.SSLCertVerificationError():
            said = f"has a bad certificate: {error.verify_message.rstrip('.')}"
            advice = (
                "Use the name from its certificate in CORR_SMTP_URL, or make this machine trust the issuer."
            )
        case smtplib.SMTPNotSupportedError():
            said = f"takes no password: {str(error).rstrip('.')}"
            advice = "Use its submission port in CORR_SMTP_URL: 587 with smtp://, or 465 with smtps://."
        case _:
            said = f"doesn't answer: {error}"
            advice = "Start the mail server, or set CORR_SMTP_URL to its address."
    return report_problem("post", f"{smarthost} {said}.", advice)


def _format_answer(code: int, words: bytes | str) -> str:
    return f"{code} {words.decode(errors='replace') if isinstance(words, bytes) else words}"


def _listener(place: ListenAddress) -> Finding:
    """Report whether corr itself accepts email at this address."""
    named = f"{place.host}:{place.port}"
    try:
        with socket.create_connection((place.host, place.port), _SECONDS) as connection:
            greeting = connection.recv(3)
    except OSError:
        greeting = b""
    if greeting == b"220":
        return report_ok("mail", f"corr accepts email at {named}")
    says = f"Nothing accepts email at {named}."
    return report_problem("mail", says, "Start the Procfile's `mail`: corr listen")


def _mailbox(mailbox: Mailbox) -> Finding:
    """Report whether we can read an IMAP mailbox, and whether anything empties it."""
    named = f"{mailbox.folder} at {mailbox.host}"
    try:
        with open_mailbox(mailbox) as client:
            client.select_folder(mailbox.folder, readonly=True)
            waiting = len(client.search(UNMARKED))
    except (OSError, IMAP4.error) as error:
        says = f"Can't read {named}: {error}."
        return report_problem("fetch", says, "Correct CORR_IMAP_URL, or ask your provider.")
    if waiting < _MANY_WAITING:
        return report_ok("fetch", f"can read {named}")
    says = f"{waiting} emails are waiting in {named}."
    return report_problem("fetch", says, "Start the Procfile's `fetch`: corr fetch")


def _pages(listen: str) -> Finding:
    """Report whether the website answers and is healthy."""
    connection = HTTPConnection(listen, timeout=_SECONDS)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, HTTPException):
        return report_problem("web", f"Nothing answers at {listen}.", "Start the Procfile's `web`.")
    finally:
        connection.close()
    if status == 200:
        return report_ok("web", f"the pages at {listen} work")
    says = f"The pages at {listen} don't work."
    return report_problem("web", says, "See the web log, and check the database and Redis.")
