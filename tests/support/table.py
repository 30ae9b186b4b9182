"""A table for tests: a server with two players' mailboxes, a spool for emails and a clock set by hand."""

from __future__ import annotations

import email
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import default
from functools import cache, cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask
from sqlalchemy import exists, or_, select

from corr.config import Config
from corr.mail.outward.transport import SpoolMailer
from corr.rules.variants import UMPIRES
from corr.service import worker_rounds
from corr.service.answer_timing import AT_ONCE
from corr.service.lobby import game_starts
from corr.service.mail import inbox
from corr.service.mail.arrivals import Arrival
from corr.service.server import Server, build_server
from corr.store import migrate
from corr.store.session import Store
from corr.store.tables import Base
from corr.web import create_app
from corr.words.board import Pair

DOMAIN = "play.example"
AUTHSERV_ID = "mx.play.example"
WEB_URL = "https://play.example"
ANN, BEN = "ann@a.example", "ben@b.example"
#: Two people who have no account yet.
EVE, FAY = "eve@e.example", "fay@f.example"
OLGA = "olga@o.example"  # the operator on the public server
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class _CachedHeaders(HeaderRegistry):
    """Parses each header once: tests ask for the content types of an email's parts again and again."""

    __call__ = lru_cache(4_096)(HeaderRegistry.__call__)


POLICY = default.clone(header_factory=_CachedHeaders())
#: Whether anything has happened on a server: a new one has rows only in `secrets`.
HAS_ROWS = or_(
    *(exists().select_from(each) for each in Base.metadata.sorted_tables if each.name != "secrets")
)
#: For each variant a table with a game that has just begun; `begin` copies it.
NEW_GAMES: dict[str, Table] = {}


@dataclass
class Clock:
    """A clock that stands still until a test advances it."""

    moment: datetime = NOON

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, **span: float) -> None:
        self.moment += timedelta(**span)


@dataclass
class SentEmail:
    """An email that was sent; parsed only when a test reads it."""

    raw: bytes

    @property
    def recipient(self) -> str:
        return self.raw.split(b"\r\n", 2)[1].decode().removeprefix("X-Envelope-To: ")

    @cached_property
    def message(self) -> EmailMessage:
        return parse_message(self.raw)


