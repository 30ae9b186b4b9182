"""What a program asks of the database when it reads its slips, asked of both."""

from __future__ import annotations

from corr.desk.people import mailboxes, tokens
from corr.desk.people.signing import Visitor
from tests.support.table import ANN, Table


def test_a_program_reads_its_slips_after_one_that_it_knows(table: Table) -> None:
    table.begin()
    with table.house.store.reading() as connection:
        who = mailboxes.known(connection, ANN)
    assert who
    token = tokens.make(table.house, Visitor(who, "", table.clock()), "one", table.clock())
    code = str(table.newest(ANN)["Subject"])[-6:-1]
    heads = {"Authorization": f"Bearer {token}"}
    client = table.app().test_client()

    games = client.get("/api/games", headers=heads).get_json()["games"]
    told = client.get(f"/api/games/{code}/slips", headers=heads).get_json()["slips"]
    last = f"{told[-1]['number']}-{told[-1]['step']}"
    after = client.get(f"/api/games/{code}/slips?after={last}", headers=heads).get_json()["slips"]

    assert [each["code"] for each in games] == [code]
    assert told
    assert after == []
