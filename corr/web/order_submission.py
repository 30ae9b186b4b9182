"""Passes orders to the umpire, from a page or a program, and waits a moment for the answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from flask import current_app
from sqlalchemy.exc import SQLAlchemyError

from corr.service.games.page import GamePlayer
from corr.service.games.page_orders import PageText, queue_text
from corr.web.browser_session import current_server, wake_worker
from corr.worker_wakeup import Work


def submit_orders(find_seat: Callable[[], GamePlayer | None], written: PageText) -> GamePlayer | None:
    """Store orders for the umpire, and wait a moment; return the seat, or None without one."""
    with current_app.extensions["order_lock"].turn():
        seat = find_seat()
        if seat is None:
            return None
        known = queue_text(current_server(), seat.seat_id, written, current_server().now())
    wake_worker(Work.LETTERS)
    current_app.extensions["answer_waiter"].wait(known)
    return seat


#: How many seconds a writer waits for earlier ones, before it waits for the database instead.
_WAIT_SECONDS = 2.0


class OrderLock:
    """Lets only one request of a process write orders at a time, so that pages stay fast."""

    def __init__(self, longest: float = _WAIT_SECONDS) -> None:
        self._longest = longest
        self._free = threading.Semaphore()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the lock, or go on without it after the longest wait."""
        is_ours = self._free.acquire(timeout=self._longest)
        try:
            yield
        finally:
            if is_ours:
                self._free.release()


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
    """Lets pages wait for the umpire's answers; one thread asks the database for all of them."""

    def __init__(self, answered: Callable[[Collection[int]], Collection[int]]) -> None:
        """Take the function that tells which of these written items have been answered."""
        self._answered = answered
        self._lock = threading.Lock()
        self._awaited: dict[int, _PendingAnswer] = {}
        self._is_asking = False

    def wait(self, written: int) -> None:
        """Wait until this item has been answered, but at most a quarter of a second."""
        until = time.monotonic() + MOMENT
        with self._lock:
            awaited = self._awaited.setdefault(written, _PendingAnswer(until))
            awaited.until = until
            if not self._is_asking:
                threading.Thread(target=self._ask, name="answer_waiter", daemon=True).start()
                self._is_asking = True
        awaited.answered.wait(MOMENT)

    def _ask(self) -> None:
        """Look for answers until no page waits any more."""
        while waiting := self._waiting():
            with suppress(SQLAlchemyError):  # while the database is down nothing is answered
                self._tell(self._answered(waiting))
            time.sleep(_GLANCE)

    def _waiting(self) -> list[int]:
        """Return the items for which pages still wait."""
        with self._lock:
            now = time.monotonic()
            self._awaited = {key: each for key, each in self._awaited.items() if each.until > now}
            self._is_asking = bool(self._awaited)
            return list(self._awaited)

    def _tell(self, answered: Collection[int]) -> None:
        """Wake the pages whose items have been answered."""
        with self._lock:
            told = [self._awaited.pop(each, None) for each in answered]
        for each in told:
            if each:
                each.answered.set()
