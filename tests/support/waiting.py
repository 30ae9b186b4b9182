"""How tests wait for a process, a browser, a port or a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

#: After this many seconds we give up, on however busy a machine.
TIMEOUT = 300.0
_BETWEEN = 0.02


class Joinable(Protocol):
    """A thread or a process."""

    def join(self, timeout: float | None = None) -> None: ...
    def is_alive(self) -> bool: ...


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Poll until it is true, or raise TimeoutError."""
    if not comes_true(is_so, TIMEOUT):
        raise TimeoutError(f"{what}: not within {TIMEOUT:.0f} s")


def comes_true(is_so: Callable[[], bool], seconds: float) -> bool:
    """Poll for some seconds; return whether it came true. For callers with another way if it doesn't."""
    end = time.monotonic() + seconds
    while not (found := is_so()) and time.monotonic() < end:
        time.sleep(_BETWEEN)
    return found


def join(*workers: Joinable) -> None:
    """Wait until each thread or process has ended."""
    for worker in workers:
        worker.join(TIMEOUT)
        assert not worker.is_alive(), f"{worker} has not ended within {TIMEOUT:.0f} s"
