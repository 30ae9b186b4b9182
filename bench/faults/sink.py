"""The world's mail servers: take the house's letters, keep them, and now and then misbehave."""

from __future__ import annotations

import asyncio
import queue
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from bench.faults.deck import Deck
from tests.support.servers import HOST, free_port

_MANNERS = {"takes it": 37, "says 451": 1, "cuts the connection": 1, "hangs up after taking it": 1}
_CUT_AFTER_LINES = 5


@dataclass(frozen=True, slots=True)
class Received:
    """A letter as it came to the world: the recipient on its envelope, and its bytes."""

    recipient: str
    raw: bytes


class Sink:
    """One listening server for all addresses; each letter becomes a file, whole, before it is acknowledged."""

    def __init__(self, folder: Path, dice: Random) -> None:
        self.post: queue.Queue[Received] = queue.Queue()
        self.misdeeds: dict[str, int] = {}
        self._folder, self._deck, self._number = folder, Deck(dice, _MANNERS), 0
        folder.mkdir(parents=True)
        self._controller = _Listener(self, hostname=HOST, port=free_port())

    @property
    def url(self) -> str:
        return f"smtp://{HOST}:{self._controller.port}"

    def start(self) -> None:
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop()

    def choose_manner(self) -> str:
        """How the next letter is treated."""
        drawn = self._deck.draw()
        if drawn != "takes it":
            self.misdeeds[drawn] = self.misdeeds.get(drawn, 0) + 1
        return drawn

    async def handle_DATA(self, server: _Server, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if server.manner == "says 451":
            return "451 4.3.0 Not now"
        self._keep(envelope.mail_from or "", envelope.rcpt_tos, envelope.original_content or b"")
        if server.manner == "hangs up after taking it":
            server.hang_up()
        return "250 2.0.0 Taken"

    def _keep(self, sender: str, recipients: list[str], raw: bytes) -> None:
        for recipient in recipients:
            self._number += 1
            head = f"{sender}\n{recipient}\n{time.time():.6f}\n".encode()
            (self._folder / f"{self._number:06d}.letter").write_bytes(head + raw)
            self.post.put(Received(recipient, raw))

    def kept(self) -> Iterator[Received]:
        """All letters that ever came, from their files."""
        for path in sorted(self._folder.glob("*.letter")):
            _, recipient, _, raw = path.read_bytes().split(b"\n", 3)
            yield Received(recipient.decode(), raw)


class _Listener(Controller):
    def factory(self) -> SMTP:
        return _Server(self.handler, enable_SMTPUTF8=True)


class _Server(SMTP):
    """Serves one connection; `manner` is how it treats the letter that is under way."""

    manner = ""

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802  # aiosmtpd's name
        self.manner = self.event_handler.choose_manner()
        if self.manner != "cuts the connection":
            await super().smtp_DATA(arg)
            return
        await self.push("354 Go on")
        for _ in range(_CUT_AFTER_LINES):
            await self._reader.readline()
        self.hang_up()
        await asyncio.Event().wait()  # until the loss of the connection ends this

    def hang_up(self) -> None:
        """End the connection at once, without a word."""
        assert isinstance(self.transport, asyncio.Transport)
        self.transport.abort()
