"""Wakes the workers before a command ends."""

from __future__ import annotations

import os

from corr.config import Config
from corr.worker_wakeup import Work, WorkerWaker

_PATIENCE = 2.0


def wake_workers(work: Work) -> None:
    """Wake the workers; without a broker, their sweep finds the work."""
    redis_url = Config.from_env(os.environ).redis_url
    if redis_url:
        knocker = WorkerWaker(redis_url)
        knocker(work)
        knocker.finish(_PATIENCE)
