"""A file of SQLite does not stay as large as it has ever been."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import delete, insert

from corr.service import worker_rounds
from corr.store.session import free_unused_pages
from corr.store.tables import SecretRow
from tests.support.table import Table, lay


def pages(table: Table) -> tuple[int, int]:
    """How many pages the file has, and how many of them are empty."""
    with table.server.store.reading() as connection:
        count = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        return count, connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()


def fill_and_empty(table: Table) -> None:
    with table.server.store.writing() as connection:
        rows = [{"name": str(number), "value": bytes(3_000)} for number in range(2_000)]
        connection.execute(insert(SecretRow), rows)
    with table.server.store.writing() as connection:
        connection.execute(delete(SecretRow).where(SecretRow.value == bytes(3_000)))


def test_what_is_cleared_is_given_back_to_the_disk_some_at_a_time(sqlite_table: Table) -> None:
    before, _ = pages(sqlite_table)
    fill_and_empty(sqlite_table)
    assert pages(sqlite_table)[0] > before + 1_900

    given = []
    while some := free_unused_pages(sqlite_table.server.store, most=500):
        given.append(some)

    count, empty = pages(sqlite_table)
    assert given[:3] == [500, 500, 500]
    assert count < before * 1.1
    assert empty <= count / 16


def test_a_sweep_gives_back_what_is_empty(sqlite_table: Table) -> None:
    fill_and_empty(sqlite_table)
    before, _ = pages(sqlite_table)

    worker_rounds.sweep(sqlite_table.server, sqlite_table.clock())

    assert pages(sqlite_table)[0] <= before - 1_000


def test_what_is_soon_needed_is_kept(sqlite_table: Table) -> None:
    fill_and_empty(sqlite_table)
    while free_unused_pages(sqlite_table.server.store):
        pass
    count, empty = pages(sqlite_table)

    assert empty == count // 16


def test_a_file_of_before_gives_back_after_one_vacuum(sqlite_table: Table) -> None:
    store = sqlite_table.server.store
    with store.asking() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA auto_vacuum=NONE")
        driver.execute("VACUUM")
    fill_and_empty(sqlite_table)
    assert free_unused_pages(store) == 0

    with store.asking() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA auto_vacuum=INCREMENTAL")
        driver.execute("VACUUM")
    fill_and_empty(sqlite_table)

    assert free_unused_pages(store) == 1_000


def test_postgresql_sees_to_it_by_itself(tmp_path: Path, postgres_url: str) -> None:
    table = lay(tmp_path, postgres_url)

    assert free_unused_pages(table.server.store) == 0
    table.server.store.close()
