"""How long a page waits for the umpire: a moment, the same for everybody, and all pages of a process ask as one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy.exc import SQLAlchemyError

#: For so many seconds a page waits before it is shown without the answer, and asks for it then. Whoever else waits
#: makes it neither longer nor shorter: how much the other side writes is nobody's to know.
MOMENT = 0.25
_GLANCE = 0.01


@dataclass(slots=True)
class _Awaited:
    """Something that was written, and until when somebody waits for the answer."""

    until: float
    answered: threading.Event = field(default_factory=threading.Event)


class Patience:
    """Those who wait in this process, and the one thread that asks for them all."""

    def __init__(self, answered: Callable[[Collection[int]], Collection[int]]) -> None:
        """`answered` tells which of the things that were written the umpire has answered."""
        self._answered = answered
        self._lock = threading.Lock()
        self._awaited: dict[int, _Awaited] = {}
        self._is_asking = False

    def wait(self, written: int) -> None:
        """Until this was answered, or the moment is over."""
        until = time.monotonic() + MOMENT
        with self._lock:
            awaited = self._awaited.setdefault(written, _Awaited(until))
            awaited.until = until
            if not self._is_asking:
                threading.Thread(target=self._ask, name="patience", daemon=True).start()
                self._is_asking = True
        awaited.answered.wait(MOMENT)

    def _ask(self) -> None:
        while waiting := self._waiting():
            with suppress(SQLAlchemyError):  # while the database is away nothing is answered
                self._tell(self._answered(waiting))
            time.sleep(_GLANCE)

    def _waiting(self) -> list[int]:
        """What is waited for still; who comes after there was nothing starts another thread."""
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
