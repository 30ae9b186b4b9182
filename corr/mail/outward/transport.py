"""Letters out: over SMTP on a connection that is kept, or into a spool directory."""

from __future__ import annotations

import os
import re
import select
import smtplib
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from corr.mail.failure_codes import Failure, failure
from corr.mail.outward.smarthost import Connection, Smarthost, smarthost_of

#: In place of a domain: no letter goes anywhere, since we are not let in where they are handed over.
EVERYWHERE = "*"
# A refusal of this mailbox and of no other at its domain, which is unknown so far, full, or gets too much; or of this
# letter alone, which is asked to come once more (greylisting), as each other would be.
_OF_ONE_MAILBOX = re.compile(r"4\.(?:1\.1|2\.\d+)\b|.*gr[ae]y.?list", re.IGNORECASE | re.DOTALL)
# A mail server that was given new settings serves the old ones on an old connection.
_KEPT = 60.0


class Fate(Enum):
    """What became of a letter."""

    SENT = "sent"
    SPARED = "spared"  # its reader wants none of its kind, or needs it no more
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Delivery:
    """The fate of a letter, and the other server's own words where it did not take it."""

    fate: Fate
    why: str = ""
    busy: str = ""  # the domain that takes no letters for now, whosever they are; or everywhere
    until: datetime | None = None  # when it is tried again, where that is told by more than this letter
    failure: Failure | None = None  # where the mailbox was refused for good


@dataclass(frozen=True, slots=True)
class Envelope:
    """A letter's bytes, with the addresses that the post goes by."""

    sender: str
    recipient: str
    message: bytes

    @property
    def domain(self) -> str:
        """Whose mail server gets it in the end."""
        return self.recipient.rpartition("@")[2].lower()


class Post(Protocol):
    """Whoever takes letters away."""

    def send(self, envelope: Envelope) -> Delivery:
        """Hand over one letter. Never raises for anything the other server does."""

    def close(self) -> None:
        """Let go of what is held open."""


class SmtpPost:
    """An SMTP server that relays for us; each thread keeps a connection of its own."""

    def __init__(self, smarthost: Smarthost, timeout: float = 30) -> None:
        self._smarthost, self._timeout = smarthost, timeout
        self._mine = threading.local()

    def send(self, envelope: Envelope) -> Delivery:
        try:
            connection = self._connection()
            connection.sendmail(envelope.sender, [envelope.recipient], envelope.message)
        except smtplib.SMTPRecipientsRefused as refusal:
            return self._refused_there(envelope, *refusal.recipients[envelope.recipient])
        except smtplib.SMTPDataError as refusal:
            return self._refused(envelope, refusal.smtp_code, refusal.smtp_error)
        except smtplib.SMTPAuthenticationError as refusal:
            return Delivery(Fate.LATER, f"SMTPAuthenticationError: {refusal}", EVERYWHERE)
        except (smtplib.SMTPException, OSError) as error:  # not this letter's fault, whatever the code
            self.close()
            return Delivery(Fate.LATER, f"{type(error).__name__}: {error}")
        return Delivery(Fate.SENT)

    def close(self) -> None:
        connection = getattr(self._mine, "connection", None)
        if connection is not None:
            connection.close()
            self._mine.connection = None

    def _connection(self) -> Connection:
        connection: Connection | None = getattr(self._mine, "connection", None)
        if connection and (time.monotonic() > self._mine.until or _has_hung_up(connection)):
            self.close()
            connection = None
        if connection is None:
            connection = self._smarthost.connect(self._timeout)
            self._mine.connection, self._mine.until = connection, time.monotonic() + _KEPT
        return connection

    def _refused_there(self, envelope: Envelope, code: int, words: bytes | str) -> Delivery:
        """Not the letter is refused, but whom it goes to."""
        refused = self._refused(envelope, code, words)
        is_for_good = refused.fate is Fate.NEVER
        return replace(refused, failure=failure(refused.why)) if is_for_good else refused

    def _refused(self, envelope: Envelope, code: int, words: bytes | str) -> Delivery:
        said = _text(words)
        # After 421 the other side hangs up, and after another refusal its settings may have to be mended.
        self.close()
        if _is_for_good(code, said):
            return Delivery(Fate.NEVER, f"{code} {said}")
        is_busy = 400 <= code < 500 and not _OF_ONE_MAILBOX.match(said)
        return Delivery(Fate.LATER, f"{code} {said}", envelope.domain if is_busy else "")


def _text(words: bytes | str) -> str:
    return words.decode("utf-8", "replace") if isinstance(words, bytes) else words


def _is_for_good(code: int, said: str) -> bool:
    """A refusal for what we are, not for whom we write to (5.7, as "relay access denied"), can be mended."""
    return 500 <= code < 600 and not said.startswith("5.7.")


def _has_hung_up(connection: smtplib.SMTP) -> bool:
    """True where the other side has closed, or says something that nobody asked for: that it is about to."""
    if connection.sock is None:
        return True
    said, _, _ = select.select([connection.sock], [], [], 0)
    return bool(said)


class SpoolPost:
    """A directory: one file a letter, put there whole. For tests, and for looking at letters."""

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
        return Delivery(Fate.SENT)

    def close(self) -> None:
        pass


def post_of(url: str) -> Post:
    """The post that a setting names."""
    if url.startswith("spool:/"):
        return SpoolPost(Path(urlsplit(url).path))
    return SmtpPost(smarthost_of(url))
