"""The least that a house could do with a database for a letter's whole way: few tables, few statements, bare drivers.

It is as durable as the house, and nothing that is claimed, judged or sent can be lost or doubled. What is missing is
all that makes it a house: no chess, no reading, no composing, no reminders, and every letter has the same bytes.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import psycopg
from sqlalchemy import make_url, select

from corr.mail.address import token_of
from corr.mail.outward.transport import Envelope
from corr.service.house import House
from corr.store.tables import Player, SeatRow

_READ_AT_ONCE, _SENT_AT_ONCE, _NOTED_AT_ONCE = 8, 16, 8
#: As long as a slip of the house, a truth, and what was put to the umpire.
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
        "CREATE TABLE lean_outbox (id {identity}, seat_id INTEGER, number INTEGER, address TEXT, message {bytes},"
        " leased BIGINT, sent_at BIGINT)"
    ),
    "CREATE INDEX lean_outbox_unsent ON lean_outbox (id) WHERE sent_at IS NULL",
)
_KNOWN = "SELECT id FROM lean_seats WHERE code = %s"
_DROP = (
    "INSERT INTO lean_inbox (seat_id, name, raw) SELECT id, %s, %s FROM lean_seats WHERE code = %s"
    " ON CONFLICT DO NOTHING"
)
_CLAIM_IN = (
    "UPDATE lean_inbox SET leased = 1 WHERE id IN (SELECT id FROM lean_inbox WHERE read_at IS NULL"
    " AND leased IS NULL ORDER BY id LIMIT %s{skip}) RETURNING id, seat_id, raw"
)
_HOLD = (
    "SELECT g.id, g.ply, g.truth, s.id, s.address, s.number FROM lean_games g JOIN lean_seats s ON s.game_id = g.id"
    " WHERE g.id = (SELECT game_id FROM lean_seats WHERE id = %s){hold}"
)
_JUDGED = "UPDATE lean_games SET ply = ply + 1, deadline = %s, truth = %s WHERE id = %s"
_COUNTED = "UPDATE lean_seats SET number = number + 1 WHERE game_id = %s"
_SLIPS = "INSERT INTO lean_slips (seat_id, number, body) VALUES (%s, %s, %s), (%s, %s, %s)"
_WRITTEN = "INSERT INTO lean_outbox (seat_id, number, address) VALUES (%s, %s, %s), (%s, %s, %s)"
_READ = "UPDATE lean_inbox SET read_at = 1, said = %s WHERE id = %s AND read_at IS NULL"
_CLAIM_OUT = (
    "UPDATE lean_outbox SET leased = 1, message = %s WHERE id IN (SELECT id FROM lean_outbox WHERE sent_at IS NULL"
    " AND leased IS NULL ORDER BY id LIMIT %s{skip}) RETURNING id, address"
)
_SENT = "UPDATE lean_outbox SET sent_at = 1, message = NULL WHERE id IN ({letters})"

Rows = Sequence[tuple[Any, ...]]


class Driver(Protocol):
    """A connection of the bare driver."""

    def say(self, said: str, values: Sequence[object]) -> Rows:
        """Say one statement, and by itself if no transaction was begun."""

    def begin(self) -> None:
        """Begin a transaction that writes."""

    def commit(self) -> None:
        """End the game."""


class Sqlite:
    """As safe as the house's own connection."""

    words: dict[str, str] = {"bytes": "BLOB", "identity": "INTEGER PRIMARY KEY", "skip": "", "hold": ""}  # noqa: RUF012

    def __init__(self, file: str) -> None:
        self._connection = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            self._connection.execute(f"PRAGMA {pragma}")

    def say(self, said: str, values: Sequence[object]) -> Rows:
        return self._connection.execute(said.format(**self.words).replace("%s", "?"), values).fetchall()

    def begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._connection.execute("COMMIT")


