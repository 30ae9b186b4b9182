"""What one email costs a database: all that is said of it from the door to both answers at the mail server."""

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
    """What was said in transactions, and which of those that change something were committed."""

    transactions: list[list[str]] = field(default_factory=list)
    committed: set[int] = field(default_factory=set)

    @property
    def statements(self) -> int:
        return sum(map(len, self.transactions))

    def summary_lines(self) -> Iterator[str]:
        """For each transaction how many statements, what they are about, and whether it was committed."""
        for number, said in enumerate(self.transactions):
            yield f"{len(said):3}  {', '.join(map(_about, said))}{'; commit' if number in self.committed else ''}"


def _about(said: str) -> str:
    """`insert inbox`: what a statement does with which table, the first one of a question."""
    while (without := _WITHIN.sub("", said)) != said:
        said = without
    if changes := _CHANGES.search(said):
        return f"{changes[1].lower()} {changes[2]}"
    asks = _ASKS.search(said)
    return f"ask {asks[1]}" if asks else "ask what waits"


@contextmanager
def record_statements(server: Server) -> Iterator[StatementLog]:
    """All that is said to a house's database meanwhile; what is said with several values at once is said once."""
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
    """Take a letter in as the listener does, and let a worker go on, now and at each moment for which it is woken."""
    turns, moments = WorkerRounds(server, lambda: clock().timestamp()), deque[float]()
    with record_statements(server) as talk:
        door = EmailEntrance(server, lambda *_: turns.take(_STINT, moments.append))
        door.is_known(letter.recipient)
        door.store_received(letter.raw, [letter.recipient], letter.sender)
        while moments:
            clock.advance(seconds=moments.popleft())
            turns.take(_STINT, moments.append)
    return talk