@dataclass
class Table:
    """A server, its clock, and the emails it has sent."""

    server: Server
    spool: Path
    clock: Clock
    emails_written: int = 0
    _emails: dict[Path, SentEmail] = field(default_factory=dict)

    # ------------------------------------------------------------ actions

    def challenge(
        self, white: str = ANN, black: str = BEN, variant: str = "wild16", clock: str = "3d"
    ) -> str:
        code = game_starts.propose(self.server, Pair(white, black), variant, clock, self.clock())
        self.run_workers()
        return code

    def begin(self, variant: str = "wild16") -> None:
        """Begin a game that both have accepted. On a new table this copies a prepared one, which is fast."""
        if variant in NEW_GAMES and self.is_untouched():
            self.copy_from(NEW_GAMES[variant])
        else:
            self.begin_by_email(variant)

    def begin_with_moves(self) -> None:
        """Begin a game and make two moves each, so that running out of time loses it."""
        self.begin()
        self.play("a2a3", "a7a6", "b2b3", "b7b6")

    def reset_to_new_game(self, variant: str) -> None:
        """Forget everything, and begin a game anew."""
        self.reset_to(NEW_GAMES[variant])

    def reset_to(self, other: Table) -> None:
        """Forget everything, and copy another table."""
        for each in self.spool.glob("*.eml"):
            each.unlink()
        self._emails.clear()
        self.copy_from(other)

    def begin_by_email(self, variant: str = "wild16") -> None:
        """Begin a game through its emails: a challenge, and both answers."""
        self.challenge(variant=variant)
        self.reply(ANN, "accept")
        self.reply(BEN, "accept")

    def deploy(self, set_up: str = "home") -> None:
        """Give both players the same set-up, if the variant has set-ups."""
        for player in (ANN, BEN):
            if "Deploy your pieces by" in self.last_text(player):
                self.reply(player, f"deploy {set_up}")

    def play(self, *moves: str) -> None:
        """Play moves for both sides in turn, White first."""
        for number, move in enumerate(moves):
            self.reply((ANN, BEN)[number % 2], move)

    def reply(self, player: str, text: str, **changes: str) -> None:
        """Reply to the newest email, and run the workers."""
        self.deliver(self.reply_email(player, text, **changes))
        self.run_workers()

    def reply_email(
        self,
        player: str,
        text: str,
        *,
        to: EmailMessage | None = None,
        sender: str = "",
        message_id: str = "",
        headers: str = "",
        at: str = "",
    ) -> bytes:
        """The bytes of a reply to `to`, or else to the player's newest email; `at` replaces its address."""
        answered = to or self.last_email(player)
        self.emails_written += 1
        lines = [
            f"From: {sender or player}",
            f"To: {at or answered['Reply-To']}",
            f"Subject: Re: {answered['Subject']}",
            f"Message-ID: <{message_id or f'reply-{self.emails_written}@mail.example'}>",
            f"In-Reply-To: {answered['Message-ID']}",
            *([headers] if headers else []),
            "",
            text,
            "",
            "On Friday the umpire wrote:",
            *(f"> {line}" for line in text_of(answered).splitlines()),
            "",
        ]
        return "\r\n".join(lines).encode()

    def write_to_site(self, player: str, text: str, *, vouched: bool = True, name: str = "") -> None:
        """Email the site's own address, and run the workers."""
        self.deliver(self.site_email(player, text, vouched=vouched, name=name))
        self.run_workers()

    def site_email(self, player: str, text: str, *, vouched: bool = True, name: str = "") -> bytes:
        """The bytes of an email to the site's own address; if vouched, our mail server has authenticated it."""
        self.emails_written += 1
        domain = player.partition("@")[2]
        verdict = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from={domain}"
        lines = [
            *([verdict] if vouched else []),
            f"From: {name} <{player}>",
            f"To: umpire@{DOMAIN}",
            "Subject: a game",
            f"Message-ID: <letter-{self.emails_written}@mail.example>",
            "",
            text,
            "",
        ]
        return "\r\n".join(lines).encode()

    def deliver(self, raw: bytes, *recipients: str) -> int:
        """Store an incoming email; return how many seats it reached."""
        named = recipients or (str(email.message_from_bytes(raw)["To"]),)
        return inbox.store_email(self.server, Arrival(raw, named, self.clock()))

    def run_workers(self) -> None:
        """Read all emails that wait, and send all that are due."""
        self.read_emails()
        self.send_emails()

    def read_emails(self) -> None:
        while worker_rounds.read_some(self.server, self.clock()):
            pass

    def send_emails(self) -> None:
        while worker_rounds.send_some(self.server, self.clock()):
            pass

    def sweep(self) -> int:
        """Run the sweep: reminders, flags and all else that is due."""
        touched = worker_rounds.sweep(self.server, self.clock())
        self.send_emails()
        return touched

    def app(self, broker_url: str | None = None, operator_token: str | None = None, *operators: str) -> Flask:
        """The website; orders from its pages wait until the test runs the workers."""
        return create_app(self.server, lambda _work: None, broker_url, operator_token, frozenset(operators))

    def app_with_workers(self, *operators: str) -> Flask:
        """The website, with workers that run at each knock."""
        return create_app(self.server, lambda _work: self.run_workers(), operators=frozenset(operators))

    # ------------------------------------------------------------ mailboxes

    def emails_to(self, player: str) -> list[EmailMessage]:
        """All emails sent to a player, oldest first."""
        return [each.message for each in self._read_spool() if each.recipient == player]

    def all_emails(self) -> list[EmailMessage]:
        """All emails sent, oldest first."""
        return [each.message for each in self._read_spool()]

    def last_email(self, player: str) -> EmailMessage:
        return [each for each in self._read_spool() if each.recipient == player][-1].message

    def _read_spool(self) -> list[SentEmail]:
        for path in sorted(self.spool.glob("*.eml")):
            if path not in self._emails:
                self._emails[path] = SentEmail(path.read_bytes())
        return list(self._emails.values())

    def last_text(self, player: str) -> str:
        """The text of the newest email to a player, each paragraph on one line."""
        return unwrap(text_of(self.last_email(player)))

    # ------------------------------------------------------------ copies

    def copy_to(self, folder: Path) -> Table:
        """Copy this table into a new folder; the copy's store is closed."""
        folder.mkdir()
        other = make_table(folder)
        other.copy_from(self)
        other.server.store.close()
        return other

    def is_untouched(self) -> bool:
        """True if nothing has happened since the table was made with the default settings."""
        server = self.server
        if (server.domain, server.web_url, server.store.engine.name) != (DOMAIN, WEB_URL, "sqlite"):
            return False
        if not isinstance(server.mailer, SpoolMailer) or self.clock() != NOON or self.emails_written:
            return False
        with server.store.reading() as connection:
            return not connection.execute(select(HAS_ROWS)).scalar_one()

    def copy_from(self, other: Table) -> None:
        """Take over another table's database and emails."""
        with (
            closing(sqlite3.connect(str(other.server.store.engine.url.database))) as source,
            closing(sqlite3.connect(str(self.server.store.engine.url.database))) as target,
        ):
            source.backup(target)
        other.all_emails()
        for path, each in other._emails.items():
            (self.spool / path.name).write_bytes(each.raw)
            self._emails[self.spool / path.name] = each
        self.emails_written = other.emails_written


def parse_message(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=POLICY)
    assert isinstance(message, EmailMessage)
    return message


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def html_of(message: EmailMessage) -> str:
    body = message.get_body(("html",))
    assert body is not None
    return str(body.get_content())


def unwrap(text: str) -> str:
    return "\n".join(" ".join(piece.split("\n")) for piece in text.split("\n\n"))


def make_table(folder: Path, database_url: str | None = None, clock: Clock | None = None) -> Table:
    """Make a table in a folder, by default on SQLite; the folder remembers its database."""
    clock = clock or Clock()
    remembered, spool = folder / "database", folder / "spool"
    if not remembered.exists():
        remembered.write_text(database_url or f"sqlite:///{folder / 'corr.sqlite'}")
        if database_url is None:
            (folder / "corr.sqlite").write_bytes(blank_database())
    config = Config(
        remembered.read_text(), DOMAIN, f"spool:{spool}", authserv_id=AUTHSERV_ID, web_url=WEB_URL
    )
    server = replace(build_server(config, clock), pace=AT_ONCE, bot_pace=AT_ONCE)
    return Table(server, spool, clock)


def prepare_games(folder: Path) -> None:
    """Begin a game of each variant for `Table.begin` to copy."""
    for variant in UMPIRES:
        (folder / variant).mkdir()
        table = make_table(folder / variant)
        table.begin_by_email(variant)
        table.server.store.close()
        NEW_GAMES[variant] = table


def session_folder(name: str) -> Path:
    """Name a folder that lasts for the whole test session."""
    return NEW_GAMES["wild16"].spool.parent.parent / name


@cache
def blank_database() -> bytes:
    """The bytes of an empty database; the migrations run once."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "blank.sqlite"
        store = Store(f"sqlite:///{file}")
        migrate.upgrade(store)
        store.close()
        return file.read_bytes()
