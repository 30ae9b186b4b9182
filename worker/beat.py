"""Runs beat, which wakes the workers regularly (how often: `_SWEEPS`) even if the wall clock is set back."""

from __future__ import annotations

import os
import signal
import threading
from datetime import datetime
from typing import Any

from celery.beat import Scheduler
from celery.signals import beat_init

from corr.worker_wakeup import EXPIRES, Work

#: How often beat wakes the workers for each kind of work.
_SWEEPS = {Work.LETTERS: 5.0, Work.HOURS: 15.0, Work.THOUGHTS: 5.0, Work.CALLS: 5.0}


class Beat(Scheduler):  # type: ignore[misc]  # celery has no types
    """A beat that runs its tasks at the start, and also if the clock was set back."""

    max_interval = 5

    _latest: datetime | None = None

    def setup_schedule(self) -> None:
        self.update_from_dict(
            {
                f"sweep {work}": {"task": work.value, "schedule": every, "options": {"expires": EXPIRES}}
                for work, every in _SWEEPS.items()
            }
        )

    def tick(self, *args: Any, **options: Any) -> float:  # Celery's own signature
        """Wake workers for what is due, and for everything at the start or after a clock change."""
        now = self.app.now()
        if self._latest is None or now < self._latest:
            for entry in self.schedule.values():
                entry.last_run_at = now - entry.schedule.run_every
            self._heap = None
        self._latest = now
        wait: float = super().tick(*args, **options)
        return wait


def _end_at_once(**_signal: object) -> None:
    """End beat at a signal; the exception that Celery raises might be caught somewhere."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: os._exit(0))


beat_init.connect(_end_at_once)
