"""The world outside the house, in processes of its own: a postman brings letters, a mail server takes them."""

from __future__ import annotations

import multiprocessing
import smtplib
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.crowd import Letter
from bench.servers import HOST, answers, free_port, wait_until

_SPAWN = multiprocessing.get_context("spawn")
_PATIENCE = 600


class Sink:
    """A mail server that takes all letters and only counts them."""

    def __init__(self) -> None:
        self.port = free_port()
        self._count = _SPAWN.Value("q", 0)
        self._process = _SPAWN.Process(target=_take, args=(self.port, self._count), daemon=True)

    @property
    def url(self) -> str:
        return f"smtp://{HOST}:{self.port}"

    @property
    def count(self) -> int:
        return int(self._count.value)

    def start(self) -> None:
        self._process.start()
        wait_until(lambda: answers(self.port), "the sink answers")

    def stop(self) -> None:
        self._process.kill()
        self._process.join()

    def wait_for(self, count: int) -> None:
        """Wait until so many letters have come since the start."""
        end = time.monotonic() + _PATIENCE
        while self.count < count:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.count} letters of {count} have come")
            time.sleep(0.005)


class Postman:
    """Brings letters to doors, one after another on a connection that is kept."""

    def __init__(self) -> None:
        self._mine, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_bring, args=(theirs,), daemon=True)

    def start(self) -> None:
        self._process.start()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()

    def bring(self, port: int, letters: Sequence[Letter]) -> None:
        """Let a postman go with some letters; `join` waits until all are taken."""
        self._mine.send((port, letters))

    def join(self) -> None:
        refused = self._mine.recv()
        assert not refused, refused


def _take(port: int, count: Synchronized[int]) -> None:
    class Taker:
        async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
            count.value += len(envelope.rcpt_tos)
            return "250 2.0.0 Taken"

    controller = Controller(Taker(), hostname=HOST, port=port)
    controller.start()
    controller._thread.join()


def _bring(orders: Connection) -> None:
    doors: dict[int, smtplib.SMTP] = {}
    while True:
        port, letters = orders.recv()
        if port not in doors:
            doors[port] = smtplib.SMTP(HOST, port)
        refused: list[Any] = []
        for letter in letters:
            try:
                doors[port].sendmail(letter.sender, [letter.recipient], letter.raw)
            except smtplib.SMTPException as error:
                refused.append(error)
        orders.send(refused)
