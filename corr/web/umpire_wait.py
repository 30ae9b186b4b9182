"""Waits a fixed moment for the umpire; one thread asks the database for all pages of a process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy.exc import SQLAlchemyError

#: How many seconds a page waits before we show it without the answer, which it then requests itself. Other waiting
#: pages make it neither longer nor shorter, since nobody may learn how much the opponent writes.
MOMENT = 0.25
_GLANCE = 0.01


@dataclass(slots=True)
class _PendingAnswer:
    """Something that was written, and until when a page waits for its answer."""

    until: float
    answered: threading.Event = field(default_factory=threading.Event)


class AnswerWaiter:
    """Holds the pages that wait in this process, with one thread that asks for all of them."""

    def __init__(self, answered: Callable[[Collection[int]], Collection[int]]) -> None:
        """Take `answered`, which returns the written items that the umpire has answered."""
        self._answered = answered
        self._lock = threading.Lock()
        self._awaited: dict[int, _PendingAnswer] = {}
        self._is_asking = False

    def wait(self, written: int) -> None:
        """Wait until the umpire has answered, or the moment is over."""
        until = time.monotonic() + MOMENT
        with self._lock:
            awaited = self._awaited.setdefault(written, _PendingAnswer(until))
            awaited.until = until
            if not self._is_asking:
                threading.Thread(target=self._ask, name="patience", daemon=True).start()
                self._is_asking = True
        awaited.answered.wait(MOMENT)

    def _ask(self) -> None:
        while waiting := self._waiting():
            with suppress(SQLAlchemyError):  # while the database is down nothing is answered
                self._tell(self._answered(waiting))
            time.sleep(_GLANCE)

    def _waiting(self) -> list[int]:
        """Return what pages still wait for; if nothing is left, the next page starts a new thread."""
        with self._lock:
            now = time.monotonic()
            self._awaited = {key: each for key, each in self._awaited.items() if each.until > now}
            self._is_asking = bool(self._awaited)
            return list(self._awaited)

    def _tell(self, answered: Collection[int]) -> None:
        with self._lock:
            told = [self._awaited.pop(each, None) for each in answered]
        for each in told:
            if each:
                each.answered.set()
