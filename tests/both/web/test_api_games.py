"""Reading slips and writing orders through the API, on both databases."""

from __future__ import annotations

from tests.support.api_bots import ApiBot, bearer_header, first_game_code, make_token
from tests.support.bot_game import challenge
from tests.support.table import ANN, Table


def test_a_bot_reads_only_the_slips_it_does_not_know(table: Table) -> None:
    table.begin()
    token, code = make_token(table, ANN), first_game_code(table)
    headers, client = bearer_header(token), table.app().test_client()

    games = client.get("/api/games", headers=headers).get_json()["games"]
    slips = client.get(f"/api/games/{code}/slips", headers=headers).get_json()["slips"]
    last = f"{slips[-1]['number']}-{slips[-1]['step']}"
    after = client.get(f"/api/games/{code}/slips?after={last}", headers=headers).get_json()["slips"]

    assert [each["code"] for each in games] == [code]
    assert slips
    assert after == []


def test_an_order_sent_twice_counts_once(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    guest, code = ApiBot(table, make_token(table, ANN, plays=True)), first_game_code(table)
    stamp = guest.slips(code)["stamp"]
    answers = [guest.write(code, "e2e4", stamp).get_json() for _ in range(2)]

    assert [each["orders"][0]["note"] for each in answers] == ["moved", "moved"]
    assert answers[0]["slips"] == answers[1]["slips"]
