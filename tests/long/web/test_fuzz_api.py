"""Fuzzing all API routes with a valid token: none breaks, and all answer in JSON."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from werkzeug.routing import Rule

from corr.config import Config
from corr.service.server import build_server
from corr.web import create_app
from corr.web.api.token_auth import API_PATHS
from corr.web.rate_limit import ActionCounter
from tests.support.api_bots import bearer_header
from tests.support.reconchess_bot import Bot, move
from tests.support.table import DOMAIN, make_table

EXAMPLES = 400 if os.environ.get("CORR_TEST_LONG") else 40
ROUTES = [
    rule
    for rule in create_app(
        build_server(Config("sqlite:///nowhere", DOMAIN)), lambda _work: None
    ).url_map.iter_rules()
    if rule.rule.startswith(API_PATHS)
]
#: Fields that some route reads.
FIELDS = (
    *("text", "stamp", "side", "variant", "whom", "days", "color", "rated"),
    *("opponent", "square", "requested_move", "max_games", "ranked"),
)
GOOD = (
    *("e2e4", "sense d5; d2d4", "resign resign", "1-0-0", "white", "rbc", "wild16", "Pip", "Eve", "random"),
    *(3, 49, 0, -1, 10**40, True, False, None, 0.5, [], {}, "", "\0", "x" * 70_000, "9" * 5_000, "\u202e"),
    *move("e2e4").values(),
    {"type": "Move", "value": "e9e9"},
    {"value": {}},
)
NAMES = ("", "1", "zzzzz", "9" * 5_000, "\0", "accept")
values = (
    some.sampled_from(GOOD) | some.text(max_size=20) | some.integers() | some.lists(some.text(), max_size=2)
)
bodies = some.dictionaries(some.sampled_from(FIELDS), values, max_size=5)


@dataclass
class ApiServer:
    """A server with a game of Eve's bot."""

    bot: Bot
    number: int

    def path(self, rule: Rule, name: str | None) -> str:
        """The path of a route; its own game's unless a name is given."""
        code = self.bot.client.get("/api/games", headers=bearer_header(self.bot.token)).get_json()["games"]
        own = code[0]["code"] if code and rule.rule.startswith(API_PATHS[0]) else str(self.number)
        named = own if name is None else quote(name.encode("utf-8", "surrogatepass"), "")
        return re.sub("<[^>]+>", lambda _: named, rule.rule)


@pytest.fixture
def api_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    folder: Path = tmp_path_factory.mktemp("programs")
    table = make_table(folder)
    bot = Bot(table)
    yield ApiServer(bot, bot.invite())
    table.server.store.close()


@pytest.mark.parametrize("rule", ROUTES, ids=lambda rule: f"{rule.rule} {rule.endpoint}")
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(some.data())
def test_no_api_route_breaks(api_server: ApiServer, rule: Rule, data: some.DataObject) -> None:
    api_server.bot.client.application.extensions["counts"] = ActionCounter(None)
    sent: Any = data.draw(bodies)
    name = data.draw(some.none() | some.sampled_from(NAMES) | some.text(max_size=9))
    heads = (
        bearer_header(api_server.bot.token) if rule.rule.startswith(API_PATHS[0]) else api_server.bot.heads
    )
    method = data.draw(some.sampled_from(sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})))
    query = {each: str(value)[:99] for each, value in sent.items() if each in ("side", "text")}
    asked = api_server.path(rule, name)
    answer = api_server.bot.client.open(asked, method=method, json=sent, query_string=query, headers=heads)

    assert answer.status_code < 500, (asked, sent, answer.get_data()[:200])
    if asked.startswith(API_PATHS) and answer.status_code not in (304, 308):
        assert answer.content_type == "application/json"
        assert isinstance(answer.get_json(), dict)
