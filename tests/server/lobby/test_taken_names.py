"""When a name is taken, the next player gets a numbered one, and finding it takes few queries."""

from __future__ import annotations

from sqlalchemy import event

from corr.service.players import players
from corr.service.players.mailboxes import find_or_create
from tests.support.table import Table

PLAYERS = 150


def enrol(table: Table, number: int) -> str:
    """Add a player called Ann by their address, and return the name they got."""
    now = table.clock()
    with table.server.store.writing() as connection:
        who = find_or_create(connection, f"ann@{number}.example", now)
        return players.name_of_player(connection, players.enrol_by_email(connection, who, "", now))


def test_numbering_a_common_name_takes_few_queries(table: Table) -> None:
    names = [enrol(table, number) for number in range(PLAYERS)]
    statements: list[str] = []
    event.listen(
        table.server.store.engine,
        "before_cursor_execute",
        lambda *event_args: statements.append(event_args[2]),
    )
    enrol(table, PLAYERS)

    assert names[:3] == ["ann", "ann 2", "ann 3"]
    assert len(set(names)) == PLAYERS
    assert len(statements) < PLAYERS
