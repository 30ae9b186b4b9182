"""Counts the database statements for one email, from its arrival until both answers are sent."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, event

from corr.service.mail.entrance import EmailEntrance
from corr.service.server import Server
from corr.service.worker_rounds import WorkerRounds
from tests.support.many_players import Letter
from tests.support.table import Clock

_CHANGES = re.compile(r"\b(INSERT|UPDATE|DELETE) (?:INTO |FROM )?(?!OF\b)(\w+)")
_ASKS = re.compile(r"\bFROM (\w+)")
_WITHIN = re.compile(r"\([^()]*\)")
_STINT = 2.0


@dataclass(slots=True)
class StatementLog:
    """The statements of each transaction, and which writing transactions were committed."""

    transactions: list[list[str]] = field(default_factory=list)
    committed: set[int] = field(default_factory=set)

    @property
    def statements(self) -> int:
        return sum(map(len, self.transactions))

    def summary_lines(self) -> Iterator[str]:
        """One line for each transaction: number of statements, their tables, and whether it was committed."""
        for number, said in enumerate(self.transactions):
            yield f"{len(said):3}  {', '.join(map(_about, said))}{'; commit' if number in self.committed else ''}"


def _about(said: str) -> str:
    """What a statement does to which table, such as `insert inbox`; for a query its first table."""
    while (without := _WITHIN.sub("", said)) != said:
        said = without
    if changes := _CHANGES.search(said):
        return f"{changes[1].lower()} {changes[2]}"
    asks = _ASKS.search(said)
    return f"ask {asks[1]}" if asks else "ask what waits"


@contextmanager
def record_statements(server: Server) -> Iterator[StatementLog]:
    """Record the statements that a server's database gets; an `executemany` counts once."""
    talk = StatementLog()

    def begin(_connection: Connection) -> None:
        talk.transactions.append([])

    def say(_connection: Connection, _cursor: Any, said: str, *_more: Any) -> None:
        talk.transactions[-1].append(said)

    def commit(_connection: Connection) -> None:
        if any(map(_CHANGES.search, talk.transactions[-1])):  # else nothing is written to disk
            talk.committed.add(len(talk.transactions) - 1)

    hears: dict[str, Callable[..., None]] = {"begin": begin, "before_cursor_execute": say, "commit": commit}
    for name, hear in hears.items():
        event.listen(server.store.engine, name, hear)
    try:
        yield talk
    finally:
        for name, hear in hears.items():
            event.remove(server.store.engine, name, hear)


def process_email(server: Server, letter: Letter, clock: Clock) -> StatementLog:
    """Take in an email as the listener does, and run a worker at each moment for which it is woken."""
    turns, moments = WorkerRounds(server, lambda: clock().timestamp()), deque[float]()
    with record_statements(server) as talk:
        door = EmailEntrance(server, lambda *_: turns.take(_STINT, moments.append))
        door.is_known(letter.recipient)
        door.store_received(letter.raw, [letter.recipient], letter.sender)
        while moments:
            clock.advance(seconds=moments.popleft())
            turns.take(_STINT, moments.append)
    return talk
