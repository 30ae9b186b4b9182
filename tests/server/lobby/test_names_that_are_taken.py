"""A name that many bear: whoever comes next is given one that is free, and the house does not try them all."""

from __future__ import annotations

from sqlalchemy import event

from corr.service.players import players
from corr.service.players.mailboxes import find_or_create
from tests.support.table import Table

MANY = 150


def enrol(table: Table, number: int) -> str:
    """The name that is given to somebody whose address makes them an Ann."""
    now = table.clock()
    with table.server.store.writing() as connection:
        who = find_or_create(connection, f"ann@{number}.example", now)
        return players.name_of_player(connection, players.enrol_by_email(connection, who, "", now))


def test_the_next_of_many_of_one_name_is_named_with_few_questions(table: Table) -> None:
    names = [enrol(table, number) for number in range(MANY)]
    asked: list[str] = []
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *told: asked.append(told[2]))
    enrol(table, MANY)

    assert names[:3] == ["ann", "ann 2", "ann 3"]
    assert len(set(names)) == MANY
    assert len(asked) < MANY
