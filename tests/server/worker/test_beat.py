"""The beat keeps waking workers when the wall clock is set back."""

from __future__ import annotations

from datetime import timedelta
from queue import Empty

from celery import Celery

from tests.support.table import Clock
from worker.app import make_app
from worker.beat import Beat


def sent_tasks(app: Celery, beat: Beat) -> set[str]:
    """The tasks that beat sends now."""
    while beat.tick() <= 0:
        pass
    names = set()
    with app.connection() as connection, connection.SimpleQueue("celery") as queue:
        while True:
            try:
                message = queue.get(block=False)
            except Empty:
                return names
            message.ack()
            names.add(message.headers["task"])


def test_beat_wakes_the_workers_soon_after_the_clock_was_set_back() -> None:
    clock = Clock()
    app = make_app("memory://")
    app.now = clock
    beat = Beat(app)
    sent_tasks(app, beat)
    clock.advance(seconds=20)
    assert sent_tasks(app, beat) == {"corr.letters", "corr.hours"}

    clock.moment -= timedelta(hours=1)
    sent_tasks(app, beat)
    clock.advance(seconds=20)

    assert sent_tasks(app, beat) == {"corr.letters", "corr.hours"}
