"""Inserting a row unless it exists."""

from __future__ import annotations

from sqlalchemy import select

from corr.store.locks import insert_if_new
from corr.store.tables import PlayerRow
from tests.support.table import Table


def test_only_the_first_insert_of_a_row_succeeds(table: Table) -> None:
    with table.server.store.writing() as connection:
        inserted = [
            insert_if_new(connection, PlayerRow, name=name, address="a@b", address_key="a@b")
            for name in ("Ann", "Ben")
        ]
        names = connection.execute(select(PlayerRow.name)).scalars().all()

    assert (inserted, names) == ([True, False], ["Ann"])
