"""The Celery app: the workers' tasks, and how often beat runs them."""

from __future__ import annotations

from collections.abc import Callable

from celery import Celery

from corr.bot_runner import bot_turns
from corr.service import worker_rounds
from corr.service.admin import statistics
from corr.service.games import outages
from corr.service.players import house_bots, notification_queue
from corr.service.server import Server
from corr.worker_wakeup import EXPIRES, QUEUES, Work, WorkerWaker

_SWEEPS = {Work.LETTERS: 5.0, Work.HOURS: 15.0, Work.THOUGHTS: 5.0, Work.CALLS: 5.0}
_STINT = 2.0  # how long one task goes on while there is work; short, so that a worker stops soon when told to
_TIME_LIMIT = 300
_VISIBILITY = 3_600


def _transport(broker_url: str) -> str | None:
    """Return our own transport for Redis; None lets Celery choose."""
    return "worker.transport:Transport" if broker_url.startswith("redis") else None


def make_app(server: Server, knock: WorkerWaker, broker_url: str) -> Celery:
    """Create the Celery app, with its tasks and beat's schedule."""
    app = Celery("corr", broker=broker_url)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=True,  # every task may be done twice
        task_time_limit=_TIME_LIMIT,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # a broker may be away for a night
        broker_transport_options={
            "visibility_timeout": _VISIBILITY,
            "socket_connect_timeout": 5,
            "socket_timeout": 20,
            "socket_keepalive": True,
        },
        broker_transport=_transport(broker_url),
        timezone="UTC",
        task_routes=QUEUES,
        beat_schedule={
            f"sweep {work}": {"task": work.value, "schedule": every, "options": {"expires": EXPIRES}}
            for work, every in _SWEEPS.items()
        },
    )

    for work, task in make_tasks(server, knock).items():
        app.task(task, name=work.value)
    return app


def make_tasks(server: Server, knock: WorkerWaker) -> dict[Work, Callable[[], None]]:
    """Return the task for each kind of work."""
    turns, caller = worker_rounds.WorkerRounds(server), notification_queue.Caller(server)

    def carry() -> None:
        """Send bots' orders that are due, read and send emails, and let bots think if any has to."""
        bot_turns.write_for_bots(server)
        turns.take(_STINT, lambda seconds: knock.later(seconds, Work.LETTERS))
        if bot_turns.has_waiting_bot(server):
            knock(Work.THOUGHTS)

    def sweep() -> None:
        """Do what is due: flag players, send reminders and the like."""
        if worker_rounds.sweep(server, server.now()):
            knock(Work.LETTERS)
        statistics.record_run(server, outages.SWEEP_SIGN, server.now())

    def think() -> None:
        """Let bots choose their orders."""
        bot_turns.think_for_bots(server, _STINT, lambda seconds: knock.later(seconds, Work.LETTERS))
        statistics.record_run(server, house_bots.THINKING_SIGN, server.now())

    def call() -> None:
        """Send waiting notifications to webhooks and browsers."""
        caller.call_some(_STINT, lambda: knock(Work.CALLS))

    return {Work.LETTERS: carry, Work.HOURS: sweep, Work.THOUGHTS: think, Work.CALLS: call}
