"""What the house said to its database for each letter, to be said again by the bare driver, with no chess in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import psycopg
from sqlalchemy import Connection, event, make_url

from corr.mail.outward.transport import Delivery, Envelope, Fate
from corr.service.house import House
from corr.service.mail import game_emails, inbox, reader
from corr.service.mail.arrival import Arrival
from corr.service.mail.delivery_status import Mark
from corr.service.mail.outbox import UNNOTED
from corr.service.worker_rounds import READ_AT_ONCE, SENT_AT_ONCE
from tests.support.crowd import Letter

Statement = tuple[str, Any, bool]


@dataclass(slots=True)
class Transaction:
    """Statements, with their parameters, one or many; at the end a commit, or a rollback where nothing was written.

    One that only asks is no transaction where the house needs none.
    """

    asks: bool = False
    writes: bool = False
    statements: list[Statement] = field(default_factory=list)


Deed = list[Transaction]


@dataclass
class Tape:
    """For each letter in, by its number: how it was taken in and read; for each letter out: how it was sent."""

    known: dict[str, Deed] = field(default_factory=dict)
    dropped: dict[bytes, Deed] = field(default_factory=dict)
    claimed_in: Deed = field(default_factory=list)
    opened: dict[int, Deed] = field(default_factory=dict)
    settled: dict[int, Deed] = field(default_factory=dict)
    claimed_out: Deed = field(default_factory=list)
    made: dict[int, Deed] = field(default_factory=dict)
    letters: dict[int, Envelope] = field(default_factory=dict)
    sent: dict[int, Deed] = field(default_factory=dict)

    def desk(self, url: str) -> BareDesk:
        return BareDesk(self, url)


class Recorder:
    """Lets a house work through letters and writes down every statement."""

    def __init__(self) -> None:
        self.tape = Tape()
        self._deed: Deed = []

    def listen(self, house: House) -> None:
        event.listen(house.store.engine, "begin", self._begin)
        event.listen(house.store.engine, "commit", self._commit)
        event.listen(house.store.engine, "before_cursor_execute", self._say)

    def record(self, house: House, letters: Sequence[Letter]) -> int:
        """Take in, read and answer some letters; how many answers there were."""
        before = len(self.tape.letters)
        for letter in letters:
            inbox.letterbox(house, letter.recipient)
            self.tape.known[letter.recipient] = self._take()
            inbox.drop(house, Arrival(letter.raw, (letter.recipient,), house.now()))
            self.tape.dropped[letter.raw] = self._take()
        while rows := reader.INTAKE.claim(house, house.now(), READ_AT_ONCE):
            self.tape.claimed_in = self._take()
            for row in rows:
                ((_, opened),) = reader._opened(house, [row], house.now())
                self.tape.opened[row.id] = self._take()
                reader._act(house, row, opened, house.now(), lambda _connection: ())
                self.tape.settled[row.id] = self._take()
        self._take()
        while out := game_emails.TRAY.claim(house, house.now(), SENT_AT_ONCE):
            self.tape.claimed_out = self._take()
            for letter_out in out:
                (envelope,) = game_emails.TRAY.make(house, [letter_out])
                assert isinstance(envelope, Envelope)
                self.tape.made[letter_out.id], self.tape.letters[letter_out.id] = self._take(), envelope
                game_emails.TRAY.mark(house.store, [Mark(letter_out, Delivery(Fate.SENT), house.now())])
                self.tape.sent[letter_out.id] = self._take()
        self._take()
        return len(self.tape.letters) - before

    def _take(self) -> Deed:
        deed, self._deed = self._deed, []
        return deed

    def _begin(self, connection: Connection) -> None:
        asks = connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT"
        self._deed.append(Transaction(asks))

    def _commit(self, _connection: Connection) -> None:
        self._deed[-1].writes = True

    def _say(self, _connection: Connection, _cursor: Any, said: str, parameters: Any, *more: Any) -> None:
        self._deed[-1].statements.append((said, parameters, more[-1]))


# ---------------------------------------------------------------- by the bare driver


class Driver(Protocol):
    """A connection of the bare driver."""

    def run(self, transaction: Transaction) -> list[tuple[Any, ...]]:
        """Say a transaction again; what its last statement answered."""


class Sqlite:
    """As safe as the house's own connection: `synchronous=FULL`, `BEGIN IMMEDIATE`."""

    def __init__(self, file: str) -> None:
        self._connection = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            self._connection.execute(f"PRAGMA {pragma}")

    def run(self, transaction: Transaction) -> list[tuple[Any, ...]]:
        self._connection.execute("BEGIN IMMEDIATE" if transaction.writes else "BEGIN")
        rows: list[tuple[Any, ...]] = []
        for said, parameters, is_many in transaction.statements:
            say = self._connection.executemany if is_many else self._connection.execute
            rows = say(said, parameters).fetchall()
        self._connection.execute("COMMIT" if transaction.writes else "ROLLBACK")
        return rows


