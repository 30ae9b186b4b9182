"""Sends emails: over an SMTP connection that stays open, or into a spool directory."""

from __future__ import annotations

import os
import re
import select
import smtplib
import ssl
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from corr.mail.failure_reason import Failure, classify_failure
from corr.words.errors import Misconfigured

_PLAIN_SCHEME, _TLS_SCHEME = "smtp", "smtps"
_RELAY, _SUBMISSION, _TLS_SUBMISSION_PORT = 25, 587, 465


class Connection(smtplib.SMTP):
    """SMTP that doubles the periods at lines' beginnings in a tenth of the time smtplib takes."""

    def data(self, msg: Any) -> tuple[int, bytes]:  # the bytes of an email; smtplib's stub allows more
        self.putcmd("data")
        code, words = self.getreply()
        if code != 354:
            raise smtplib.SMTPDataError(code, words)
        end = b".\r\n" if msg.endswith(b"\r\n") else b"\r\n.\r\n"
        self.send((b"\n" + msg).replace(b"\n.", b"\n..")[1:] + end)
        return self.getreply()


class _SealedConnection(Connection, smtplib.SMTP_SSL):
    """A connection that uses TLS from the first byte."""


@dataclass(frozen=True, slots=True)
class Smarthost:
    """The server that relays our emails, with the user and password there, if any."""

    host: str
    port: int
    scheme: str = _PLAIN_SCHEME
    user: str = ""
    password: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"

    def connect(self, timeout: float) -> Connection:
        """Open a connection that accepts emails; raise OSError or SMTPException on failure.

        A password leaves this machine only over TLS, and only to a server with a valid certificate. With `smtp` and
        no password, we use TLS if the server offers it, check no certificate, and go on without TLS if it fails, as
        mail servers do among themselves.
        """
        try:
            return self._connected(timeout, seals=True)
        except ssl.SSLError:
            if self._is_strict:
                raise
            return self._connected(timeout, seals=False)

    @property
    def _is_strict(self) -> bool:
        """Whether to send nothing without TLS and a valid certificate."""
        return self.scheme == _TLS_SCHEME or bool(self.user and not _is_here(self.host))

    def _connected(self, timeout: float, *, seals: bool) -> Connection:
        """Connect and sign in; `seals` says whether to use TLS where it is only offered."""
        context = ssl.create_default_context() if self._is_strict else _unquestioning()
        connection = (
            _SealedConnection(self.host, self.port, timeout=timeout, context=context)
            if self.scheme == _TLS_SCHEME
            else Connection(self.host, self.port, timeout=timeout)
        )
        try:
            connection.ehlo_or_helo_if_needed()
            is_offered = seals and connection.has_extn("starttls")
            if self.scheme == _PLAIN_SCHEME and (self._is_strict or is_offered):
                connection.starttls(context=context)
                connection.ehlo_or_helo_if_needed()
            if self.user:
                connection.login(self.user, self.password)
        except (OSError, smtplib.SMTPException):
            connection.close()
            raise
        return connection


def parse_smarthost(url: str) -> Smarthost:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _bad_url_error(url) from None
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    is_whole = parts.scheme in (_PLAIN_SCHEME, _TLS_SCHEME) and not (
        parts.path.strip("/") or parts.query or parts.fragment
    )
    if not (is_whole and host) or bool(user) != bool(password) or not (user + password).isascii():
        raise _bad_url_error(url)
    usual = _TLS_SUBMISSION_PORT if parts.scheme == _TLS_SCHEME else _SUBMISSION if user else _RELAY
    return Smarthost(host, port or usual, parts.scheme, user, password)


def _unquestioning() -> ssl.SSLContext:
    """Return TLS settings that check no certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _bad_url_error(url: str) -> Misconfigured:
    """Return the error for a wrong URL, without what may be a password."""
    shown = f"\u2026@{url.rpartition('@')[2]}" if "@" in url else url
    return Misconfigured(
        f"CORR_SMTP_URL is {shown!r}, which isn't the address of a mail server. Write smtp://HOST:PORT, "
        "or spool:/DIRECTORY for files. With a name and a password, write "
        "smtp://NAME:PASSWORD@HOST:587 or smtps://NAME:PASSWORD@HOST:465, with @ and / in "
        "them as %40 and %2F."
    )


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


ALL_DOMAINS = "*"  # stands for all domains: no email can leave, since our mail server refuses our sign-in
# A refusal that says nothing about other emails to this domain: the mailbox is unknown so far, full, or gets too
# much, or we are to send the email again later (greylisting).
_MAILBOX_REFUSAL = re.compile(
    r"4\.(?:1\.1|2\.\d+)\b|.*(?:gr[ae]y.?list|mail ?box|inbox|quota)", re.IGNORECASE | re.DOTALL
)
# How many seconds we keep a connection, to which a mail server still applies its settings of that time.
_IDLE_SECONDS = 60.0


class DeliveryFate(Enum):
    SENT = "sent"
    SPARED = "spared"  # the reader wants none of its kind, or no longer needs it
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Delivery:
    """The fate of an email, and the other server's own words if it refused the email."""

    fate: DeliveryFate
    why: str = ""
    busy: str = ""  # the domain that accepts no emails from anyone for now, or `ALL_DOMAINS`
    until: datetime | None = None  # the time of the next retry, if more than this email determines it
    failure: Failure | None = None  # set if the server refused the mailbox for good


