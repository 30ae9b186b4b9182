"""The outside world in its own processes: one delivers emails to the server, one receives those it sends."""

from __future__ import annotations

import multiprocessing
import re
import smtplib
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain, repeat
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.database_servers import HOST, answers, free_port
from tests.support.many_players import Letter
from tests.support.waiting import wait_until

_SPAWN = multiprocessing.get_context("spawn")
_ANSWERS = re.compile(rb"^In-Reply-To:\s*(<[^>\r\n]+>)", re.MULTILINE)
_PATIENCE = 600


class World:
    """Delivers emails one after another on one connection, and counts those that come back."""

    def __init__(self) -> None:
        self.port = free_port()
        self._count = _SPAWN.Value("q", 0)
        self._sink, theirs = _SPAWN.Pipe()
        self._postman, orders = _SPAWN.Pipe()
        self._processes = [
            _SPAWN.Process(target=_take, args=(self.port, self._count, theirs), daemon=True),
            _SPAWN.Process(target=_bring, args=(orders,), daemon=True),
        ]

    @property
    def url(self) -> str:
        return f"smtp://{HOST}:{self.port}"

    @property
    def count(self) -> int:
        return int(self._count.value)

    def wait_for(self, count: int) -> None:
        """Wait until this many emails have come since the start."""
        end = time.monotonic() + _PATIENCE
        while self.count < count:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.count} emails of {count} have come")
            time.sleep(0.005)

    def answered(self) -> dict[str, float]:
        """When each Message-ID was first answered."""
        self._sink.send(None)
        moments: dict[str, float] = self._sink.recv()
        return moments

    def bring(self, port: int, letters: Sequence[Letter], pauses: Iterable[float] = ()) -> None:
        """Begin to deliver emails, in these intervals or at once; `join` waits until all are accepted."""
        self._postman.send((port, letters, tuple(accumulate(pauses))))

    def join(self) -> list[float]:
        """Wait for the deliveries; return when each email was accepted."""
        refused, taken = self._postman.recv()
        assert not refused, refused
        return list(taken)

    def start(self) -> None:
        for process in self._processes:
            process.start()
        wait_until(lambda: answers(self.port), "the mail server answers")

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.join()


@contextmanager
def run_outside_world() -> Iterator[World]:
    world = World()
    world.start()
    yield world
    world.stop()


def _take(port: int, count: Synchronized[int], asker: Connection) -> None:
    answered: dict[str, float] = {}

    class Taker:
        async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
            if found := _ANSWERS.search(envelope.original_content or b""):
                answered.setdefault(found[1].decode(), time.monotonic())
            count.value += len(envelope.rcpt_tos)
            return "250 2.0.0 Taken"

    Controller(Taker(), hostname=HOST, port=port).start()
    while True:
        asker.recv()
        asker.send(answered)
        answered.clear()


def _bring(orders: Connection) -> None:
    doors: dict[int, smtplib.SMTP] = {}
    while True:
        port, letters, hours = orders.recv()
        if port not in doors:
            doors[port] = smtplib.SMTP(HOST, port)
        refused: list[Any] = []
        taken: list[float] = []
        begun = time.monotonic()
        for letter, hour in zip(letters, chain(hours, repeat(0.0)), strict=False):
            time.sleep(max(0.0, begun + hour - time.monotonic()))
            try:
                doors[port].sendmail(letter.sender, [letter.recipient], letter.raw)
            except smtplib.SMTPException as error:
                refused.append(error)
            taken.append(time.monotonic())
        orders.send((refused, taken))