class Postgres:
    """With the house's own isolation."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url)

    def run(self, transaction: Transaction) -> list[tuple[Any, ...]]:
        level = None if transaction.writes else psycopg.IsolationLevel.REPEATABLE_READ
        self._connection.autocommit = transaction.asks
        self._connection.isolation_level, self._connection.read_only = level, not transaction.writes
        rows: list[tuple[Any, ...]] = []
        for said, parameters, is_many in transaction.statements:
            cursor = self._connection.cursor()
            (cursor.executemany if is_many else cursor.execute)(said, parameters)
            rows = cursor.fetchall() if cursor.description else []
        if transaction.writes:
            self._connection.commit()
        else:
            self._connection.rollback()
        return rows


def driver(url: str) -> Driver:
    """A connection of the bare driver to a database that SQLAlchemy names by a URL."""
    parts = make_url(url)
    return Sqlite(str(parts.database)) if parts.get_backend_name() == "sqlite" else Postgres(url)


class BareDesk:
    """Does what a tape says with a database: the same statements and commits for each letter, and nothing else."""

    def __init__(self, tape: Tape, url: str) -> None:
        self._tape, self._driver = tape, driver(url)

    def is_known(self, address: str) -> bool:
        return bool(self._run(self._tape.known[address]))

    def drop(self, raw: bytes, _address: str) -> None:
        self._run(self._tape.dropped[raw])

    def claim_in(self) -> list[int]:
        return self._claim(self._tape.claimed_in)

    def open_each(self, *letters: int) -> None:
        self._run(_together(self._tape.opened[letter] for letter in letters))

    def settle(self, letter: int) -> None:
        self._run(self._tape.settled[letter])

    def take_turns(self, hand_over: Callable[[Envelope], object]) -> None:
        """Read some and send some until there is nothing left."""
        while self.read_some() + self.send_some(hand_over):
            pass

    def read_some(self) -> int:
        letters = self.claim_in()
        if letters:
            self.open_each(*letters)
        for letter in letters:
            self.settle(letter)
        return len(letters)

    def send_some(self, hand_over: Callable[[Envelope], object]) -> int:
        letters = self._claim(self._tape.claimed_out)
        if letters:
            self._run(_together(self._tape.made[letter] for letter in letters))
        for first in range(0, len(letters), UNNOTED):
            few = letters[first : first + UNNOTED]
            for letter in few:
                hand_over(self._tape.letters[letter])
            self._run(_together(self._tape.sent[letter] for letter in few))
        return len(letters)

    def _claim(self, deed: Deed) -> list[int]:
        return sorted(row[0] for row in self._run(deed))

    def _run(self, deed: Deed) -> list[tuple[Any, ...]]:
        return [self._driver.run(transaction) for transaction in deed][-1]


def _together(deeds: Iterable[Deed]) -> Deed:
    """Several deeds of the same transactions as one: what each has in its first, then in its second."""
    return [
        replace(parts[0], statements=[each for part in parts for each in part.statements])
        for parts in zip(*deeds, strict=True)
    ]
