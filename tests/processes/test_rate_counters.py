"""Rate limits, counted for all processes if there is Redis."""

from __future__ import annotations

from corr.web.rate_limit import ActionCounter
from tests.support.database_servers import RedisServer, free_port

HOUR = 3_600


def test_a_limit_allows_so_many_and_no_more() -> None:
    counts = ActionCounter(None)

    assert [counts.allow("ask:192.0.2.7", 3, HOUR) for _ in range(5)] == [True, True, True, False, False]
    assert counts.allow("ask:192.0.2.8", 3, HOUR)


def test_two_processes_share_a_counter(redis: RedisServer) -> None:
    one, other = ActionCounter(redis.url), ActionCounter(redis.url)

    assert [each.allow("ask:192.0.2.7", 3, HOUR) for each in (one, other, one, other)] == [True] * 3 + [False]


def test_without_redis_each_process_counts_alone() -> None:
    counts = ActionCounter(f"redis://127.0.0.1:{free_port()}/0")

    assert [counts.allow("ask:192.0.2.7", 2, HOUR) for _ in range(3)] == [True, True, False]


def test_local_counters_do_not_grow_for_ever() -> None:
    counts = ActionCounter(None)
    for number in range(11_000):
        counts.allow(f"ask:{number}", 1, HOUR)

    assert counts.allow("ask:0", 1, HOUR)
    assert not counts.allow("ask:10999", 1, HOUR)
