"""`retry_delay`: how long an undelivered email waits, from a minute to hours, with a random part."""

from __future__ import annotations

from datetime import timedelta

import pytest

from corr.service.mail.delivery import retry_delay


@pytest.mark.parametrize(
    ("tries", "minutes"), [(1, 1), (2, 2), (3, 4), (5, 16), (8, 128), (9, 240), (10, 240), (500, 240)]
)
def test_delays_double_up_to_four_hours_give_or_take_a_fifth(tries: int, minutes: int) -> None:
    waits = [retry_delay(tries) / timedelta(minutes=minutes) for _ in range(200)]

    assert 0.8 <= min(waits) < 0.9
    assert 1.1 < max(waits) <= 1.2
