"""Free pages of a SQLite file go back to the disk."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import delete, insert

from corr.service import worker_rounds
from corr.store.session import free_unused_pages
from corr.store.tables import SecretRow
from tests.support.table import Table, make_table


def page_counts(table: Table) -> tuple[int, int]:
    """Pages in the file, and how many of them are free."""
    with table.server.store.reading() as connection:
        count = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        return count, connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()


def fill_and_empty(table: Table) -> None:
    with table.server.store.writing() as connection:
        rows = [{"name": str(number), "value": bytes(3_000)} for number in range(2_000)]
        connection.execute(insert(SecretRow), rows)
    with table.server.store.writing() as connection:
        connection.execute(delete(SecretRow).where(SecretRow.value == bytes(3_000)))


def test_free_pages_go_back_to_the_disk_a_few_at_a_time(sqlite_table: Table) -> None:
    before, _ = page_counts(sqlite_table)
    fill_and_empty(sqlite_table)
    assert page_counts(sqlite_table)[0] > before + 1_900

    freed = []
    while some := free_unused_pages(sqlite_table.server.store, most=500):
        freed.append(some)

    count, empty = page_counts(sqlite_table)
    assert freed[:3] == [500, 500, 500]
    assert count < before * 1.1
    assert empty <= count / 16


def test_a_sweep_frees_empty_pages(sqlite_table: Table) -> None:
    fill_and_empty(sqlite_table)
    before, _ = page_counts(sqlite_table)

    worker_rounds.sweep(sqlite_table.server, sqlite_table.clock())

    assert page_counts(sqlite_table)[0] <= before - 1_000


def test_a_sixteenth_of_the_pages_stays_free(sqlite_table: Table) -> None:
    fill_and_empty(sqlite_table)
    while free_unused_pages(sqlite_table.server.store):
        pass
    count, empty = page_counts(sqlite_table)

    assert empty == count // 16


def test_an_old_file_frees_pages_after_one_vacuum(sqlite_table: Table) -> None:
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


def test_postgresql_needs_no_freeing(tmp_path: Path, postgres_url: str) -> None:
    table = make_table(tmp_path, postgres_url)

    assert free_unused_pages(table.server.store) == 0
    table.server.store.close()
