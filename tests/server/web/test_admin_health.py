"""Health and metrics: strangers learn only whether the server is well, operators see the figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from corr.mail.outward.transport import DeliveryFate
from corr.service.admin import games, statistics
from corr.service.players import players
from tests.support.docs import PAGES
from tests.support.moody_transport import ScriptedMailer, send_all_due
from tests.support.table import ANN, EVE, Table
from tests.support.tutorial import last_tutorial_email

TOKEN = "a long secret of the operator's"
STRANGER = {"REMOTE_ADDR": "192.0.2.7"}
DETAILS = {
    "ok": True,
    "database": "ok",
    "games_running": 0,
    "games_over": 0,
    "turns": 0,
    "late_news": 0,
    "dead_news": 0,
    "last_sweep": None,
}


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return table.app(operator_token=TOKEN).test_client()


def test_a_stranger_learns_only_that_the_server_is_well(client: FlaskClient) -> None:
    answer = client.get("/healthz", environ_overrides=STRANGER)

    assert (answer.status_code, answer.get_data(as_text=True)) == (200, "ok\n")
    assert client.get("/metrics", environ_overrides=STRANGER).status_code == 404


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_a_request_through_a_local_proxy_counts_as_a_strangers(client: FlaskClient, header: str) -> None:
    assert client.get("/healthz", headers={header: "127.0.0.1"}).get_data(as_text=True) == "ok\n"
    assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 404


@pytest.mark.parametrize(
    "documented", ["Bearer wrong", "Bearer", "Basic YTpi", f"Token {TOKEN}", "Bearer é", ""]
)
def test_a_wrong_token_shows_no_figures(client: FlaskClient, documented: str) -> None:
    answer = client.get("/healthz", headers={"Authorization": documented}, environ_overrides=STRANGER)

    assert answer.get_data(as_text=True) == "ok\n"


@pytest.mark.parametrize("broker", [None, "redis://127.0.0.1:1/0"])
def test_an_operator_sees_the_figures(table: Table, broker: str | None) -> None:
    client = table.app(broker, TOKEN).test_client()
    with_token = {"Authorization": f"Bearer {TOKEN}"}

    far = client.get("/healthz", headers=with_token, environ_overrides=STRANGER).get_json()
    near = client.get("/healthz").get_json()

    assert far == near
    said = near.pop("broker")
    assert near == DETAILS | {"ok": broker is None}
    assert said.startswith("Redis doesn't answer" if broker else "not in use")


def test_a_tutorial_is_in_no_figure_and_no_list(client: FlaskClient, table: Table) -> None:
    before = client.get("/healthz").get_json()
    table.write_to_site(EVE, "tutorial", name="Eve")
    table.reply(EVE, "confirm")
    table.reply(EVE, "e2e4", to=last_tutorial_email(table, EVE))
    code = str(last_tutorial_email(table, EVE)["Subject"])[-6:-1]

    assert client.get("/healthz").get_json() == before
    assert [each.games for each in players.list_players(table.server)] == [0]
    assert games.search(table.server, "eve") == ()
    assert [each.code for each in games.search(table.server, code)] == [code]


def test_running_and_finished_games_and_their_turns_are_counted(client: FlaskClient, table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    statistics.record_run(table.server, "sweep", table.clock())
    table.clock.advance(seconds=119)

    running = client.get("/healthz").get_json()
    table.reply(ANN, "resign resign")
    over = client.get("/healthz").get_json()

    assert [running[each] for each in ("games_running", "games_over", "turns")] == [1, 0, 2]
    assert [over[each] for each in ("games_running", "games_over", "turns")] == [0, 1, 2]
    assert running["last_sweep"] == 60


def test_the_delay_of_unsent_emails_is_shown_in_coarse_steps(client: FlaskClient, table: Table) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    delays = []
    for minutes in (0, 9, 1, 49, 1, 179, 1, 1_200):
        table.clock.advance(minutes=minutes)
        delays.append(client.get("/healthz").get_json()["late_news"])
    send_all_due(table, ScriptedMailer([DeliveryFate.NEVER] * 4))
    given_up = client.get("/healthz").get_json()

    assert delays == [0, 0, 600, 600, 3_600, 3_600, 14_400, 86_400]
    assert (given_up["late_news"], given_up["dead_news"]) == (0, 1)


def test_prometheus_gets_the_same_figures(client: FlaskClient, table: Table) -> None:
    table.begin()
    table.play("e2e4")

    lines = client.get("/metrics").get_data(as_text=True).splitlines()

    assert "corr_database_up 1" in lines
    assert "corr_turns 1" in lines
    assert "corr_late_news_seconds 0" in lines
    assert "# TYPE corr_games_running gauge" in lines


def test_the_operators_guide_explains_each_figure_as_prometheus_does(
    client: FlaskClient, table: Table
) -> None:
    statistics.record_run(table.server, "sweep", table.clock())
    served = re.findall(r"^# HELP (\w+) (.*)$", client.get("/metrics").get_data(as_text=True), re.MULTILINE)

    documented = re.findall(
        r"^\| `(corr_\w+)` \| (.*) \| (?:`.*` )?\|$", PAGES["docs/operate.md"], re.MULTILINE
    )
    assert sorted(documented) == sorted(served)


def test_a_server_without_its_redis_is_not_well(table: Table) -> None:
    client = table.app("redis://127.0.0.1:1/0").test_client()

    stranger = client.get("/healthz", environ_overrides=STRANGER)

    assert (stranger.status_code, stranger.get_data(as_text=True)) == (503, "not ok\n")
    assert client.get("/healthz").status_code == 503
    assert "corr_broker_up 0" in client.get("/metrics").get_data(as_text=True)


def test_a_server_without_its_database_is_not_well(table: Table, tmp_path: Path) -> None:
    table.server.store.close()
    (tmp_path / "corr.sqlite").write_bytes(b"no database at all" * 100)
    client = table.app().test_client()

    stranger = client.get("/healthz", environ_overrides=STRANGER)
    operator = client.get("/healthz")

    assert (stranger.status_code, stranger.get_data(as_text=True)) == (503, "not ok\n")
    assert (operator.status_code, operator.get_json()["database"]) == (503, "does not answer")
    assert "corr_database_up 0" in client.get("/metrics").get_data(as_text=True)
