"""Runs the demo's mailboxes, which accept emails over SMTP and keep them as files."""

from __future__ import annotations

import os
import re
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.policy import default
from email.utils import parsedate_to_datetime
from functools import lru_cache
from pathlib import Path

DOMAIN = "corr.example"
UMPIRE = f"umpire@{DOMAIN}"
AUTHSERV_ID = "mx.corr.example"  # the name by which the demo's mail server would sign its checks of senders


@dataclass(frozen=True, slots=True)
class Person:
    key: str
    name: str
    address: str

    @property
    def other(self) -> Person:
        """Another person, who can answer this one's emails to show what happens then."""
        return BEN if self is ANN else ANN


ANN = Person("ann", "Ann", "ann@players.example")
BEN = Person("ben", "Ben", "ben@players.example")
CLEO = Person("cleo", "Cleo", "cleo@strangers.example")
OLGA = Person("olga", "Olga", f"olga@{DOMAIN}")
PEOPLE = (ANN, BEN, CLEO, OLGA)
#: Those who played before and whose mailboxes nobody opens.
REGULARS = tuple(
    Person(name.lower(), name, f"{name.lower()}@regulars.example")
    for name in ("Dora", "Emil", "Fay", "Gus", "Hana", "Ivo")
)


def find_person(key: str) -> Person | None:
    return next((person for person in PEOPLE if person.key == key), None)


def lead_home(text: str, reader: Person) -> str:
    """Make links to a game, or to an email's page, open where their reader is signed in. Cleo isn't a player yet."""
    pages = "games" if reader is CLEO else "games|letters"
    return re.sub(rf'(https?://[^/"\s]+)(?=/(?:{pages})/)', rf"\1/{reader.key}", text)


_LINK = re.compile(r"^https?://\S+$", re.MULTILINE)
_CODE = re.compile(r"\(([a-z0-9]+)\)$")


@dataclass(frozen=True, slots=True)
class DemoEmail:
    """An email in a mailbox, received or sent."""

    id: str
    owner: Person
    sent: bool
    raw: bytes
    message: EmailMessage
    text: str

    @property
    def subject(self) -> str:
        return str(self.message["Subject"] or "(no subject)")

    @property
    def date(self) -> datetime:
        written = self.message["Date"]
        return parsedate_to_datetime(str(written)) if written else datetime.fromtimestamp(0, UTC)

    @property
    def when(self) -> str:
        return word_moment(self.date)

    @property
    def message_id(self) -> str:
        return str(self.message["Message-ID"])

    @property
    def game_code(self) -> str:
        """The code of the game that the email is about; empty if there is none."""
        code = _CODE.search(self.subject)
        return code[1] if code else ""

    @property
    def links(self) -> list[str]:
        return [lead_home(each, self.owner) for each in _LINK.findall(self.text)]

    @property
    def html(self) -> str:
        return _part(self.message, "html")

    @property
    def first_line(self) -> str:
        """The line that a mail program shows beside the subject."""
        said = [line.strip() for line in self.text.splitlines() if line.strip()]
        return said[0] if said else ""

    @property
    def game(self) -> bytes | None:
        """The finished game attached to the email."""
        return _content(part for part in self.message.walk() if part.get_filename() == "game.pgn")

    def picture(self, content_id: str) -> bytes | None:
        return _content(part for part in self.message.walk() if part["Content-ID"] == f"<{content_id}>")


def _content(parts: Iterable[Message]) -> bytes | None:
    """Return the bytes of the first of these parts; None without one."""
    payload = next((part.get_payload(decode=True) for part in parts), None)
    return payload if isinstance(payload, bytes) else None


def word_moment(moment: datetime) -> str:
    return f"{moment:%a %-d %b %Y, %H:%M} UTC"


def _part(message: EmailMessage, kind: str) -> str:
    """Return the email's text of this kind, `plain` or `html`; empty if it has none."""
    body = message.get_body((kind,))
    return "" if body is None else str(body.get_content())


class Mailboxes:
    """The mailboxes of all people, in order of arrival."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._news = threading.Condition()
        for person in PEOPLE:
            (folder / person.key).mkdir(parents=True, exist_ok=True)

    def is_known(self, address: str) -> bool:
        """Tell whether an address belongs to one of the demo's people."""
        return any(person.address == address for person in PEOPLE + REGULARS)

    def store_received(self, raw: bytes, recipients: Sequence[str], _sender: str) -> int:
        """Store an email for each person with a page; return how many of the demo's people get it."""
        known = [person for person in PEOPLE if person.address in recipients]
        for person in known:
            self.keep(person, raw, sent=False)
        with self._news:
            self._news.notify_all()
        return sum(self.is_known(address) for address in recipients)

    def keep(self, person: Person, raw: bytes, *, sent: bool) -> None:
        """Store an email in a person's folder, as received or sent, whole or not at all."""
        folder = self._folder / person.key
        handle, name = tempfile.mkstemp(dir=self._folder)
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).rename(folder / f"{time.time_ns()}.{'out' if sent else 'in'}")

    def letters(self, person: Person) -> list[DemoEmail]:
        """Return a person's emails, oldest first."""
        return [_mail(person, path) for path in sorted((self._folder / person.key).iterdir())]

    def letter(self, letter_id: str) -> DemoEmail | None:
        return next(
            (mail for person in PEOPLE for mail in self.letters(person) if mail.id == letter_id), None
        )

    def count(self) -> int:
        """Count the emails that all people have received."""
        return sum(len(list((self._folder / person.key).glob("*.in"))) for person in PEOPLE)

    def wait_for_email(self, seconds: float) -> None:
        """Wait until an email comes, or until the time is over."""
        with self._news:
            self._news.wait(seconds)


@lru_cache(maxsize=10_000)
def _mail(person: Person, path: Path) -> DemoEmail:
    """Read an email's file; caching is safe, since such a file never changes."""
    raw = path.read_bytes()
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return DemoEmail(
        f"{person.key}-{path.stem}", person, path.suffix == ".out", raw, message, _part(message, "plain")
    )
