"""The hatch through which what is written on pages goes to the umpire: one at a time, so that reading goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: For so many seconds somebody waits for those before; then the database makes us wait, and it may as well be asked.
_LONGEST = 2.0


class Hatch:
    """Who writes waits for who writes in the same process, and not everybody who reads for all who write."""

    def __init__(self, longest: float = _LONGEST) -> None:
        self._longest = longest
        self._free = threading.Semaphore()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One's turn at the hatch."""
        is_ours = self._free.acquire(timeout=self._longest)
        try:
            yield
        finally:
            if is_ours:
                self._free.release()
