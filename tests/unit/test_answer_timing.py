"""At which moment an answer is given, reckoned from when it was asked for and when it is ready."""

from __future__ import annotations

import random
from datetime import timedelta
from statistics import mean

import pytest

from corr.service.answer_timing import AT_ONCE, EMAILS, PAGES
from tests.support.table import NOON

LOT = 0.003


@pytest.fixture
def _the_lot_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "expovariate", lambda _rate: LOT)


@pytest.mark.usefixtures("_the_lot_is_the_same")
def test_an_answer_is_given_as_late_whether_it_was_soon_ready_or_not() -> None:
    for taken in (0.0, 0.001, 0.007, 0.0399):
        assert taken + PAGES.rest(taken) == pytest.approx(0.043)
    assert 0.041 + PAGES.rest(0.041) == pytest.approx(0.083)


def test_by_lot_it_is_later_still() -> None:
    waits = [PAGES.rest(0.004) for _ in range(4_000)]

    assert min(waits) >= 0.036
    assert mean(waits) == pytest.approx(0.051, abs=0.002)
    assert max(waits) > 0.08


@pytest.mark.usefixtures("_the_lot_is_the_same")
@pytest.mark.parametrize(
    ("taken", "given"), [(0, 103), (1, 103), (27, 103), (99, 103), (100, 203), (101, 203), (3_650, 3_703)]
)
def test_a_letter_goes_at_the_end_of_the_step_in_which_it_is_ready(taken: int, given: int) -> None:
    moment = EMAILS.moment(NOON, NOON + timedelta(milliseconds=taken))

    assert moment == NOON + timedelta(milliseconds=given)


@pytest.mark.usefixtures("_the_lot_is_the_same")
def test_what_came_by_a_clock_that_is_ahead_goes_within_a_step_as_well() -> None:
    moment = EMAILS.moment(NOON + timedelta(milliseconds=30), NOON)

    assert moment == NOON + timedelta(milliseconds=33)


def test_where_the_clock_stands_still_nothing_waits() -> None:
    assert AT_ONCE.moment(NOON, NOON + timedelta(milliseconds=7)) == NOON + timedelta(milliseconds=7)
