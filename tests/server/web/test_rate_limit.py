"""The rate limit: too many requests are refused, so timing measurements tell nothing."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from flask import Flask

from corr.web.assets import stamp
from corr.web.rate_limit import Bucket, Buckets
from tests.support.browser import Browser
from tests.support.database_servers import free_port
from tests.support.table import ANN, BEN, Table

FAR = {"X-Forwarded-For": "192.0.2.7"}
SLOW = 0.000_1  # per second: such a bucket doesn't refill during a test


@dataclass
class Watch:
    """A clock that is set by hand, in seconds."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


# ---------------------------------------------------------------- buckets


def test_a_bucket_is_emptied_at_once_and_then_refills() -> None:
    watch = Watch()
    buckets, one = Buckets(None, watch), [Bucket("ann", 4, 3)]

    assert [buckets.take(one) for _ in range(5)] == [0, 0, 0, 0.25, 0.25]
    watch.now += 0.25
    assert [buckets.take(one) for _ in range(2)] == [0, 0.25]
    watch.now += 1_000
    assert [buckets.take(one) for _ in range(4)] == [0, 0, 0, 0.25]


def test_fifty_requests_a_second_soon_get_four_answers() -> None:
    watch = Watch()
    buckets, given = Buckets(None, watch), []
    for _ in range(50 * 60):
        given.append(buckets.take([Bucket("ann", 4, 200)]) == 0)
        watch.now += 0.02

    assert sum(given[:250]) < 230
    assert sum(given[-500:]) == pytest.approx(40, abs=1)


def test_nothing_is_taken_from_a_bucket_if_another_is_empty() -> None:
    buckets = Buckets(None, Watch())
    server, ann = Bucket("house", 1, 2), Bucket("ann", 1, 1)

    assert [buckets.take([server, ann]) > 0 for _ in range(5)] == [False, True, True, True, True]
    assert buckets.take([server]) == 0
    assert buckets.take([server]) > 0


def test_a_redis_that_does_not_answer_is_left_alone_for_a_while() -> None:
    watch, port = Watch(), free_port()
    buckets = Buckets(f"redis://127.0.0.1:{port}/0", watch)

    assert [buckets.take([Bucket("ann", 1, 2)]) for _ in range(3)] == [0, 0, 1]
    watch.now += 60
    assert buckets.take([Bucket("ann", 1, 2)]) == 0


def test_the_buckets_in_memory_do_not_grow_for_ever() -> None:
    buckets = Buckets(None, Watch())
    for number in range(11_000):
        buckets.take([Bucket(str(number), 1, 1)])

    assert buckets.take([Bucket("0", 1, 1)]) == 0
    assert buckets.take([Bucket("10999", 1, 1)]) > 0


# ---------------------------------------------------------------- pages


def drain(app: Flask, name: str, rate: float, size: int) -> None:
    """Empty one of the app's buckets."""
    buckets = app.extensions["buckets"] = Buckets(None, Watch())
    for _ in range(size):
        buckets.take([Bucket(name, rate, size)])


@pytest.mark.parametrize(
    "path", ["/", "/rules", "/no/such/page", "/healthz", "/static/any/base.css", "/sign-in"]
)
def test_too_many_requests_are_answered_with_retry_after(table: Table, path: str) -> None:
    app = table.app()
    drain(app, "address 192.0.2.7", 20, 600)
    client = app.test_client()

    refused = client.get(path, headers=FAR)

    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
    assert "Please wait a moment" in refused.get_data(as_text=True)
    others = ("POST", FAR), ("GET", {"X-Forwarded-For": "192.0.2.8"}), ("GET", {})
    statuses = []
    for method, headers in others:
        with client.open(path, method=method, headers=headers) as answer:
            statuses.append(answer.status_code == 429)
    assert statuses == [True, False, False]


def test_an_ipv6_network_shares_one_bucket(table: Table) -> None:
    app = table.app()
    drain(app, "address 2001:db8:1:2::/64", 20, 600)
    client = app.test_client()
    statuses = {
        address: client.get("/rules", headers={"X-Forwarded-For": address}).status_code
        for address in ("2001:db8:1:2::7", "2001:db8:1:2:ffff::1", "2001:db8:1:3::7", "fe80::%x%y", "odd")
    }

    assert list(statuses.values()) == [429, 429, 200, 200, 200]


def test_each_browser_has_a_bucket_of_its_own(table: Table) -> None:
    table.begin()
    app = table.app()
    ann, ben = Browser(app), Browser(app)
    ann.sign_in(table, ANN)
    ben.sign_in(table, BEN)
    app.extensions["buckets"] = _RecordedBuckets()

    for browser in (ann, ann, ben):
        browser.client.get("/games/", headers=FAR)

    named = app.extensions["buckets"].names
    assert [names[0] for names in named] == ["address 192.0.2.7"] * 3
    assert named[0][1] == named[1][1] != named[2][1]
    assert named[0][1].startswith("browser ")


def test_static_files_do_not_count_against_the_browser(table: Table) -> None:
    table.begin()
    app = table.app()
    ann = Browser(app)
    ann.sign_in(table, ANN)
    app.extensions["buckets"] = _RecordedBuckets()

    for path in (f"/static/{stamp()}/base.css", "/static/older/table.js", f"/static/{stamp()}/pieces/wK.svg"):
        ann.client.get(path, headers=FAR)

    assert app.extensions["buckets"].names == [["address 192.0.2.7"]] * 3


class _RecordedBuckets(Buckets):
    """Buckets that are never empty and record which were used."""

    def __init__(self) -> None:
        super().__init__(None)
        self.names: list[list[str]] = []

    def take(self, buckets: object) -> float:
        assert isinstance(buckets, list)
        self.names.append([each.name for each in buckets])
        return 0.0
