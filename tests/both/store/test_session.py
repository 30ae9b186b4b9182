"""Database sessions and transactions, and the version of the schema."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import func, insert, inspect, select, update
from sqlalchemy.exc import IntegrityError, InvalidRequestError, OperationalError, ResourceClosedError

from corr.store import migrate, truths, version
from corr.store.session import Store
from corr.store.tables import Base, PlayerRow, SecretRow, SessionRow
from corr.words.errors import Misconfigured
from tests.support.table import NOON, Table
from tests.support.waiting import join

ADD_ANN = insert(PlayerRow).values(name="Ann", address="a@b", address_key="a@b")


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty database of each kind."""
    url = (
        request.getfixturevalue("bare_postgres_url")
        if request.param == "postgresql"
        else f"sqlite:///{tmp_path / 'x.sqlite'}"
    )
    made = Store(url)
    yield made
    made.close()


def url_of(store: Store) -> str:
    return store.engine.url.render_as_string(hide_password=False)


def test_the_migrations_create_the_tables_of_the_models(store: Store) -> None:
    migrate.upgrade(store)

    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_the_migrations_can_be_downgraded(store: Store) -> None:
    migrate.upgrade(store)
    migrate.downgrade(store)

    assert inspect(store.engine).get_table_names() == ["alembic_version"]


def test_an_old_schema_is_refused_with_the_command_that_helps(store: Store) -> None:
    for tables in (None, "0050"):
        if tables:
            migrate.upgrade(store, tables)

        with pytest.raises(Misconfigured, match="Run: corr db upgrade"):
            version.require_newest(store)
        assert version.current(store) == tables


@pytest.mark.parametrize("tables", ["0001", "0004", "0006", "0049"])
def test_a_schema_between_two_releases_is_refused_with_the_release_that_helps(
    store: Store, tables: str
) -> None:
    with store.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num TEXT NOT NULL)")
        connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{tables}')")

    for change in (migrate.upgrade, migrate.downgrade):
        with pytest.raises(Misconfigured, match=f"at version {tables}.*with the release e64bc27 first"):
            change(store)
    assert version.current(store) == tables


def test_the_migrations_end_at_the_newest_version(store: Store) -> None:
    migrate.upgrade(store)

    assert version.current(store) == version.newest()
    version.require_newest(store)


def test_sqlites_settings_are_durable(sqlite_table: Table) -> None:
    with sqlite_table.server.store.reading() as connection:
        pragma = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }

    assert pragma == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


def test_a_time_without_a_time_zone_is_refused(table: Table) -> None:
    from corr.store.tables import Moment

    with pytest.raises(ValueError, match="has no time zone"):
        Moment().process_bind_param(datetime(2026, 1, 1), table.server.store.engine.dialect)  # noqa: DTZ001


def players(store: Store) -> list[str]:
    with store.reading() as connection:
        return list(connection.execute(select(PlayerRow.name)).scalars())


def add_a_player_and_fail(store: Store, error: type[BaseException]) -> None:
    with store.writing() as connection:
        connection.execute(ADD_ANN)
        raise error


def test_a_finished_read_blocks_no_writer(store: Store) -> None:
    migrate.upgrade(store)
    with store.reading():
        pass

    other = Store(url_of(store), patience=1)
    with other.writing() as connection:
        connection.execute(ADD_ANN)
    other.close()

    assert players(store) == ["Ann"]


def test_a_nested_transaction_has_its_own_connection(store: Store) -> None:
    migrate.upgrade(store)
    with store.reading() as outer:
        assert outer.execute(select(PlayerRow.id)).all() == []
        with store.writing() as inner:
            inner.execute(ADD_ANN)
        assert outer.execute(select(PlayerRow.id)).all() == []


def test_a_connection_cannot_be_used_after_its_transaction(store: Store) -> None:
    migrate.upgrade(store)
    with store.reading() as kept:
        pass

    with pytest.raises(ResourceClosedError):
        kept.execute(ADD_ANN)
    with store.writing() as connection:
        assert connection.execute(select(PlayerRow.id)).all() == []


def end_early(store: Store, end: str) -> None:
    with store.writing() as connection:
        getattr(connection, end)()
        connection.execute(ADD_ANN)


@pytest.mark.parametrize("end", ["commit", "rollback"])
def test_a_transaction_cannot_be_ended_from_within(store: Store, end: str) -> None:
    migrate.upgrade(store)
    with pytest.raises(InvalidRequestError):
        end_early(store, end)

    assert players(store) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ZeroDivisionError])
