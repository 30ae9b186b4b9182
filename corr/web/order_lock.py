"""Lets one request at a time pass orders to the umpire, so that other pages stay readable."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: How many seconds a writer waits for earlier ones. After that the database makes writers wait, so we may as well ask
#: it.
_WAIT_SECONDS = 2.0


class OrderLock:
    """Makes writers in one process wait for each other, so that readers need not wait."""

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
