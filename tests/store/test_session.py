"""Transactions on SQLite, and the tables' versions."""

from __future__ import annotations

import multiprocessing
from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import insert, inspect, select, update
from table import Table

from corr.store import schema, sealed
from corr.store.session import Store
from corr.store.tables import Base, Player
from corr.words import Misconfigured


@pytest.fixture
def store(tmp_path: Path):
    made = Store(f"sqlite:///{tmp_path / 'x.sqlite'}")
    yield made
    made.close()


def test_the_migrations_make_the_tables_that_the_code_means(store: Store) -> None:
    schema.upgrade(store)

    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_the_migrations_go_down_again(store: Store) -> None:
    schema.upgrade(store)
    schema.downgrade(store)

    assert inspect(store.engine).get_table_names() == ["alembic_version"]


def test_tables_of_another_version_are_refused_with_the_command_that_helps(store: Store) -> None:
    with pytest.raises(Misconfigured, match="run `corr db upgrade` first"):
        schema.require_newest(store)


def test_sqlite_is_set_as_safe_as_the_letters_need(store: Store) -> None:
    with store.reading() as connection:
        pragma = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }

    assert pragma == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


def test_a_moment_without_a_zone_is_refused(table: Table) -> None:
    from corr.store.tables import Moment

    with pytest.raises(ValueError, match="has no time zone"):
        Moment().process_bind_param(datetime(2026, 1, 1), table.house.store.engine.dialect)  # noqa: DTZ001


def add_a_player_and_fail(store: Store) -> None:
    with store.writing() as connection:
        connection.execute(insert(Player).values(name="Ann", address="a@b", address_key="a@b"))
        raise ZeroDivisionError


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    schema.upgrade(store)

    with pytest.raises(ZeroDivisionError):
        add_a_player_and_fail(store)

    with store.reading() as connection:
        assert connection.execute(select(Player.id)).all() == []


def count_up(url: str, times: int) -> None:
    store = Store(url)
    for _ in range(times):
        with store.writing() as connection:
            number = int(connection.execute(select(Player.name)).scalar_one())
            connection.execute(update(Player).values(name=str(number + 1)))
    store.close()


def test_two_processes_that_read_and_then_write_lose_no_update(store: Store) -> None:
    schema.upgrade(store)
    with store.writing() as connection:
        connection.execute(insert(Player).values(name="0", address="a@b", address_key="a@b"))

    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=count_up, args=(str(store.engine.url), 100)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    assert [worker.exitcode for worker in workers] == [0, 0]
    with store.reading() as connection:
        assert connection.execute(select(Player.name)).scalar_one() == "200"


def test_the_truths_stand_in_a_table_of_their_own(table: Table) -> None:
    table.begin()

    with table.house.store.reading() as connection:
        assert len(sealed.unseal(connection, 1)) > 64
