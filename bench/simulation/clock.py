"""The world's time, which goes on, and the house's clock, which may be set otherwise."""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

Deed = Callable[[], None]


class World:
    """What is going to happen, the earliest first; the house's clock shows the time and an error."""

    def __init__(self, begins: datetime) -> None:
        self.moment, self.error = begins, timedelta()
        self._numbers = itertools.count()
        self._coming: list[tuple[datetime, int, Deed]] = []

    def house_clock(self) -> datetime:
        return self.moment + self.error

    def at(self, moment: datetime, deed: Deed) -> None:
        """Let something happen at a moment, or now where that is past."""
        heapq.heappush(self._coming, (max(moment, self.moment), next(self._numbers), deed))

    def after(self, span: timedelta, deed: Deed) -> None:
        self.at(self.moment + span, deed)

    def until(self, end: datetime) -> Iterator[Deed]:
        """Each deed at its moment, up to an end."""
        while self._coming and self._coming[0][0] <= end:
            self.moment, _, deed = heapq.heappop(self._coming)
            yield deed

    @contextmanager
    def stopwatch(self) -> Iterator[None]:
        """What the house measures in seconds takes no time, so that a run can be repeated on any machine."""
        real, begins = time.monotonic, self.moment
        time.monotonic = lambda: (self.moment - begins) / timedelta(seconds=1)
        try:
            yield
        finally:
            time.monotonic = real


BEGINS = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