@dataclass(frozen=True, slots=True)
class Envelope:
    sender: str
    recipient: str
    message: bytes

    @property
    def domain(self) -> str:
        """The domain whose mail server finally gets the email."""
        return self.recipient.rpartition("@")[2].lower()


class Mailer(Protocol):
    def send(self, envelope: Envelope) -> Delivery:
        """Send one email, and return what became of it; never raise for the other server's errors."""

    def close(self) -> None:
        """Close any open connection."""


class SmtpMailer:
    """Sends through an SMTP server that relays for us; each thread has its own connection."""

    def __init__(self, smarthost: Smarthost, timeout: float = 30) -> None:
        self._smarthost, self._timeout = smarthost, timeout
        self._mine = threading.local()

    def send(self, envelope: Envelope) -> Delivery:
        try:
            connection = self._connection()
            connection.sendmail(envelope.sender, [envelope.recipient], envelope.message)
        except smtplib.SMTPRecipientsRefused as refusal:
            return self._refused(envelope, *refusal.recipients[envelope.recipient], is_recipients=True)
        except smtplib.SMTPDataError as refusal:
            return self._refused(envelope, refusal.smtp_code, refusal.smtp_error)
        except smtplib.SMTPAuthenticationError as refusal:
            return Delivery(DeliveryFate.LATER, f"SMTPAuthenticationError: {refusal}", ALL_DOMAINS)
        except (smtplib.SMTPException, OSError) as error:  # not this email's fault, whatever the code
            self.close()
            return Delivery(DeliveryFate.LATER, f"{type(error).__name__}: {error}")
        return Delivery(DeliveryFate.SENT)

    def close(self) -> None:
        connection = getattr(self._mine, "connection", None)
        if connection is not None:
            connection.close()
            self._mine.connection = None

    def _connection(self) -> Connection:
        """Return this thread's connection; open a new one if it is old or closed."""
        connection: Connection | None = getattr(self._mine, "connection", None)
        if connection and (time.monotonic() > self._mine.until or _is_closed(connection)):
            self.close()
            connection = None
        if connection is None:
            connection = self._smarthost.connect(self._timeout)
            self._mine.connection, self._mine.until = connection, time.monotonic() + _IDLE_SECONDS
        return connection

    def _refused(
        self, envelope: Envelope, code: int, words: bytes | str, *, is_recipients: bool = False
    ) -> Delivery:
        """Return what becomes of an email that the server refused; if it refused us (5.7), we retry."""
        said = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
        why = f"{code} {said}"
        # After 421 the other side hangs up, and after another refusal its settings may need a repair.
        self.close()
        if 500 <= code < 600 and not said.startswith("5.7."):
            return Delivery(DeliveryFate.NEVER, why, failure=classify_failure(why) if is_recipients else None)
        is_busy = 400 <= code < 500 and not _MAILBOX_REFUSAL.match(said)
        return Delivery(DeliveryFate.LATER, why, envelope.domain if is_busy else "")


def _is_closed(connection: smtplib.SMTP) -> bool:
    """Tell whether the server has closed a connection, or is about to."""
    if connection.sock is None:
        return True
    said, _, _ = select.select([connection.sock], [], [], 0)
    return bool(said)


class SpoolMailer:
    """Writes each email to a file of a directory in one step, for tests and for looking at emails."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def send(self, envelope: Envelope) -> Delivery:
        head = f"X-Envelope-From: {envelope.sender}\r\nX-Envelope-To: {envelope.recipient}\r\n".encode()
        handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(head + envelope.message)
        number = len(list(self._folder.glob("*.eml"))) + 1
        Path(name).rename(self._folder / f"{number:06d}-{Path(name).stem}.eml")
        return Delivery(DeliveryFate.SENT)

    def close(self) -> None:
        pass


def make_mailer(url: str) -> Mailer:
    """Return the mailer that CORR_SMTP_URL names: a server, or a folder for files."""
    if url.startswith("spool:/"):
        return SpoolMailer(Path(urlsplit(url).path))
    return SmtpMailer(parse_smarthost(url))
