"""Who waits for the umpire waits a moment, whoever else does; and all in a process ask as one."""

from __future__ import annotations

import threading
from collections.abc import Collection

import pytest
from sqlalchemy.exc import OperationalError

from corr.web import order_submission as waiting_room
from corr.web.order_submission import AnswerWaiter
from tests.support.waiting import join

MANY = 40


@pytest.fixture
def the_moment_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, all have come before it is over."""
    monkeypatch.setattr(waiting_room, "MOMENT", 120)


class Umpire:
    """Answers nothing until so many wait, and then everything; remembers what it was asked."""

    def __init__(self, until: int) -> None:
        self._until = until
        self.asked: list[Collection[int]] = []

    def __call__(self, written: Collection[int]) -> Collection[int]:
        self.asked.append(written)
        return written if len(written) >= self._until else ()


@pytest.mark.usefixtures("the_moment_lasts")
def test_all_who_wait_are_asked_for_at_once_and_each_is_told() -> None:
    umpire = Umpire(until=MANY)
    patience, told = AnswerWaiter(umpire), []
    waiting = [
        threading.Thread(target=lambda at=at: (patience.wait(at), told.append(at))) for at in range(MANY)
    ]
    for thread in waiting:
        thread.start()
    join(*waiting)

    assert sorted(told) == list(range(MANY))
    assert sorted(umpire.asked[-1]) == list(range(MANY))


@pytest.mark.usefixtures("the_moment_lasts")
def test_nothing_is_asked_while_nobody_waits() -> None:
    umpire = Umpire(until=1)
    patience = AnswerWaiter(umpire)
    for each in (1, 2):
        patience.wait(each)
    for thread in threading.enumerate():
        if thread.name == "answer_waiter":
            join(thread)

    assert umpire.asked == [[1], [2]]


def test_who_is_not_answered_within_the_moment_is_sent_on() -> None:
    umpire = Umpire(until=2)
    AnswerWaiter(umpire).wait(1)

    assert all(asked == [1] for asked in umpire.asked)


def test_while_the_database_is_away_everybody_is_sent_on_after_the_moment() -> None:
    def away(_written: Collection[int]) -> Collection[int]:
        raise OperationalError("", None, Exception())

    patience = AnswerWaiter(away)
    patience.wait(1)
    patience.wait(1)


@pytest.mark.usefixtures("the_moment_lasts")
def test_what_was_sent_twice_is_waited_for_by_both() -> None:
    umpire = Umpire(until=2)
    patience, told = AnswerWaiter(umpire), []
    waiting = [
        threading.Thread(target=lambda at=at: (patience.wait(at), told.append(at))) for at in (1, 1, 2)
    ]
    for thread in waiting:
        thread.start()
    join(*waiting)

    assert sorted(told) == [1, 1, 2]
