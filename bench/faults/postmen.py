"""The players' own mail servers: bring each letter to a door of the house until it is taken."""

from __future__ import annotations

import heapq
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.support.servers import HOST

_TIMEOUT = 20.0
_REST = (0.2, 1.5)


@dataclass
class Letter:
    """A letter that a player wrote, and what the house said when it came."""

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


class Postmen:
    """Threads that carry letters, and bring a letter again, byte for byte, until they hear 250."""

    def __init__(self, doors: Callable[[], Sequence[int]], dice: Random, number: int) -> None:
        self.heard: Counter[str] = Counter()
        self._doors, self._dice = doors, dice
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
        """Bring a letter in some seconds; if it is cut, the first time only half of it."""
        with self._changed:
            self._taken_on += 1
            heapq.heappush(self._errands, _Errand(time.monotonic() + after, self._taken_on, letter, cut))
            self._changed.notify()

    def are_idle(self) -> bool:
        with self._changed:
            return not self._errands and not self._under_way

    def _work(self) -> None:
        while errand := self._next():
            is_done = self._carry(errand)
            if not is_done:
                self.take(errand.letter, self._dice.uniform(*_REST))
            with self._changed:
                self._under_way -= 1

    def _next(self) -> _Errand | None:
        with self._changed:
            while self._at_work:
                wait = self._errands[0].due - time.monotonic() if self._errands else _TIMEOUT
                if wait <= 0:
                    self._under_way += 1
                    return heapq.heappop(self._errands)
                self._changed.wait(wait)
        return None

    def _carry(self, errand: _Errand) -> bool:
        """Bring it to some door; True once there is nothing more to do for it."""
        letter = errand.letter
        try:
            with smtplib.SMTP(HOST, self._dice.choice(self._doors()), timeout=_TIMEOUT) as door:
                if errand.cut:
                    _cut_in_the_middle(door, letter)
                    self._hear("cut by the player")
                    return False
                door.sendmail(letter.player, [letter.to], letter.raw)
                letter.accepted += 1
        except smtplib.SMTPRecipientsRefused as refusal:
            return self._hear_refusal(letter, *refusal.recipients[letter.to])
        except smtplib.SMTPResponseException as refusal:
            return self._hear_refusal(letter, refusal.smtp_code, refusal.smtp_error)
        except ConnectionRefusedError:
            self._hear("nobody at the door")
            return False
        except (smtplib.SMTPException, OSError):
            self._hear("cut by the house")
            return False
        return True

    def _hear_refusal(self, letter: Letter, code: int, words: bytes | str) -> bool:
        self._hear(str(code))
        if code >= 500:
            letter.refused = f"{code} {words!r}"
        return code >= 500

    def _hear(self, what: str) -> None:
        with self._changed:
            self.heard[what] += 1


def _cut_in_the_middle(door: smtplib.SMTP, letter: Letter) -> None:
    """Send half of a letter and hang up."""
    door.ehlo_or_helo_if_needed()
    door.mail(letter.player)
    code, words = door.rcpt(letter.to)
    if code != 250:
        raise smtplib.SMTPRecipientsRefused({letter.to: (code, words)})
    door.docmd("DATA")
    door.send(letter.raw[: len(letter.raw) // 2])
    door.close()