class Postgres:
    """With `synchronous_commit` as the server has it."""

    words: dict[str, str] = {  # noqa: RUF012
        "bytes": "BYTEA",
        "identity": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        "skip": " FOR UPDATE SKIP LOCKED",
        "hold": " FOR NO KEY UPDATE",
    }

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)

    def say(self, said: str, values: Sequence[object]) -> Rows:
        cursor = self._connection.execute(said.format(**self.words), values)
        return cursor.fetchall() if cursor.description else []

    def begin(self) -> None:
        self._connection.execute("BEGIN")

    def commit(self) -> None:
        self._connection.execute("COMMIT")


def driver(url: str) -> Driver:
    parts = make_url(url)
    return Sqlite(str(parts.database)) if parts.get_backend_name() == "sqlite" else Postgres(url)


def lay(url: str, house: House) -> str:
    """The few tables, with the seats of a house in them; their URL."""
    with house.store.reading() as connection:
        asked = select(SeatRow.id, SeatRow.game_id, SeatRow.code, Player.address)
        seats = connection.execute(asked.join(Player, Player.id == SeatRow.player_id)).all()
    to = driver(url)
    for table in _TABLES:
        to.say(table, ())
    to.begin()
    for game in {seat.game_id for seat in seats}:
        to.say("INSERT INTO lean_games VALUES (%s, 0, 0, %s)", (game, _TRUTH))
    for seat in seats:
        to.say("INSERT INTO lean_seats VALUES (%s, %s, %s, %s, 1)", tuple(seat))
    to.commit()
    house.store.close()
    return url


@dataclass(frozen=True, slots=True)
class Lean:
    """What every letter out looks like."""

    letter: Envelope
    domain: str

    def desk(self, url: str) -> LeanDesk:
        return LeanDesk(self, url)


class LeanDesk:
    """Letters in, two answers for each, letters out."""

    def __init__(self, lean: Lean, url: str) -> None:
        self._lean, self._driver = lean, driver(url)

    def is_known(self, address: str) -> bool:
        return bool(self._driver.say(_KNOWN, (self._code(address),)))

    def drop(self, raw: bytes, address: str) -> None:
        self._driver.say(_DROP, (hashlib.sha256(raw).hexdigest(), raw, self._code(address)))

    def _code(self, address: str) -> str:
        token = token_of(address, self._lean.domain)
        return token.code if token else ""

    def take_turns(self, hand_over: Callable[[Envelope], object]) -> None:
        """Read some and send some until there is nothing left."""
        while self.read_some() + self.send_some(hand_over):
            pass

    def read_some(self) -> int:
        letters = self._driver.say(_CLAIM_IN, (_READ_AT_ONCE,))
        for letter, seat, _raw in letters:
            self._settle(letter, seat)
        return len(letters)

    def _settle(self, letter: int, seat: int) -> None:
        self._driver.begin()
        sides = self._driver.say(_HOLD, (seat,))
        game = sides[0][0]
        told = [(side, number) for *_, side, _address, number in sides]
        self._driver.say(_JUDGED, (1, _TRUTH, game))
        self._driver.say(_COUNTED, (game,))
        self._driver.say(_SLIPS, _flat((*each, _SLIP) for each in told))
        self._driver.say(_WRITTEN, _flat((side, number, address) for *_, side, address, number in sides))
        self._driver.say(_READ, (_ORDER, letter))
        self._driver.commit()

    def send_some(self, hand_over: Callable[[Envelope], object]) -> int:
        letter = self._lean.letter
        letters = self._driver.say(_CLAIM_OUT, (letter.message, _SENT_AT_ONCE))
        for first in range(0, len(letters), _NOTED_AT_ONCE):
            few = letters[first : first + _NOTED_AT_ONCE]
            for _, address in few:
                hand_over(Envelope(letter.sender, address, letter.message))
            places = ", ".join("%s" for _ in few)
            self._driver.say(_SENT.replace("{letters}", places), [number for number, _ in few])
        return len(letters)


def _flat(rows: Iterable[tuple[object, ...]]) -> list[object]:
    return [value for row in rows for value in row]
