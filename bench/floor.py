"""The least that a server could do for an email's whole way: few tables, few statements, bare drivers, no chess.

It is as durable as the server, and nothing that is claimed, judged or sent can be lost or doubled. What is missing is
reading, judging, composing and reminders: emails differ only in what they answer. `app` is its Celery app.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import smtplib
import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Incoming
from celery import Celery
from sqlalchemy import make_url, select

from corr.mail.address import parse_token
from corr.mail.outward.transport import Envelope
from corr.service.server import Server
from corr.store.tables import PlayerRow, SeatRow
from corr.worker_wakeup import Work, WorkerWaker
from tests.support.many_players import DOMAIN

_READ_AT_ONCE, _SENT_AT_ONCE, _NOTED_AT_ONCE = 8, 16, 8
#: Texts as long as a slip, a truth and an order.
_SLIP, _TRUTH, _ORDER = "x" * 50, b"x" * 92, "e2e4: moved"
_TABLES = (
    "CREATE TABLE lean_games (id INTEGER PRIMARY KEY, ply INTEGER, deadline BIGINT, truth {bytes})",
    "CREATE TABLE lean_seats (id INTEGER PRIMARY KEY, game_id INTEGER, code TEXT UNIQUE, address TEXT, number INTEGER)",
    "CREATE INDEX lean_seats_game ON lean_seats (game_id)",
    "CREATE TABLE lean_slips (seat_id INTEGER, number INTEGER, body TEXT, PRIMARY KEY (seat_id, number))",
    (
        "CREATE TABLE lean_inbox (id {identity}, seat_id INTEGER, name TEXT, raw {bytes}, leased BIGINT,"
        " read_at BIGINT, said TEXT, UNIQUE (seat_id, name))"
    ),
    "CREATE INDEX lean_inbox_unread ON lean_inbox (id) WHERE read_at IS NULL",
    (
        "CREATE TABLE lean_outbox (id {identity}, seat_id INTEGER, number INTEGER, address TEXT, answers TEXT,"
        " message {bytes}, leased BIGINT, sent_at BIGINT)"
    ),
    "CREATE INDEX lean_outbox_unsent ON lean_outbox (id) WHERE sent_at IS NULL",
)
_KNOWN = "SELECT id FROM lean_seats WHERE code = %s"
_DROP = """INSERT INTO lean_inbox (seat_id, name, raw) SELECT id, %s, %s FROM lean_seats WHERE code = %s
    ON CONFLICT DO NOTHING"""
_CLAIM_IN = """UPDATE lean_inbox SET leased = 1 WHERE id IN (SELECT id FROM lean_inbox WHERE read_at IS NULL
    AND leased IS NULL ORDER BY id LIMIT %s{skip}) RETURNING id, seat_id, name, raw"""
_HOLD = """SELECT g.id, s.id, s.address, s.number, g.ply, g.truth FROM lean_games g JOIN lean_seats s
    ON s.game_id = g.id WHERE g.id = (SELECT game_id FROM lean_seats WHERE id = %s){hold}"""
_JUDGED = "UPDATE lean_games SET ply = ply + 1, deadline = %s, truth = %s WHERE id = %s"
_COUNTED = "UPDATE lean_seats SET number = number + 1 WHERE game_id = %s"
_SLIPS = "INSERT INTO lean_slips (seat_id, number, body) VALUES (%s, %s, %s), (%s, %s, %s)"
_WRITTEN = (
    "INSERT INTO lean_outbox (seat_id, number, address, answers) VALUES (%s, %s, %s, %s), (%s, %s, %s, %s)"
)
_READ = "UPDATE lean_inbox SET read_at = 1, said = %s WHERE id = %s AND read_at IS NULL"
_CLAIM_OUT = """UPDATE lean_outbox SET leased = 1, message = %s WHERE id IN (SELECT id FROM lean_outbox
    WHERE sent_at IS NULL AND leased IS NULL ORDER BY id LIMIT %s{skip}) RETURNING id, address, answers"""
_SENT = "UPDATE lean_outbox SET sent_at = 1, message = NULL WHERE id IN ({letters})"
_NAME = re.compile(rb"^Message-ID: (<.+>)", re.MULTILINE)
_ANSWERS = re.compile(rb"^In-Reply-To:\s*(<[^>\r\n]+>)", re.MULTILINE)
_SQLITE = {
    "bytes": "BLOB",
    "identity": "INTEGER PRIMARY KEY",
    "skip": "",
    "hold": "",
    "begin": "BEGIN IMMEDIATE",
}
_POSTGRES = {
    "bytes": "BYTEA",
    "identity": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "skip": " FOR UPDATE SKIP LOCKED",
    "hold": " FOR NO KEY UPDATE",
    "begin": "BEGIN",
}


class Driver:
    """A plain driver connection, as durable as the server's."""

    def __init__(self, url: str) -> None:
        parts = make_url(url)
        self._is_sqlite = parts.get_backend_name() == "sqlite"
        self._words = _SQLITE if self._is_sqlite else _POSTGRES
        self._connection: Any
        if self._is_sqlite:
            file = str(parts.database)
            self._connection = sqlite3.connect(
                file, timeout=10, isolation_level=None, check_same_thread=False
            )
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                self._connection.execute(f"PRAGMA {pragma}")
        else:
            self._connection = psycopg.connect(url, autocommit=True)

    def say(self, said: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Run a statement, on its own if no transaction is open."""
        text = said.format(**self._words)
        cursor = self._connection.execute(text.replace("%s", "?") if self._is_sqlite else text, values)
        return list(cursor.fetchall()) if cursor.description else []


def make_database(url: str, server: Server) -> str:
    """Create the few tables with a server's seats; return the URL."""
    with server.store.reading() as connection:
        asked = select(SeatRow.id, SeatRow.game_id, SeatRow.code, PlayerRow.address)
        seats = connection.execute(asked.join(PlayerRow, PlayerRow.id == SeatRow.player_id)).all()
    to = Driver(url)
    for table in _TABLES:
        to.say(table)
    to.say("{begin}")
    for game in {seat.game_id for seat in seats}:
        to.say("INSERT INTO lean_games VALUES (%s, 0, 0, %s)", game, _TRUTH)
    for seat in seats:
        to.say("INSERT INTO lean_seats VALUES (%s, %s, %s, %s, 1)", *seat)
    to.say("COMMIT")
    return url


class LeanWorker:
    """Takes emails in, writes two answers for each, and sends emails."""

    def __init__(self, url: str, letter: Envelope) -> None:
        self._letter, self._driver = letter, Driver(url)
        answers = _ANSWERS.search(letter.message)
        assert answers
        self._before, self._after = letter.message[: answers.start(1)], letter.message[answers.end(1) :]

    def is_known(self, address: str) -> bool:
        return bool(self._driver.say(_KNOWN, _code(address)))

    def drop(self, raw: bytes, address: str) -> None:
        name = _NAME.search(raw)
        assert name
        self._driver.say(_DROP, name[1].decode(), raw, _code(address))

    def take_turns(self, send: Callable[[Envelope], object]) -> None:
        """Read and send emails until nothing is left."""
        while self._read_some() + self._send_some(send):
            pass

    def _read_some(self) -> int:
        letters = self._driver.say(_CLAIM_IN, _READ_AT_ONCE)
        for letter, seat, name, _raw in letters:
            self._driver.say("{begin}")
            sides = self._driver.say(_HOLD, seat)
            game = sides[0][0]
            self._driver.say(_JUDGED, 1, _TRUTH, game)
            self._driver.say(_COUNTED, game)
            told = [(side, number, address) for _, side, address, number, *_ in sides]
            self._driver.say(_SLIPS, *(value for each in told for value in (*each[:2], _SLIP)))
            self._driver.say(_WRITTEN, *(value for each in told for value in (*each, name)))
            self._driver.say(_READ, _ORDER, letter)
            self._driver.say("COMMIT")
        return len(letters)

    def _send_some(self, send: Callable[[Envelope], object]) -> int:
        letters = self._driver.say(_CLAIM_OUT, self._letter.message, _SENT_AT_ONCE)
        for first in range(0, len(letters), _NOTED_AT_ONCE):
            few = letters[first : first + _NOTED_AT_ONCE]
            for _, address, answers in few:
                message = self._before + answers.encode() + self._after
                send(Envelope(self._letter.sender, address, message))
            places = ", ".join("%s" for _ in few)
            self._driver.say(_SENT.replace("{letters}", places), *(number for number, *_ in few))
        return len(letters)


def _code(address: str) -> str:
    token = parse_token(address, DOMAIN)
    return token.code if token else ""


class LeanListener:
    """Stores each email with a commit before its 250."""

    def __init__(self, desk: LeanWorker, knock: Callable[[], object]) -> None:
        self._desk, self._knock = desk, knock

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Incoming, address: str, _options: list[str]
    ) -> str:
        self._desk.is_known(address)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Known"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Incoming) -> str:  # noqa: N802
        self._desk.drop(envelope.original_content or b"", envelope.rcpt_tos[0])
        self._knock()
        return "250 2.0.0 Taken"


