"""What a bot reads through the API with its player's token: games, its own slips, and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corr.rules.variants import UMPIRES
from corr.service.players import tokens
from tests.support.api_bots import api_get, bearer_header, first_game_code, make_token
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table
from tests.support.twin_servers import Twins, make_twins


def slips(table: Table, token: str, after: str = "0") -> list[dict[str, Any]]:
    body = api_get(table, f"/api/games/{first_game_code(table)}/slips?after={after}", token).get_json()
    found: list[dict[str, Any]] = body["slips"]
    return found


def test_a_bot_reads_which_games_await_its_move(table: Table) -> None:
    table.begin()
    games = {
        player: api_get(table, "/api/games", make_token(table, player)).get_json()["games"]
        for player in (ANN, BEN)
    }

    own = games[ANN][0]
    assert (own["code"], own["side"], own["opponent"], own["state"]) == (
        first_game_code(table),
        "white",
        "ben",
        "running",
    )
    assert [each["my_turn"] for player in (ANN, BEN) for each in games[player]] == [True, False]


def test_a_bot_reads_only_its_new_slips(table: Table) -> None:
    table.begin()
    token = make_token(table, ANN)
    first = slips(table, token)
    table.play("e2e4")
    new = slips(table, token, f"{first[-1]['number']}-{first[-1]['step']}")

    assert first[0]["sight"]["squares"].startswith("RNBQKBNRPPPPPPPP")
    assert len(new) == 1
    assert new[0]["sight"]["squares"][28] == "P"
    assert "e4" in new[0]["sight"]["own"]
    assert "e2e4" in [fact["data"].get("move") for fact in new[0]["facts"]]
    assert slips(table, token, f"{new[0]['number']}-{new[0]['step']}") == []


def test_an_unchanged_answer_is_not_sent_again(table: Table) -> None:
    table.begin()
    token = make_token(table, ANN)
    for path in ("/api/games", f"/api/games/{first_game_code(table)}/slips"):
        known = api_get(table, path, token).headers["ETag"]
        assert api_get(table, path, token, **{"If-None-Match": known}).status_code == 304
        table.play("e2e4") if path == "/api/games" else table.reply(BEN, "e7e5")
        assert api_get(table, path, token, **{"If-None-Match": known}).status_code == 200


@pytest.mark.parametrize(
    "headers", [{}, bearer_header("corr_guessed"), {"Authorization": "Basic YTpi"}, bearer_header("\xff")]
)
def test_a_missing_or_wrong_token_is_refused(table: Table, headers: dict[str, str]) -> None:
    answer = table.app().test_client().get("/api/games", headers=headers)

    assert answer.status_code == 401
    assert "This token doesn't exist" in answer.get_json()["error"]


def test_a_browsers_cookie_does_not_open_the_api(table: Table) -> None:
    table.begin()
    browser = Browser(table.app())
    browser.sign_in(table, ANN)

    assert browser.client.get("/api/games").status_code == 401


def test_a_token_opens_no_page_and_sets_no_cookie(table: Table) -> None:
    table.begin()
    token = make_token(table, ANN)

    assert api_get(table, "/games/", token).status_code == 303
    assert "Set-Cookie" not in api_get(table, "/api/games", token).headers


def test_a_removed_token_stops_working(table: Table) -> None:
    table.begin()
    token = make_token(table, ANN)
    found = tokens.find_bearer(table.server, token)
    assert found
    tokens.remove(table.server, found.visitor, "one")

    assert api_get(table, "/api/games", token).status_code == 401


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/games/zzzzz/slips", 404),
        ("/api/games/no-code/slips", 404),
        ("/api/games/{code}/slips?after=-1", 400),
        ("/api/games/{code}/slips?after=1e9", 400),
        ("/api/games/{code}/slips?after=99999999999", 400),
        ("/api/games/{code}/slips?side=both", 400),
        ("/api/games/{code}/slips?side=", 400),
        ("/api/games/{code}/slips?side=black", 404),
    ],
)
def test_a_bad_request_is_answered_with_a_sentence(table: Table, path: str, status: int) -> None:
    table.begin()
    answer = api_get(table, path.format(code=first_game_code(table)), make_token(table, ANN))

    assert answer.status_code == status
    assert answer.get_json()["error"].endswith(".")


def test_the_slips_of_another_players_game_are_not_found(table: Table) -> None:
    table.begin()
    table.write_to_site("eve@e.example", "tutorial", name="Eve")
    table.reply("eve@e.example", "confirm")

    answer = api_get(table, f"/api/games/{first_game_code(table)}/slips", make_token(table, "eve@e.example"))
    assert answer.status_code == 404


def test_a_finished_game_says_how_it_ended(table: Table) -> None:
    table.begin()
    code = first_game_code(table)
    table.reply(ANN, "resign resign")
    token = make_token(table, BEN)

    body = api_get(table, f"/api/games/{code}/slips", token).get_json()
    assert (body["state"], body["outcome"]["winner"]) == ("over", "black")
    assert api_get(table, "/api/games", token).get_json() == {"games": []}


def twins_of(table: Table, folder: Path, variant: str) -> tuple[Twins, str, str]:
    """A running game, twice, with one token of Black's."""
    table.begin(variant)
    table.deploy()
    token = make_token(table, BEN)
    return make_twins(table, folder), first_game_code(table), token


@pytest.mark.parametrize("variant", UMPIRES)
def test_hidden_moves_change_no_byte_that_a_bot_reads(table: Table, tmp_path: Path, variant: str) -> None:
    twins, code, token = twins_of(table, tmp_path / "twins", variant)
    sense = "sense b2\n" if variant == "rbc" else ""
    for twin, order in ((twins.one, "e2e3"), (twins.other, "b1c3")):
        twin.table.reply(ANN, f"{sense}{order}")

    for path in ("/api/games", f"/api/games/{code}/slips", f"/api/games/{code}/slips?after=1"):
        one, other = twins.answers(path, headers=bearer_header(token))
        assert one == other, path
        assert one.startswith(b"200"), path
    twins.close()
