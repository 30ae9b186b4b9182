"""Orders from pages go to the umpire one at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from corr.web.order_submission import OrderLock


def test_only_one_thread_holds_the_lock() -> None:
    lock, others, inside, most = OrderLock(), threading.Event(), 0, 0

    def write(_number: int) -> None:
        nonlocal inside, most
        with lock.turn():
            inside += 1
            most = max(most, inside)
            others.wait(0.001)  # without a lock another thread would come in here
            inside -= 1

    with ThreadPoolExecutor(8) as writers:
        list(writers.map(write, range(200)))

    assert most == 1


def test_nobody_waits_forever() -> None:
    lock = OrderLock(longest=0)

    with lock.turn(), lock.turn():
        pass

    with lock.turn():
        pass


def test_an_error_releases_the_lock() -> None:
    lock = OrderLock()

    with pytest.raises(ValueError, match="torn"), lock.turn():
        raise ValueError("torn")

    with lock.turn():
        pass
