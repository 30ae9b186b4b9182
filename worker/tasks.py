"""The Celery app: what a worker does when it is woken, and how often beat wakes it anyway."""

from __future__ import annotations

from celery import Celery

from corr.desk import hours, outbox, reader
from corr.desk.house import House
from corr.knock import Knocker, Work

_SWEEPS = {Work.READ: 5.0, Work.SEND: 5.0, Work.HOURS: 15.0}


def make_app(house: House, knock: Knocker, broker_url: str) -> Celery:
    """A Celery app whose tasks work in one house."""
    app = Celery("corr", broker=broker_url)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=True,
        worker_prefetch_multiplier=1,
        broker_connection_retry_on_startup=True,
        worker_hijack_root_logger=False,
        timezone="UTC",
        beat_schedule={
            f"sweep {work}": {"task": work.value, "schedule": every, "options": {"expires": every}}
            for work, every in _SWEEPS.items()
        },
    )

    def read() -> None:
        while reader.read_next(house, house.now()):
            knock(Work.SEND)

    def send() -> None:
        while outbox.send_next(house, house.now()):
            pass

    def sweep() -> None:
        if hours.sweep(house, house.now()):
            knock(Work.SEND)

    for work, task in ((Work.READ, read), (Work.SEND, send), (Work.HOURS, sweep)):
        app.task(task, name=work.value)
    return app
