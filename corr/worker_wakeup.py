"""Wakes Celery workers when there is work; a wake-up call never blocks and never fails.

A lost call costs only seconds: the work is in the database, and the regular sweep finds it. `send_task` can block on
a dead broker, so calls go through a queue, which holds each kind of work at most once, to one thread.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from enum import StrEnum

from celery import Celery

log = logging.getLogger(__name__)

#: The seconds after which a call expires, as a sweep has done its work by then.
EXPIRES = 60


class Work(StrEnum):
    """The kinds of work for workers to be woken for, as names of Celery tasks."""

    LETTERS = "corr.letters"
    HOURS = "corr.hours"
    THOUGHTS = "corr.thoughts"
    CALLS = "corr.notifications"


#: The queue of the site's bots, so that no email waits for a bot to think.
THOUGHTS = "thoughts"
#: The queue of webhook calls, so that no email waits for a host that does not answer.
CALLS = "calls"
#: The queues of work outside the default one.
QUEUES = {Work.THOUGHTS.value: {"queue": THOUGHTS}, Work.CALLS.value: {"queue": CALLS}}


class WorkerWaker:
    """Wakes workers through the broker from a background thread, so that callers never wait."""

    def __init__(self, broker_url: str) -> None:
        self._celery = Celery(broker=broker_url)
        self._celery.conf.broker_connection_retry_on_startup = False
        self._celery.conf.task_ignore_result = True
        self._celery.conf.task_routes = QUEUES
        self._celery.conf.broker_transport_options = {"socket_connect_timeout": 5, "socket_timeout": 5}
        self._process, self._hiring = 0, threading.Lock()

    def __call__(self, *works: Work) -> None:
        """Wake a worker for each kind of work, unless a call for it waits already."""
        self._hire()
        for work in works:
            if work not in self._asked:
                self._asked.add(work)
                self._waiting.put_nowait(work)

    def later(self, seconds: float, *works: Work) -> None:
        """Wake a worker after some seconds; if this process ends first, a sweep does the work."""
        if seconds <= 0:
            self(*works)
            return
        timer = threading.Timer(seconds, self, works)
        timer.daemon = True
        timer.start()

    def _hire(self) -> None:
        """Start the thread once in each process, as a worker's forked children do not inherit threads."""
        with self._hiring:
            if self._process != os.getpid():
                self._waiting: queue.Queue[Work] = queue.Queue()
                self._asked: set[Work] = set()
                self._process = os.getpid()
                threading.Thread(target=self._carry, name="knock", daemon=True).start()

    def _carry(self) -> None:
        """Send the waiting wake-up calls to the broker for ever, in the background thread."""
        while True:
            work = self._waiting.get()
            self._asked.discard(work)
            try:
                self._celery.send_task(work.value, retry=False, expires=EXPIRES)
            except Exception as error:  # noqa: BLE001  # whatever the broker's client raises, the sweep remains
                log.warning("Redis did not accept a wake-up call: %s", error)
            self._waiting.task_done()

    def finish(self, seconds: float) -> None:
        """Wait up to `seconds` for the last calls before a short-lived process ends."""
        if self._process == os.getpid():
            with self._waiting.all_tasks_done:
                self._waiting.all_tasks_done.wait_for(lambda: not self._waiting.unfinished_tasks, seconds)
