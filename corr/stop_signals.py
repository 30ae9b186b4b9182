"""Catches the signals that ask a process to end."""

from __future__ import annotations

import signal
import threading


def catch_stop_signals() -> threading.Event:
    """Make SIGTERM and Ctrl-C set the returned event and do nothing else."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop
