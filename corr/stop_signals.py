"""The signals that ask a process to end."""

from __future__ import annotations

import signal
import threading


def heed_signals() -> threading.Event:
    """From now on SIGTERM and Ctrl-C set this and do nothing else."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop
