"""What a program asks of the database when it reads its slips and writes orders, asked of both."""

from __future__ import annotations

from tests.support.api_bots import Guest, bearer, code_of, token_of
from tests.support.bot_game import challenge
from tests.support.table import ANN, Table


def test_a_program_reads_its_slips_after_one_that_it_knows(table: Table) -> None:
    table.begin()
    token, code = token_of(table, ANN), code_of(table)
    heads, client = bearer(token), table.app().test_client()

    games = client.get("/api/games", headers=heads).get_json()["games"]
    told = client.get(f"/api/games/{code}/slips", headers=heads).get_json()["slips"]
    last = f"{told[-1]['number']}-{told[-1]['step']}"
    after = client.get(f"/api/games/{code}/slips?after={last}", headers=heads).get_json()["slips"]

    assert [each["code"] for each in games] == [code]
    assert told
    assert after == []


def test_a_program_writes_an_order_once(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    guest, code = Guest(table, token_of(table, ANN, plays=True)), code_of(table)
    stamp = guest.slips(code)["stamp"]
    told = [guest.write(code, "e2e4", stamp).get_json() for _ in range(2)]

    assert [each["orders"][0]["note"] for each in told] == ["moved", "moved"]
    assert told[0]["slips"] == told[1]["slips"]
