"""The time left of a turn, in two numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from corr.service.games import poll_status

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SPANS = {
    "3 d 0 h": timedelta(days=3),
    "2 d 23 h": timedelta(days=3, seconds=-1),
    "2 d 0 h": timedelta(days=2, seconds=59),
    "1 d 0 h": timedelta(days=1),
    "23 h 59 min": timedelta(days=1, seconds=-1),
    "1 h 0 min": timedelta(hours=1),
    "0 h 0 min": timedelta(seconds=59),
    "0 h 1 min": timedelta(minutes=1),
}


@pytest.mark.parametrize("words", SPANS)
def test_the_time_left_has_two_numbers_rounded_down(words: str) -> None:
    assert poll_status.word_minutes(poll_status.count_minutes(NOON + SPANS[words], NOON)) == words


def test_no_time_is_left_after_the_deadline() -> None:
    assert poll_status.count_minutes(NOON, NOON + timedelta(days=1)) == 0


def test_seconds_of_a_deadline_never_show() -> None:
    late, early = (NOON + timedelta(seconds=seconds) for seconds in (59.9, 0))

    for now in (NOON - timedelta(minutes=1, seconds=seconds) for seconds in (0, 1, 30, 59)):
        assert poll_status.count_minutes(late, now) == poll_status.count_minutes(early, now)
    assert poll_status.round_to_minute(late) == poll_status.round_to_minute(early)
