"""A row that is written once."""

from __future__ import annotations

from sqlalchemy import select

from corr.store.locks import insert_if_new
from corr.store.tables import PlayerRow
from tests.support.table import Table


def test_who_writes_a_row_first_is_told_so_and_the_next_is_told_not(table: Table) -> None:
    with table.server.store.writing() as connection:
        told = [
            insert_if_new(connection, PlayerRow, name=name, address="a@b", address_key="a@b")
            for name in ("Ann", "Ben")
        ]
        names = connection.execute(select(PlayerRow.name)).scalars().all()

    assert (told, names) == ([True, False], ["Ann"])
