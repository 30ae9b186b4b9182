"""What a program reads by its player's token: its games, and its own slips; and what it is told else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corr.rules.variants import UMPIRES
from corr.service.players import tokens
from tests.support.api_bots import ask, bearer, code_of, token_of
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table
from tests.support.twin_servers import Twins, parted


def slips(table: Table, token: str, after: str = "0") -> list[dict[str, Any]]:
    told = ask(table, f"/api/games/{code_of(table)}/slips?after={after}", token).get_json()
    found: list[dict[str, Any]] = told["slips"]
    return found


def test_a_program_reads_which_games_wait_for_it(table: Table) -> None:
    table.begin()
    games = {
        player: ask(table, "/api/games", token_of(table, player)).get_json()["games"] for player in (ANN, BEN)
    }

    own = games[ANN][0]
    assert (own["code"], own["side"], own["opponent"], own["state"]) == (
        code_of(table),
        "white",
        "ben",
        "running",
    )
    assert [each["my_turn"] for player in (ANN, BEN) for each in games[player]] == [True, False]


def test_a_program_reads_the_slips_that_it_does_not_know_yet(table: Table) -> None:
    table.begin()
    token = token_of(table, ANN)
    first = slips(table, token)
    table.play("e2e4")
    new = slips(table, token, f"{first[-1]['number']}-{first[-1]['step']}")

    assert first[0]["sight"]["squares"].startswith("RNBQKBNRPPPPPPPP")
    assert len(new) == 1
    assert new[0]["sight"]["squares"][28] == "P"
    assert "e4" in new[0]["sight"]["own"]
    assert "e2e4" in [fact["data"].get("move") for fact in new[0]["facts"]]
    assert slips(table, token, f"{new[0]['number']}-{new[0]['step']}") == []


def test_an_answer_that_is_known_is_not_sent_again(table: Table) -> None:
    table.begin()
    token = token_of(table, ANN)
    for path in ("/api/games", f"/api/games/{code_of(table)}/slips"):
        known = ask(table, path, token).headers["ETag"]
        assert ask(table, path, token, **{"If-None-Match": known}).status_code == 304
        table.play("e2e4") if path == "/api/games" else table.reply(BEN, "e7e5")
        assert ask(table, path, token, **{"If-None-Match": known}).status_code == 200


@pytest.mark.parametrize(
    "heads", [{}, bearer("corr_guessed"), {"Authorization": "Basic YTpi"}, bearer("\xff")]
)
def test_who_has_no_token_is_told_so(table: Table, heads: dict[str, str]) -> None:
    answer = table.app().test_client().get("/api/games", headers=heads)

    assert answer.status_code == 401
    assert "This token doesn't exist" in answer.get_json()["error"]


def test_a_browsers_cookie_lets_no_program_in(table: Table) -> None:
    table.begin()
    browser = Browser(table.app())
    browser.sign_in(table, ANN)

    assert browser.client.get("/api/games").status_code == 401


def test_a_token_lets_nobody_see_a_page_and_leaves_no_cookie(table: Table) -> None:
    table.begin()
    token = token_of(table, ANN)

    assert ask(table, "/games/", token).status_code == 303
    assert "Set-Cookie" not in ask(table, "/api/games", token).headers


def test_a_token_that_was_taken_away_lets_nobody_in(table: Table) -> None:
    table.begin()
    token = token_of(table, ANN)
    found = tokens.find_bearer(table.server, token)
    assert found
    tokens.remove(table.server, found.visitor, "one")

    assert ask(table, "/api/games", token).status_code == 401


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
def test_what_makes_no_sense_is_told_in_a_sentence(table: Table, path: str, status: int) -> None:
    table.begin()
    answer = ask(table, path.format(code=code_of(table)), token_of(table, ANN))

    assert answer.status_code == status
    assert answer.get_json()["error"].endswith(".")


def test_nobody_reads_the_slips_of_a_game_that_is_not_theirs(table: Table) -> None:
    table.begin()
    table.write("eve@e.example", "tutorial", name="Eve")
    table.reply("eve@e.example", "confirm")

    answer = ask(table, f"/api/games/{code_of(table)}/slips", token_of(table, "eve@e.example"))
    assert answer.status_code == 404


def test_a_game_that_is_over_says_how_it_ended(table: Table) -> None:
    table.begin()
    code = code_of(table)
    table.reply(ANN, "resign resign")
    token = token_of(table, BEN)

    told = ask(table, f"/api/games/{code}/slips", token).get_json()
    assert (told["state"], told["outcome"]["winner"]) == ("over", "black")
    assert ask(table, "/api/games", token).get_json() == {"games": []}


def twins_of(table: Table, folder: Path, variant: str) -> tuple[Twins, str, str]:
    """A game that has begun, twice, with one token of Black's."""
    table.begin(variant)
    table.deploy()
    token = token_of(table, BEN)
    return parted(table, folder), code_of(table), token


@pytest.mark.parametrize("variant", UMPIRES)
def test_what_a_player_cannot_know_changes_no_byte_of_what_a_program_reads(
    table: Table, tmp_path: Path, variant: str
) -> None:
    twins, code, token = twins_of(table, tmp_path / "twins", variant)
    sense = "sense b2\n" if variant == "rbc" else ""
    for twin, order in ((twins.one, "e2e3"), (twins.other, "b1c3")):
        twin.table.reply(ANN, f"{sense}{order}")

    for path in ("/api/games", f"/api/games/{code}/slips", f"/api/games/{code}/slips?after=1"):
        one, other = twins.answers(path, headers=bearer(token))
        assert one == other, path
        assert one.startswith(b"200"), path
    twins.close()
