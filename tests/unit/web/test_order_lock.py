"""What is written on pages goes to the umpire one at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from corr.web.order_submission import OrderLock


def test_one_at_a_time_is_at_the_hatch() -> None:
    lock, others, inside, most = OrderLock(), threading.Event(), 0, 0

    def write(_number: int) -> None:
        nonlocal inside, most
        with lock.turn():
            inside += 1
            most = max(most, inside)
            others.wait(0.001)  # here another one would come in, were there no lock
            inside -= 1

    with ThreadPoolExecutor(8) as writers:
        list(writers.map(write, range(200)))

    assert most == 1


def test_nobody_waits_for_ever_for_those_before() -> None:
    lock = OrderLock(longest=0)

    with lock.turn(), lock.turn():
        pass

    with lock.turn():
        pass


def test_an_error_leaves_the_hatch_free() -> None:
    lock = OrderLock()

    with pytest.raises(ValueError, match="torn"), lock.turn():
        raise ValueError("torn")

    with lock.turn():
        pass
