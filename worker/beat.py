"""Beat: wakes the workers again and again, whatever becomes of the wall clock."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from celery.beat import Scheduler


class Beat(Scheduler):  # type: ignore[misc]  # celery has no types
    """Celery's own waits before it first wakes anybody, and for as long as the clock was set back by."""

    max_interval = 5

    _latest: datetime | None = None

    def tick(self, *args: Any, **options: Any) -> float:  # Celery's own signature
        now = self.app.now()
        if self._latest is None or now < self._latest:
            for entry in self.schedule.values():
                entry.last_run_at = now - entry.schedule.run_every
            self._heap = None
        self._latest = now
        wait: float = super().tick(*args, **options)
        return wait
