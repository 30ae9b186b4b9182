"""Fixtures that all tests share."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from left_out import leave_out
from open_house import OpenHouse, opened
from table import Table, lay

from bench.servers import PostgresServer, RedisServer
from corr.store import schema
from corr.store.session import Store

DATABASES = itertools.count(1)


CHROMIUM = Path(__file__).parent / "chromium"


@pytest.hookimpl(tryfirst=True)  # xdist reads the marks in a hook of the same name
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of the pages in Chromium go one after the other: they share a browser and a stage."""
    for item in items:
        if CHROMIUM in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("chromium"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL of the tests' own, with the newest tables in a database to copy."""
    if PostgresServer.missing():
        leave_out(PostgresServer.missing())
    # Not among pytest's folders: each run of pytest shuts them to other users, and PostgreSQL runs as one.
    with TemporaryDirectory(prefix="corr-postgres-") as folder:
        server = PostgresServer(Path(folder), durable=False)
        server.start()
        server.run("CREATE DATABASE blank")
        store = Store(server.url("blank"))
        schema.upgrade(store)
        store.close()
        yield server
        server.stop()


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """An empty house on PostgreSQL."""
    yield from database(postgres, "blank")


@pytest.fixture
def bare_postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A database on PostgreSQL without any table."""
    yield from database(postgres, "template1")


def database(postgres: PostgresServer, template: str) -> Iterator[str]:
    name = f"house{next(DATABASES)}"
    postgres.run(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield postgres.url(name)
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A Redis of the test's own."""
    if RedisServer.missing():
        leave_out(RedisServer.missing())
    server = RedisServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenHouse]:
    """A house that is served by the Procfile's own processes, one for all tests of a run."""
    if RedisServer.missing():
        leave_out(RedisServer.missing())
    with opened(tmp_path_factory.mktemp("open-house")) as house:
        yield house


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """A house with a spool for its letters, on each database."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    laid = lay(tmp_path, url)
    yield laid
    laid.house.store.close()


@pytest.fixture
def sqlite_table(tmp_path: Path) -> Iterator[Table]:
    """The same where SQLite's own habits matter."""
    laid = lay(tmp_path)
    yield laid
    laid.house.store.close()
