"""Letters out: over SMTP on a connection that is kept, or into a spool directory."""

from __future__ import annotations

import os
import select
import smtplib
import tempfile
import threading
import time
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from corr.words.errors import Misconfigured

# A mail server that was given new settings serves the old ones on an old connection.
_KEPT = 60.0


class Fate(Enum):
    """What became of a letter."""

    SENT = "sent"
    SPARED = "spared"  # its reader wants none of its kind
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Delivery:
    """The fate of a letter, and the other server's own words where it did not take it."""

    fate: Fate
    why: str = ""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A letter's bytes, with the addresses that the post goes by."""

    sender: str
    recipient: str
    message: bytes


class Post(Protocol):
    """Whoever takes letters away."""

    def send(self, envelope: Envelope) -> Delivery:
        """Hand over one letter. Never raises for anything the other server does."""

    def close(self) -> None:
        """Let go of what is held open."""


class _Connection(smtplib.SMTP):
    """SMTP that doubles the periods at lines' beginnings by a plain search, a tenth of what smtplib takes."""

    def data(self, msg: Any) -> tuple[int, bytes]:  # the bytes of a letter; smtplib's stub allows more
        self.putcmd("data")
        code, words = self.getreply()
        if code != 354:
            raise smtplib.SMTPDataError(code, words)
        end = b".\r\n" if msg.endswith(b"\r\n") else b"\r\n.\r\n"
        self.send((b"\n" + msg).replace(b"\n.", b"\n..")[1:] + end)
        return self.getreply()


class SmtpPost:
    """An SMTP server that relays for us; each thread keeps a connection of its own."""

    def __init__(self, host: str, port: int, timeout: float = 30) -> None:
        self._host, self._port, self._timeout = host, port, timeout
        self._mine = threading.local()

    def send(self, envelope: Envelope) -> Delivery:
        try:
            connection = self._connection()
            connection.sendmail(envelope.sender, [envelope.recipient], envelope.message)
        except smtplib.SMTPRecipientsRefused as refusal:
            return self._refused(*refusal.recipients[envelope.recipient])
        except smtplib.SMTPDataError as refusal:
            return self._refused(refusal.smtp_code, refusal.smtp_error)
        except (smtplib.SMTPException, OSError) as error:  # not this letter's fault, whatever the code
            self.close()
            return Delivery(Fate.LATER, f"{type(error).__name__}: {error}")
        return Delivery(Fate.SENT)

    def close(self) -> None:
        connection = getattr(self._mine, "connection", None)
        if connection is not None:
            connection.close()
            self._mine.connection = None

    def _connection(self) -> _Connection:
        connection: _Connection | None = getattr(self._mine, "connection", None)
        if connection and (time.monotonic() > self._mine.until or _has_hung_up(connection)):
            self.close()
            connection = None
        if connection is None:
            connection = _Connection(self._host, self._port, timeout=self._timeout)
            self._mine.connection, self._mine.until = connection, time.monotonic() + _KEPT
        return connection

    def _refused(self, code: int, words: bytes | str) -> Delivery:
        said = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
        # After 421 the other side hangs up, and after another refusal its settings may have to be mended.
        self.close()
        return Delivery(Fate.NEVER if _is_for_good(code, said) else Fate.LATER, f"{code} {said}")


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
    parts = urlsplit(url)
    match parts.scheme:
        case "smtp" if parts.hostname:
            return SmtpPost(parts.hostname, parts.port or 25)
        case "spool" if parts.path:
            return SpoolPost(Path(parts.path))
        case _:
            raise Misconfigured(
                f"CORR_SMTP_URL is {url!r}: write smtp://HOST:PORT, or spool:/DIRECTORY for files"
            )
