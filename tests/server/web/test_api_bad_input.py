"""Bad API input: the answer says in JSON what is wrong, and nothing is done."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import event, func, select

from corr import limits
from corr.store.tables import InboxRow
from corr.web.rate_limit import Bucket, Buckets, hash_secret
from tests.support.api_bots import ApiBot, bearer_header, first_game_code, make_token
from tests.support.bot_game import challenge
from tests.support.table import ANN, Table

FAR = {"X-Forwarded-For": "192.0.2.7"}


@pytest.fixture
def token(table: Table) -> str:
    """The token of Ann's bot, which plays Pip."""
    challenge(table, "Pip", "wild16")
    return make_token(table, ANN, plays=True)


def orders_received(table: Table) -> int:
    """Count the orders that came by page or API."""
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).where(InboxRow.page)).scalar_one()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"e2e4"',
        b"\xff\xfe",
        b"[" * 50_000,
        b'{"text": "e2e4"}',
        b'{"text": "e2e4", "stamp": 3}',
        b'{"text": "e2e4", "stamp": "now"}',
        b'{"text": "e2e4", "stamp": "1-0-0-0"}',
        b'{"text": "e2e4", "stamp": "99999999999-0-0"}',
        b'{"text": ["e2e4"], "stamp": "1-0-0"}',
        b'{"text": " \\n ", "stamp": "1-0-0"}',
        b'{"text": "\\ud800", "stamp": "1-0-0"}',
        b'{"text": "e2e4", "stamp": "1-0-0", "side": "both"}',
        b'{"text": "e2e4", "stamp": "1-0-0", "side": null}',
        b'{"text": "e2e4", "stamp": "1-0-0", "side": ""}',
        b'{"text": "e2e4", "stamp": "1-0-0", "sides": "white"}',
    ],
)
def test_a_body_of_the_wrong_shape_is_refused(table: Table, token: str, body: bytes) -> None:
    path = f"/api/games/{first_game_code(table)}/orders"
    answer = table.app_with_workers().test_client().post(path, data=body, headers=bearer_header(token))

    assert answer.status_code == 400
    assert answer.get_json()["error"].endswith(".")
    assert orders_received(table) == 0


def test_too_many_orders_are_refused(table: Table, token: str) -> None:
    answer = ApiBot(table, token).write(first_game_code(table), "e2e4\n" * 3_000)

    assert answer.status_code == 400
    assert orders_received(table) == 0


def test_a_body_of_ten_megabytes_is_refused(table: Table, token: str) -> None:
    body = json.dumps({"text": "e" * 10_000_000, "stamp": "1-0-0"})
    path = f"/api/games/{first_game_code(table)}/orders"
    answer = table.app_with_workers().test_client().post(path, data=body, headers=bearer_header(token))

    assert (answer.status_code, answer.content_type) == (413, "application/json")
    assert answer.get_json()["error"].endswith(".")
    assert orders_received(table) == 0


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/", 404),
        ("GET", "/api/nothing", 404),
        ("POST", "/api/games", 405),
        ("GET", "/api/games/abcde/orders", 405),
        ("DELETE", "/api/games/abcde/slips", 405),
        ("POST", "/api/games/abc%00de/orders", 404),
    ],
)
def test_missing_addresses_are_answered_in_json(
    table: Table, token: str, method: str, path: str, status: int
) -> None:
    sent = {"text": "e2e4", "stamp": "1-0-0"} if method == "POST" else None
    answer = (
        table.app_with_workers()
        .test_client()
        .open(path, method=method, json=sent, headers=bearer_header(token))
    )

    assert (answer.status_code, answer.content_type) == (status, "application/json")
    assert answer.get_json()["error"].endswith(".")
    assert method != "POST" or status != 405 or "GET" in answer.headers["Allow"]


def test_requests_over_the_rate_limit_never_reach_the_database(table: Table, token: str) -> None:
    app, asked = table.app_with_workers(), []
    client = app.test_client()
    assert client.get("/api/games", headers=bearer_header(token)).status_code == 200
    buckets = app.extensions["buckets"] = Buckets(None, lambda: 1_000.0)
    size = limits.BOT_PAGES[1]
    for _ in range(size):
        buckets.take([Bucket(f"program {hash_secret(token)}", *limits.BOT_PAGES)])
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *_: asked.append(1))
    answers = [client.get("/api/games", headers=bearer_header(token) | FAR) for _ in range(20)]

    assert {(each.status_code, each.headers["Retry-After"]) for each in answers} == {(429, "1")}
    assert {each.content_type for each in answers} == {"application/json"}
    assert asked == []


def test_a_token_has_one_rate_limit_for_all_addresses(table: Table, token: str) -> None:
    app = table.app_with_workers()
    buckets = app.extensions["buckets"] = Buckets(None, lambda: 1_000.0)
    for _ in range(limits.BOT_PAGES[1]):
        buckets.take([Bucket(f"program {hash_secret(token)}", *limits.BOT_PAGES)])
    client = app.test_client()

    statuses = {
        place: client.get("/api/games", headers=bearer_header(token) | {"X-Forwarded-For": place}).status_code
        for place in ("192.0.2.7", "198.51.100.9")
    }
    assert set(statuses.values()) == {429}


def test_too_many_orders_an_hour_are_answered_with_retry_after(
    table: Table, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BOT_ORDERS_AN_HOUR", 1)
    guest, code = ApiBot(table, token), first_game_code(table)
    first, second = guest.write(code, "e1e3"), guest.write(code, "e1e3")

    assert (first.status_code, second.status_code) == (200, 429)
    assert 0 < int(second.headers["Retry-After"]) <= 3_600


def test_our_own_errors_are_answered_in_json_too(table: Table, token: str) -> None:
    def broken() -> None:
        raise RuntimeError

    app: Any = table.app_with_workers()
    app.add_url_rule("/api/broken", view_func=broken)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    answer = app.test_client().get("/api/broken", headers=bearer_header(token))

    assert (answer.status_code, answer.content_type) == (500, "application/json")
    assert answer.get_json()["error"].endswith(".")
