"""Pages wait a moment for the umpire's answer, and all of a process ask the database together."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable

import pytest
from sqlalchemy.exc import OperationalError

from corr.web import order_submission as waiting_room
from corr.web.order_submission import AnswerWaiter
from tests.support.waiting import join

MANY = 40


@pytest.fixture
def _long_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the moment long enough for all threads to arrive on a busy machine."""
    monkeypatch.setattr(waiting_room, "MOMENT", 120)


class Umpire:
    """Answers nothing until enough orders wait, and then all; remembers every question."""

    def __init__(self, until: int) -> None:
        self._until = until
        self.asked: list[Collection[int]] = []

    def __call__(self, written: Collection[int]) -> Collection[int]:
        self.asked.append(written)
        return written if len(written) >= self._until else ()


def wait_in_threads(umpire: Umpire, orders: Iterable[int]) -> list[int]:
    """Wait for each order in its own thread; return the orders that were answered."""
    waiter, answered = AnswerWaiter(umpire), []
    threads = [
        threading.Thread(target=lambda order=order: (waiter.wait(order), answered.append(order)))
        for order in orders
    ]
    for thread in threads:
        thread.start()
    join(*threads)
    return sorted(answered)


@pytest.mark.usefixtures("_long_moment")
def test_waiting_pages_ask_together_and_all_are_answered() -> None:
    umpire = Umpire(until=MANY)

    assert wait_in_threads(umpire, range(MANY)) == list(range(MANY))
    assert sorted(umpire.asked[-1]) == list(range(MANY))


@pytest.mark.usefixtures("_long_moment")
def test_nothing_is_asked_while_no_page_waits() -> None:
    umpire = Umpire(until=1)
    waiter = AnswerWaiter(umpire)
    for each in (1, 2):
        waiter.wait(each)
    for thread in threading.enumerate():
        if thread.name == "answer_waiter":
            join(thread)

    assert umpire.asked == [[1], [2]]


def test_a_page_stops_waiting_after_a_moment() -> None:
    umpire = Umpire(until=2)
    AnswerWaiter(umpire).wait(1)

    assert all(asked == [1] for asked in umpire.asked)


def test_a_page_stops_waiting_if_the_database_is_away() -> None:
    def away(_written: Collection[int]) -> Collection[int]:
        raise OperationalError("", None, Exception())

    waiter = AnswerWaiter(away)
    waiter.wait(1)
    waiter.wait(1)


@pytest.mark.usefixtures("_long_moment")
def test_two_pages_can_wait_for_the_same_order() -> None:
    assert wait_in_threads(Umpire(until=2), [1, 1, 2]) == [1, 1, 2]