def test_a_failed_transaction_is_rolled_back_and_the_next_starts_clean(
    store: Store, error: type[BaseException]
) -> None:
    migrate.upgrade(store)
    for _ in range(3):
        with pytest.raises(error):
            add_a_player_and_fail(store, error)
        assert players(store) == []

    with store.writing() as connection:
        assert connection.execute(select(PlayerRow.id)).all() == []


def test_an_error_does_not_contain_the_values(table: Table) -> None:
    session = {"secret": "e2e4", "correspondent_id": 99, "made_at": NOON, "browser": "", "seen_at": NOON}
    with pytest.raises(IntegrityError) as error, table.server.store.writing() as connection:
        connection.execute(insert(SessionRow), session)

    assert "INSERT INTO sessions" in str(error.value)
    assert "e2e4" not in str(error.value)


def insert_twice(store: Store, secret: str | None) -> None:
    with store.writing() as connection:
        for _ in range(2):
            connection.execute(insert(SecretRow), {"name": secret, "value": b"e2e4"})


@pytest.mark.parametrize("secret", ["e2e4", None])
def test_an_error_does_not_contain_the_rest_of_the_row(table: Table, secret: str | None) -> None:
    """PostgreSQL adds the whole row to its message, and existing keys."""
    with pytest.raises(IntegrityError) as error:
        insert_twice(table.server.store, secret)

    shown = "".join(traceback.format_exception(error.value))
    assert "INSERT INTO secrets" in shown
    assert "constraint" in shown.lower()
    assert all(each not in shown for each in ("(e2e4", "'e2e4", "x65326534", "DETAIL"))


BACKEND_ID_QUERY = select(func.pg_backend_pid())


def test_a_connection_closed_by_the_database_is_invalidated(postgres_url: str) -> None:
    store, other = Store(postgres_url), Store(postgres_url)
    for _ in range(3):
        with pytest.raises(OperationalError) as error:
            query_after_the_end(store, other)
        assert error.value.connection_invalidated

    with store.writing() as connection:
        assert connection.execute(BACKEND_ID_QUERY).scalar_one() > 0
    store.close()
    other.close()


def test_an_idle_connection_that_was_closed_is_replaced_silently(postgres_url: str) -> None:
    store, other = Store(postgres_url, trusted=0), Store(postgres_url)
    with store.asking() as connection:
        number = connection.execute(BACKEND_ID_QUERY).scalar_one()
    with other.asking() as killer:
        killer.execute(select(func.pg_terminate_backend(number)))

    for way in (store.asking, store.reading, store.writing):
        with way() as connection:
            assert connection.execute(BACKEND_ID_QUERY).scalar_one() != number
    store.close()
    other.close()


def query_after_the_end(store: Store, other: Store) -> None:
    with store.writing() as connection:
        number = connection.execute(BACKEND_ID_QUERY).scalar_one()
        with other.asking() as killer:
            killer.execute(select(func.pg_terminate_backend(number)))
        connection.execute(BACKEND_ID_QUERY)


def test_closing_a_store_in_use_leaves_no_files_open(tmp_path: Path) -> None:
    made = Store(f"sqlite:///{tmp_path / 'x.sqlite'}")
    migrate.upgrade(made)
    with made.reading():
        made.close()

    assert [file.name for file in tmp_path.iterdir()] == ["x.sqlite"]


def test_closing_a_store_leaves_no_files_open(tmp_path: Path) -> None:
    made = Store(f"sqlite:///{tmp_path / 'x.sqlite'}")
    migrate.upgrade(made)
    made.close()

    assert [file.name for file in tmp_path.iterdir()] == ["x.sqlite"]


def count_up(url: str, times: int) -> None:
    store = Store(url)
    for _ in range(times):
        with store.writing() as connection:
            held = select(PlayerRow.name).with_for_update()
            number = int(connection.execute(held).scalar_one())
            connection.execute(update(PlayerRow).values(name=str(number + 1)))
    store.close()


def test_two_processes_that_read_and_then_write_lose_no_updates(store: Store) -> None:
    migrate.upgrade(store)
    with store.writing() as connection:
        connection.execute(insert(PlayerRow).values(name="0", address="a@b", address_key="a@b"))

    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=count_up, args=(url_of(store), 100)) for _ in range(2)]
    for worker in workers:
        worker.start()
    join(*workers)

    assert [worker.exitcode for worker in workers] == [0, 0]
    assert players(store) == ["200"]


def test_truths_have_a_table_of_their_own(table: Table) -> None:
    table.begin()

    with table.server.store.reading() as connection:
        assert len(truths.load_truth(connection, 1)) > 64
