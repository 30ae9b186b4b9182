"""Outside mail servers: one receives the server's emails and misbehaves, others deliver the players'."""

from __future__ import annotations

import asyncio
import heapq
import queue
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from bench.mail import Received
from tests.support.database_servers import HOST, free_port

_MANNERS = {"takes it": 37, "says 451": 1, "cuts the connection": 1, "hangs up after taking it": 1}
_CUT_AFTER_LINES = 5
_TIMEOUT = 20.0
_REST = (0.2, 1.5)


class Deck:
    """Draws cards without replacement; shuffles again when empty."""

    def __init__(self, dice: Random, cards: Mapping[str, int]) -> None:
        self._dice = dice
        self._all = [card for card, number in cards.items() for _ in range(number)]
        self._left: list[str] = []

    def draw(self) -> str:
        self._left = self._left or self._dice.sample(self._all, len(self._all))
        return self._left.pop()


class Sink:
    """One listening server for all addresses; each email becomes a file, whole, before it is acknowledged."""

    def __init__(
        self, folder: Path, dice: Random, post: queue.Queue[Received], misdeeds: Counter[str]
    ) -> None:
        self.manners, self.misdeeds = Deck(dice, _MANNERS), misdeeds
        self._folder, self._post, self._number = folder, post, 0
        folder.mkdir(parents=True)
        self._controller = _Listener(self, hostname=HOST, port=free_port())
        self.start, self.stop = self._controller.start, self._controller.stop

    @property
    def url(self) -> str:
        return f"smtp://{HOST}:{self._controller.port}"

    async def handle_DATA(self, server: _Server, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if server.manner == "says 451":
            return "451 4.3.0 Not now"
        for recipient in envelope.rcpt_tos:
            self._number += 1
            raw = envelope.original_content or b""
            (self._folder / f"{self._number:06d}.letter").write_bytes(f"{recipient}\n".encode() + raw)
            self._post.put(Received(recipient, raw))
        if server.manner == "hangs up after taking it":
            server.hang_up()
        return "250 2.0.0 Taken"

    def kept(self) -> Iterator[Received]:
        """All emails that ever came, from their files."""
        for path in sorted(self._folder.glob("*.letter")):
            recipient, _, raw = path.read_bytes().partition(b"\n")
            yield Received(recipient.decode(), raw)


class _Listener(Controller):
    def factory(self) -> SMTP:
        return _Server(self.handler, enable_SMTPUTF8=True)


class _Server(SMTP):
    """Serves one connection; `manner` is how it treats the email that is under way."""

    manner = ""

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802  # aiosmtpd's name
        self.manner = self.event_handler.manners.draw()
        if self.manner != "takes it":
            self.event_handler.misdeeds[self.manner] += 1
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


@dataclass
class Letter:
    """An email that a player wrote, and what the server said when it came."""

    message_id: str
    player: str
    to: str
    raw: bytes
    accepted: int = 0
    refused: str = ""


@dataclass(order=True)
class _Errand:
    due: float
    number: int
    letter: Letter = field(compare=False)
    cut: bool = field(compare=False)


class MailCarriers:
    """Threads that deliver emails, and repeat each until the server says 250."""

    def __init__(self, ports: Callable[[], Sequence[int]], dice: Random, number: int) -> None:
        self.heard: Counter[str] = Counter()
        self._ports, self._dice = ports, dice
        self._errands: list[_Errand] = []
        self._changed = threading.Condition()
        self._taken_on, self._under_way, self._at_work = 0, 0, True
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(number)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        with self._changed:
            self._at_work = False
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def take(self, letter: Letter, after: float, *, cut: bool = False) -> None:
        """Deliver an email in some seconds; if cut, only half of it the first time."""
        with self._changed:
            self._taken_on += 1
            heapq.heappush(self._errands, _Errand(time.monotonic() + after, self._taken_on, letter, cut))
            self._changed.notify()

    def are_idle(self) -> bool:
        with self._changed:
            return not self._errands and not self._under_way

    def _work(self) -> None:
        while errand := self._next():
            heard, is_done = self._carry(errand)
            if not is_done:
                self.take(errand.letter, self._dice.uniform(*_REST))
            with self._changed:
                self._under_way -= 1
                self.heard[heard] += 1

    def _next(self) -> _Errand | None:
        with self._changed:
            while self._at_work:
                wait = self._errands[0].due - time.monotonic() if self._errands else _TIMEOUT
                if wait <= 0:
                    self._under_way += 1
                    return heapq.heappop(self._errands)
                self._changed.wait(wait)
        return None

    def _carry(self, errand: _Errand) -> tuple[str, bool]:
        """Deliver it to some port; return the reply, and whether it is done."""
        letter = errand.letter
        try:
            with smtplib.SMTP(HOST, self._dice.choice(self._ports()), timeout=_TIMEOUT) as door:
                if errand.cut:
                    _cut_in_the_middle(door, letter)
                    return "cut by the player", False
                door.sendmail(letter.player, [letter.to], letter.raw)
                letter.accepted += 1
        except smtplib.SMTPRecipientsRefused as refusal:
            return _refused(letter, *refusal.recipients[letter.to])
        except smtplib.SMTPResponseException as refusal:
            return _refused(letter, refusal.smtp_code, refusal.smtp_error)
        except ConnectionRefusedError:
            return "nobody at the door", False
        except (smtplib.SMTPException, OSError):
            return "cut by the server", False
        return "250", True


def _refused(letter: Letter, code: int, words: bytes | str) -> tuple[str, bool]:
    if code >= 500:
        letter.refused = f"{code} {words!r}"
    return str(code), code >= 500


def _cut_in_the_middle(door: smtplib.SMTP, letter: Letter) -> None:
    """Send half of an email and hang up."""
    door.ehlo_or_helo_if_needed()
    door.mail(letter.player)
    code, words = door.rcpt(letter.to)
    if code != 250:
        raise smtplib.SMTPRecipientsRefused({letter.to: (code, words)})
    door.docmd("DATA")
    door.send(letter.raw[: len(letter.raw) // 2])
    door.close()
