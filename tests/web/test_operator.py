"""How the house is: strangers learn whether it is well, the operator how things stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from table import ANN, Table

from bench.servers import RedisServer

TOKEN = "a long secret of the operator's"
STRANGER = {"REMOTE_ADDR": "192.0.2.7"}
DETAILS = {
    "ok": True,
    "database": "ok",
    "unread": 0,
    "oldest_unread": None,
    "unsent": 0,
    "oldest_unsent": None,
    "dead": 0,
    "last_sweep": None,
}


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return table.app(operator_token=TOKEN).test_client()


def test_a_stranger_is_told_that_the_house_is_well_and_no_more(client: FlaskClient) -> None:
    answer = client.get("/healthz", environ_overrides=STRANGER)

    assert (answer.status_code, answer.get_data(as_text=True)) == (200, "ok\n")
    assert client.get("/metrics", environ_overrides=STRANGER).status_code == 404


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_who_comes_by_a_proxy_on_this_machine_is_a_stranger(client: FlaskClient, header: str) -> None:
    assert client.get("/healthz", headers={header: "127.0.0.1"}).get_data(as_text=True) == "ok\n"
    assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 404


@pytest.mark.parametrize("shown", ["Bearer wrong", "Bearer", "Basic YTpi", f"Token {TOKEN}", "Bearer é", ""])
def test_a_wrong_token_makes_nobody_an_operator(client: FlaskClient, shown: str) -> None:
    answer = client.get("/healthz", headers={"Authorization": shown}, environ_overrides=STRANGER)

    assert answer.get_data(as_text=True) == "ok\n"


@pytest.mark.parametrize("broker", [None, "redis://127.0.0.1:1/0"])
def test_the_operator_is_told_how_things_stand(table: Table, broker: str | None) -> None:
    client = table.app(broker, TOKEN).test_client()
    with_token = {"Authorization": f"Bearer {TOKEN}"}

    far = client.get("/healthz", headers=with_token, environ_overrides=STRANGER).get_json()
    near = client.get("/healthz").get_json()

    assert far == near
    said = near.pop("broker")
    assert near == DETAILS
    assert said.startswith("Redis does not answer" if broker else "not in use")


def test_waiting_letters_are_counted_with_their_age(client: FlaskClient, table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.clock.pass_by(seconds=90)

    waiting = client.get("/healthz").get_json()
    table.read()
    read = client.get("/healthz").get_json()

    assert (waiting["unread"], waiting["oldest_unread"]) == (1, 90)
    assert (read["unread"], read["unsent"], read["oldest_unsent"]) == (0, 1, 0)


def test_prometheus_is_told_the_same(client: FlaskClient, table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.clock.pass_by(seconds=90)

    lines = client.get("/metrics").get_data(as_text=True).splitlines()

    assert "corr_database_up 1" in lines
    assert "corr_letters_unread 1" in lines
    assert "corr_oldest_unread_seconds 90" in lines
    assert "# TYPE corr_oldest_unread_seconds gauge" in lines


def test_a_house_without_its_database_is_not_well(sqlite_table: Table, tmp_path: Path) -> None:
    sqlite_table.house.store.close()
    (tmp_path / "corr.sqlite").write_bytes(b"no database at all" * 100)
    client = sqlite_table.app().test_client()

    stranger = client.get("/healthz", environ_overrides=STRANGER)
    operator = client.get("/healthz")

    assert (stranger.status_code, stranger.get_data(as_text=True)) == (503, "not ok\n")
    assert (operator.status_code, operator.get_json()["database"]) == (503, "does not answer")
    assert "corr_database_up 0" in client.get("/metrics").get_data(as_text=True)


def test_a_redis_that_may_forget_knocks_is_told_of(table: Table, redis: RedisServer) -> None:
    client = table.app(redis.url).test_client()

    assert client.get("/healthz").get_json()["broker"] == "ok"
    redis.say("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    assert "maxmemory-policy is allkeys-lru" in client.get("/healthz").get_json()["broker"]
