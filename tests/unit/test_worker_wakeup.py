"""Knocks: they never block or fail, and wake a worker if there is one."""

from __future__ import annotations

import multiprocessing
import socket
import threading

from celery import Celery

from corr.worker_wakeup import Work, WorkerWaker
from tests.support.waiting import TIMEOUT, join
from tests.support.work_counter import count_calls


def next_task(broker: str) -> tuple[str, list[object]]:
    """Return the next task that a worker would get, with its arguments."""
    with Celery(broker=broker).connection() as connection, connection.SimpleQueue("celery") as queue:
        message = queue.get(timeout=TIMEOUT)
        message.ack()
        return message.headers["task"], message.payload[0]


def test_a_knock_carries_only_the_name_of_the_work() -> None:
    knock = WorkerWaker("memory://")

    knock(Work.LETTERS)

    assert next_task("memory://") == ("corr.letters", [])


def test_a_knock_can_be_delayed() -> None:
    knock = WorkerWaker("memory://")

    knock.later(0.01, Work.HOURS)

    assert next_task("memory://") == ("corr.hours", [])


def test_a_dead_broker_does_not_block() -> None:
    knock = WorkerWaker("redis://127.0.0.1:1/0")
    knock(Work.LETTERS)

    assert count_calls(lambda: knock(Work.LETTERS, Work.HOURS)) < 50


def test_a_silent_broker_does_not_block() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        knock = WorkerWaker(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        knock(Work.LETTERS)

        assert count_calls(lambda: knock(Work.LETTERS, Work.HOURS)) < 50


def knock_in_a_child(knock: WorkerWaker) -> None:
    knock(Work.LETTERS)
    assert "knock" in {thread.name for thread in threading.enumerate()}


def test_a_forked_worker_can_knock_too() -> None:
    """A forked child has none of its parent's threads."""
    knock = WorkerWaker("memory://")
    knock(Work.LETTERS)
    child = multiprocessing.get_context("fork").Process(target=knock_in_a_child, args=(knock,))

    child.start()
    join(child)

    assert child.exitcode == 0