class LeanMailer:
    """Plain smtplib on a kept connection."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = smtplib.SMTP(str(parts.hostname), parts.port or 25)

    def send(self, envelope: Envelope) -> None:
        self._connection.sendmail(envelope.sender, [envelope.recipient], envelope.message)


app = Celery("floor", broker=os.environ.get("CORR_REDIS_URL"))
app.conf.update(task_ignore_result=True, task_acks_late=True, worker_prefetch_multiplier=1)


@cache
def _desk() -> LeanWorker:
    letter: Envelope = pickle.loads(Path(os.environ["BENCH_LETTER"]).read_bytes())
    return LeanWorker(os.environ["CORR_DATABASE_URL"], letter)


@cache
def _post() -> LeanMailer:
    return LeanMailer(os.environ["CORR_SMTP_URL"])


@app.task(name=Work.LETTERS.value)  # type: ignore[untyped-decorator]
def work() -> None:
    _desk().take_turns(_post().send)


def main() -> None:
    """Take in emails, as `corr listen` does."""
    host, _, port = os.environ["CORR_SMTP_LISTEN"].rpartition(":")
    knocker = WorkerWaker(os.environ["CORR_REDIS_URL"])
    Controller(LeanListener(_desk(), lambda: knocker(Work.LETTERS)), hostname=host, port=int(port)).start()
    signal.pause()


if __name__ == "__main__":
    main()
