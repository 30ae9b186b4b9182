"""When an answer is given, depending on when it was asked for and when it is ready."""

from __future__ import annotations

import random
from datetime import timedelta
from statistics import mean

import pytest

from corr.service.answer_timing import AT_ONCE, EMAILS, PAGES
from tests.support.table import NOON

DELAY = 0.003


@pytest.fixture
def _fixed_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "expovariate", lambda _rate: DELAY)


@pytest.mark.usefixtures("_fixed_delay")
def test_an_answer_comes_at_the_end_of_a_step_however_soon_it_is_ready() -> None:
    for taken in (0.0, 0.001, 0.007, 0.0399):
        assert taken + PAGES.rest(taken) == pytest.approx(0.043)
    assert 0.041 + PAGES.rest(0.041) == pytest.approx(0.083)


def test_a_random_delay_is_added() -> None:
    waits = [PAGES.rest(0.004) for _ in range(4_000)]

    assert min(waits) >= 0.036
    assert mean(waits) == pytest.approx(0.051, abs=0.002)
    assert max(waits) > 0.08


@pytest.mark.usefixtures("_fixed_delay")
@pytest.mark.parametrize(
    ("taken", "given"), [(0, 103), (1, 103), (27, 103), (99, 103), (100, 203), (101, 203), (3_650, 3_703)]
)
def test_an_email_leaves_at_the_end_of_the_step_in_which_it_is_ready(taken: int, given: int) -> None:
    moment = EMAILS.moment(NOON, NOON + timedelta(milliseconds=taken))

    assert moment == NOON + timedelta(milliseconds=given)


@pytest.mark.usefixtures("_fixed_delay")
def test_an_email_from_a_clock_that_is_ahead_leaves_within_a_step() -> None:
    moment = EMAILS.moment(NOON + timedelta(milliseconds=30), NOON)

    assert moment == NOON + timedelta(milliseconds=33)


def test_nothing_waits_while_the_clock_is_stopped() -> None:
    assert AT_ONCE.moment(NOON, NOON + timedelta(milliseconds=7)) == NOON + timedelta(milliseconds=7)
