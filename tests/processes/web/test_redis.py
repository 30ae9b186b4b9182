"""What the website's processes share through Redis."""

from __future__ import annotations

import pytest
from redis import Redis

from corr.web.rate_limit import Bucket, Buckets
from tests.support.browser import Browser, text_of_page
from tests.support.database_servers import RedisServer
from tests.support.table import EVE, Table

SLOW = 0.000_1  # a second: nothing comes into such a bucket while a test runs


def test_a_redis_that_may_evict_knocks_is_reported(table: Table, redis: RedisServer) -> None:
    client = table.app(redis.url).test_client()

    assert client.get("/healthz").get_json()["broker"] == "ok"
    redis.say("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    assert "maxmemory-policy is allkeys-lru" in client.get("/healthz").get_json()["broker"]


def test_two_processes_share_rate_limits(redis: RedisServer) -> None:
    one, other = Buckets(redis.url), Buckets(redis.url)
    taken = [each.take([Bucket("ann", SLOW, 3)]) for each in (one, other, one, other)]

    assert taken[:3] == [0, 0, 0]
    assert taken[3] == pytest.approx(1 / SLOW, rel=0.01)
    assert other.take([Bucket("ben", SLOW, 3)]) == 0


def test_ip_addresses_are_kept_for_an_hour_as_the_privacy_page_says(table: Table, redis: RedisServer) -> None:
    browser = Browser(table.app(redis.url))
    privacy = text_of_page(browser.client.get("/privacy").get_data(as_text=True))
    assert "Your IP address: for an hour, to count your requests" in privacy
    browser.client.environ_base["HTTP_X_FORWARDED_FOR"] = "192.0.2.7"
    browser.open("/sign-in")
    browser.press("Email me a code", address=EVE)
    with Redis.from_url(redis.url, decode_responses=True) as kept:
        seconds = {key.split(":")[1]: kept.ttl(key) for key in kept.scan_iter("*192.0.2.7*")}

    assert set(seconds) == {"bucket", "limit"}
    assert all(0 < each <= 3_600 for each in seconds.values())
