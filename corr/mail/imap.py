"""Fetches emails from an IMAP mailbox, as often as `corr/limits.py` says; stores each here before deleting it there.

An email that we have stored but not deleted comes again after a failure, and has no effect.
"""

from __future__ import annotations

import logging
import select
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from imaplib import IMAP4
from time import monotonic
from urllib.parse import unquote, urlsplit

from imapclient import IMAPClient
from imapclient.imapclient import DELETED, FLAGGED

from corr import limits
from corr.mail.connection_limits import is_own_machine
from corr.words.errors import Misconfigured

log = logging.getLogger(__name__)

#: Stores an email that the mailbox received at a given moment; returns how many of its recipients are ours.
Take = Callable[[bytes, datetime], int]

UNMARKED = ("UNFLAGGED", "UNDELETED")  # the search for emails that nobody has flagged or deleted

_TIMEOUT = 30
_TICK = 0.25
_MOST_SIZES = 200  # the most emails for which we ask sizes at once
_FAULTS = 2  # after this many failures we try an email only after all others
# Seconds until the next retry after a failure; each pause is twice as long as the one before, up to the longest.
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 300.0
_URL_ADVICE = "Write imaps://USER:PASSWORD@HOST/FOLDER, with %40 for an @ in it"
_SIZE, _RECEIVED, _LETTER = b"RFC822.SIZE", b"INTERNALDATE", b"BODY[]"


@dataclass(frozen=True, slots=True)
class Mailbox:
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str
    is_tls: bool  # from the first byte on

    @property
    def is_near(self) -> bool:
        """Whether the server is this machine, so that the connection needs no TLS."""
        return self.host == "localhost" or is_own_machine(self.host)


@contextmanager
def open_mailbox(mailbox: Mailbox) -> Iterator[IMAPClient]:
    """Open a signed-in connection to the mailbox; raise OSError or IMAP4.error on failure."""
    with IMAPClient(mailbox.host, mailbox.port, ssl=mailbox.is_tls, timeout=_TIMEOUT) as client:
        if not (mailbox.is_tls or mailbox.is_near):
            client.starttls()
        client.login(mailbox.user, mailbox.password)
        client.normalise_times = False  # keep the time zone of each date
        yield client


class Fetcher:
    def __init__(self, mailbox: Mailbox, take: Take, stop: threading.Event) -> None:
        self._mailbox, self._take, self._stop = mailbox, take, stop
        self._pause, self._trouble = _FIRST_PAUSE, "not yet"
        self._faults: Counter[int] = Counter()

    def run(self) -> None:
        """Fetch emails until `stop` is set; after failures, retry after growing pauses."""
        while not self._stop.is_set():
            try:
                with open_mailbox(self._mailbox) as client:
                    while not self._stop.is_set():
                        self._empty(client)
                        self._log_recovery()
                        self._rest(client)
            except Exception as error:  # noqa: BLE001  # whatever it is, the emails wait there and come later
                self._log_failure(error)
                self._stop.wait(self._pause)
                self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def _empty(self, client: IMAPClient) -> None:
        """Fetch all new emails; delete our players' from the mailbox, and flag the others."""
        client.select_folder(self._mailbox.folder)
        found = sorted(client.search(UNMARKED), key=lambda uid: self._faults[uid] >= _FAULTS)
        for first in range(0, len(found), _MOST_SIZES):
            known = client.fetch(found[first : first + _MOST_SIZES], [_SIZE, _RECEIVED])
            for uid in found[first : first + _MOST_SIZES]:
                if self._stop.is_set():
                    return
                if uid in known:  # nobody else has deleted it in the meantime
                    self._fetch(client, uid, known[uid][_SIZE], known[uid][_RECEIVED])
        if found:
            client.expunge()
        self._faults.clear()

    def _fetch(self, client: IMAPClient, uid: int, size: int, came_at: datetime) -> None:
        """Store one email, then delete it from the mailbox; flag it if it is not ours."""
        if size > limits.LETTER_BYTES:
            log.warning("an email in a mailbox is too big", extra={"bytes": size, **self._named})
            client.add_flags(uid, FLAGGED, silent=True)
            return
        self._faults[uid] += 1
        raw = client.fetch(uid, ["BODY.PEEK[]"]).get(uid, {}).get(_LETTER)
        if raw:
            client.add_flags(uid, DELETED if self._take(raw, came_at) else FLAGGED, silent=True)
            self._pause = _FIRST_PAUSE

    def _rest(self, client: IMAPClient) -> None:
        """Wait for new emails, until the server reports some or half a minute is over."""
        if not client.has_capability("IDLE"):
            self._stop.wait(limits.MAILBOX_SECONDS)
            return
        client.idle()
        until = monotonic() + limits.MAILBOX_SECONDS
        while monotonic() < until and not self._stop.is_set():
            says_something, _, _ = select.select([client.socket()], [], [], _TICK)
            if says_something:
                break
        client.idle_done()

    @property
    def _named(self) -> dict[str, str]:
        return {"host": self._mailbox.host, "folder": self._mailbox.folder}

    def _log_recovery(self) -> None:
        self._pause = _FIRST_PAUSE
        if self._trouble:
            log.info("accepting email", extra=self._named)
        self._trouble = ""

    def _log_failure(self, error: Exception) -> None:
        """Log a failure, unless the last one was of the same kind."""
        trouble = type(error).__name__
        if trouble == self._trouble:
            return
        self._trouble = trouble
        is_far = isinstance(error, OSError | IMAP4.error)
        log.warning(
            "could not empty a mailbox; will try again",
            exc_info=None if is_far else error,
            extra={"why": (is_far and str(error)) or trouble, **self._named},
        )


def parse_mailboxes(text: str) -> list[Mailbox]:
    """Parse CORR_IMAP_URL, which holds URLs of mailboxes with blanks between."""
    return [_mailbox(each) for each in text.split()]


def _mailbox(text: str) -> Mailbox:
    """Parse one URL of CORR_IMAP_URL; raise Misconfigured without showing the password."""
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        raise Misconfigured(
            f"Can't read CORR_IMAP_URL. {_URL_ADVICE}"
        ) from None  # the cause would reveal the password
    if url.scheme not in ("imap", "imaps") or not (url.hostname and url.username and url.password):
        raise Misconfigured(f"CORR_IMAP_URL has no mailbox, or no name and password. {_URL_ADVICE}")
    user, password = unquote(url.username), unquote(url.password)
    if not (user + password).isascii():
        raise Misconfigured(
            "The name or password in CORR_IMAP_URL has non-ASCII characters, which IMAP "
            "doesn't accept. Use ASCII only."
        )
    is_tls = url.scheme == "imaps"
    folder = unquote(url.path[1:]) or "INBOX"
    return Mailbox(url.hostname, port or (993 if is_tls else 143), user, password, folder, is_tls)
