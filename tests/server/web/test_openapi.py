"""docs/openapi.json matches the API: its routes, and the shapes of its answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from corr.rules.variants import UMPIRES
from corr.service.players import players
from corr.web.api.token_auth import API_PATHS
from tests.support.api_bots import ApiBot, make_token
from tests.support.json_schema import resolve_reference, schema_errors
from tests.support.table import EVE, FAY, Table

DOCS = Path(__file__).parents[3] / "docs"
FILE: dict[str, Any] = json.loads((DOCS / "openapi.json").read_text("utf-8"))
OPERATIONS = [(path, method) for path, methods in FILE["paths"].items() for method in methods]


class Reader(ApiBot):
    """A bot that checks every answer against the file."""

    def get(self, path: str) -> TestResponse:
        return self._checked(path, "get", super().get(path))

    def post(self, path: str, body: object = None) -> TestResponse:
        answer = self._checked(path, "post", super().post(path, body))
        allowed = _operation(path, "post").get("requestBody")
        if allowed and list(
            schema_errors(body, allowed["content"]["application/json"]["schema"], FILE, path)
        ):
            assert answer.status_code == 400, "the file forbids this body, but the server accepted it"
        return answer

    def _checked(self, path: str, method: str, answer: TestResponse) -> TestResponse:
        response = _operation(path, method)["responses"][str(answer.status_code)]
        schema = response["content"]["application/json"]["schema"]
        assert list(schema_errors(answer.get_json(), schema, FILE, path)) == []
        return answer


def _operation(path: str, method: str) -> dict[str, Any]:
    """What the file says about a request."""
    path = path.partition("?")[0]
    path = next(each for each in FILE["paths"] if re.fullmatch(re.sub(r"\{\w+\}", r"\\w+", each), path))
    operation: dict[str, Any] = FILE["paths"][path][method]
    return operation


def references(thing: object) -> Iterator[str]:
    """All references in a part of the file."""
    if isinstance(thing, dict):
        yield from (str(value) for key, value in thing.items() if key == "$ref")
        for value in thing.values():
            yield from references(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from references(value)


def test_the_file_has_exactly_the_servers_routes(table: Table) -> None:
    rules = [rule for rule in table.app().url_map.iter_rules() if rule.rule.startswith(API_PATHS[0])]
    served = {
        (re.sub(r"<(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in rules
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }

    assert set(OPERATIONS) == served


def test_all_references_resolve_and_no_schema_is_unused() -> None:
    referred = set(references(FILE))

    assert {f"#/components/schemas/{name}" for name in FILE["components"]["schemas"]} == referred
    assert all(resolve_reference(FILE, each) for each in referred)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_each_operation_has_a_summary_and_its_refusals(path: str, method: str) -> None:
    operation = FILE["paths"][path][method]
    parts = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}

    assert operation["summary"].endswith(".")
    assert parts == set(re.findall(r"\{(\w+)\}", path))
    assert {"401", "429"} <= set(operation["responses"])
    assert ("403" in operation["responses"]) == (method == "post")
    guide = (
        (DOCS / "api.md").read_text("utf-8").replace("CODE/accept", "{code}/{deed}").replace("CODE", "{code}")
    )
    assert path in guide


@pytest.mark.parametrize("variant", UMPIRES)
def test_answers_about_games_match_the_file(table: Table, variant: str) -> None:
    players.add(table.server, "Eve", EVE, table.clock())
    guest = Reader(table, make_token(table, EVE, plays=True))
    guest.post("/api/challenges", {"variant": variant, "whom": "Pip", "color": "white"})
    (game,) = guest.get("/api/games").get_json()["games"]
    for text in ("deploy home", "sense b2", "e2e4, d2d4", "e2e9", "show", "resign resign", "again"):
        guest.write(game["code"], text)

    assert game["variant"] == variant
    assert guest.slips(game["code"])["state"] == "over"
    assert guest.write(game["code"], "e2e4", "0-0-0").status_code == 409
    assert guest.write("zzzzz", "e2e4", "0-0-0").status_code == 404


def test_answers_about_offers_and_challenges_match_the_file(table: Table) -> None:
    guests = []
    for name, address in (("Eve", EVE), ("Fay", FAY)):
        players.add(table.server, name, address, table.clock())
        guests.append(Reader(table, make_token(table, address, plays=True)))
    eve, fay = guests
    eve.post("/api/challenges", {"variant": "rbc"})
    eve.post("/api/challenges", {"variant": "rbc", "whom": "Fay", "days": 1, "color": "black", "rated": True})
    (received,) = fay.get("/api/challenges").get_json()["received"]
    (offer,) = fay.get("/api/offers").get_json()["offers"]

    assert eve.get("/api/challenges").status_code == 200
    assert fay.post(f"/api/challenges/{received['code']}/decline").status_code == 200
    assert fay.post(f"/api/challenges/{offer['code']}/withdraw").status_code == 409
    assert fay.post(f"/api/challenges/{offer['code']}/think").status_code == 404
    assert eve.post("/api/challenges", {}).status_code == 400


@pytest.mark.parametrize(
    "wish",
    [
        {"variant": ""},
        {"variant": "wild16", "colour": "white"},
        {"variant": "wild16", "color": "red"},
        {"variant": "wild16", "days": 0},
        {"variant": "wild16", "days": 3, "clock": "3d"},
    ],
    ids=["no variant", "a misspelt key", "unknown colour", "no time", "two clocks"],
)
def test_a_challenge_that_the_file_does_not_allow_is_refused(table: Table, wish: dict[str, Any]) -> None:
    players.add(table.server, "Eve", EVE, table.clock())
    eve = Reader(table, make_token(table, EVE, plays=True))
    schema = FILE["components"]["schemas"]["Wish"]

    assert list(schema_errors(wish, schema, FILE)) != []
    assert eve.post("/api/challenges", wish).status_code == 400
    assert eve.get("/api/challenges").get_json()["made"] == []
