"""The workers' tasks."""

from __future__ import annotations

from collections.abc import Callable

from celery import Celery

from corr.bot_runner import bot_turns
from corr.service import worker_rounds
from corr.service.admin import statistics
from corr.service.games import outages
from corr.service.players import house_bots, notification_queue
from corr.service.server import Server
from corr.worker_wakeup import Work, WorkerWaker
from worker.app import make_app

_STINT = 2.0  # how long one task goes on while there is work; short, so that a worker stops soon when told to


def make_worker_app(server: Server, knock: WorkerWaker, broker_url: str) -> Celery:
    """Create the Celery app with its tasks."""
    app = make_app(broker_url)
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
