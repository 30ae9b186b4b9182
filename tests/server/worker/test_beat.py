"""Beat goes on, whatever becomes of the wall clock."""

from __future__ import annotations

from datetime import timedelta
from queue import Empty

from celery import Celery

from corr.worker_wakeup import WorkerWaker
from tests.support.table import Clock, Table
from worker.beat import Beat
from worker.tasks import make_app


def woken(app: Celery, beat: Beat) -> set[str]:
    """What beat wakes at this moment."""
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


def test_beat_wakes_the_workers_again_soon_after_the_clock_was_set_back(table: Table) -> None:
    clock = Clock()
    app = make_app(table.server, WorkerWaker("memory://"), "memory://")
    app.now = clock
    beat = Beat(app)
    woken(app, beat)
    clock.pass_by(seconds=20)
    assert woken(app, beat) == {"corr.letters", "corr.hours"}

    clock.moment -= timedelta(hours=1)
    woken(app, beat)
    clock.pass_by(seconds=20)

    assert woken(app, beat) == {"corr.letters", "corr.hours"}
