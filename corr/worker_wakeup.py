"""There is work: a word to the workers that never blocks and never fails.

The database carries the letters and a sweep finds what was not knocked for, so a lost knock costs
seconds. `send_task` can block for seconds on a dead broker: hence the queue, which holds each kind of work
at most once, and its one thread.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from enum import StrEnum

from celery import Celery

log = logging.getLogger(__name__)


#: Seconds after which nobody need follow a knock: a sweep has done its work by then.
EXPIRES = 60


class Work(StrEnum):
    """What a worker can be woken for; the values are the names of its tasks."""

    LETTERS = "corr.letters"
    HOURS = "corr.hours"
    THOUGHTS = "corr.thoughts"
    CALLS = "corr.calls"


#: The house players' own queue: no letter waits for a thought.
THOUGHTS = "thoughts"
#: The queue of calls: no letter waits for a host that does not answer.
CALLS = "calls"
#: In which queue what waits, other than the usual one.
QUEUES = {Work.THOUGHTS.value: {"queue": THOUGHTS}, Work.CALLS.value: {"queue": CALLS}}


class Knocker:
    """Wakes the workers by name, from a thread of its own."""

    def __init__(self, broker_url: str) -> None:
        self._celery = Celery(broker=broker_url)
        self._celery.conf.broker_connection_retry_on_startup = False
        self._celery.conf.task_ignore_result = True
        self._celery.conf.task_routes = QUEUES
        self._celery.conf.broker_transport_options = {"socket_connect_timeout": 5, "socket_timeout": 5}
        self._process, self._hiring = 0, threading.Lock()

    def __call__(self, *works: Work) -> None:
        """Ask for some work to be done soon."""
        self._hire()
        for work in works:
            if work not in self._asked:
                self._asked.add(work)
                self._waiting.put_nowait(work)

    def later(self, seconds: float, *works: Work) -> None:
        """The same in so many seconds; what is asked for by then is lost with the process, and left to the sweep."""
        if seconds <= 0:
            self(*works)
            return
        timer = threading.Timer(seconds, self, works)
        timer.daemon = True
        timer.start()

    def _hire(self) -> None:
        """Start the thread, in each process anew: a thread does not live on in a worker's forked children."""
        with self._hiring:
            if self._process != os.getpid():
                self._waiting: queue.Queue[Work] = queue.Queue()
                self._asked: set[Work] = set()
                self._process = os.getpid()
                threading.Thread(target=self._carry, name="knock", daemon=True).start()

    def _carry(self) -> None:
        while True:
            work = self._waiting.get()
            self._asked.discard(work)
            try:
                self._celery.send_task(work.value, retry=False, expires=EXPIRES)
            except Exception as error:  # noqa: BLE001  # whatever the broker's client raises, the sweep remains
                log.warning("the broker did not take a wake-up call: %s", error)
            self._waiting.task_done()

    def finish(self, seconds: float) -> None:
        """Let the last knocks go out before a short-lived process ends, but wait no longer than this."""
        if self._process == os.getpid():
            with self._waiting.all_tasks_done:
                self._waiting.all_tasks_done.wait_for(lambda: not self._waiting.unfinished_tasks, seconds)
