"""Fixtures that all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from werkzeug.routing import Rule

from corr.store import schema, session
from corr.store.session import Store
from tests.support import postgres_queries
from tests.support.database_servers import PostgresServer, RedisServer
from tests.support.postgres_copies import copy_database
from tests.support.public_server import PublicServer, run_public_server
from tests.support.shared_caches import compile_rule, make_engine
from tests.support.skips import skip_missing
from tests.support.table import Table, make_table, prepare_games

DATABASES = ("sqlite", "postgresql")

HERE = Path(__file__).parent
BOTH = HERE / "both"
#: After what is soon known what lasts long; short tests of the house last, so that no worker is idle at the end.
LANES = ("unit", "browser", "processes", "peers", "long", "both", "server")

# The same examples each time, so that a run that failed fails again; the long form looks for new ones.
settings.register_profile("corr", derandomize=not os.environ.get("CORR_TEST_LONG"), deadline=None)
settings.load_profile("corr")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(postgres_queries.UnexecutedQueries(config))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LANES.index(item.path.relative_to(HERE).parts[0]))


def pytest_collection() -> None:
    """What is made now is no rubbish: it is kept for the tests."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the last: nobody need look through it for rubbish again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _statements_and_addresses_are_worded_once_a_run() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(session, "create_engine", make_engine)
        patched.setattr(Rule, "compile", compile_rule)
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL of the tests' own, with the newest tables in a database to copy."""
    if PostgresServer.missing():
        skip_missing(PostgresServer.missing())
    # Not among pytest's folders: each run of pytest shuts them to other users, and PostgreSQL runs as one.
    with TemporaryDirectory(prefix="corr-postgres-") as folder:
        server = PostgresServer(Path(folder), durable=False)
        server.start()
        postgres_queries.record_queries()
        server.run("CREATE DATABASE blank")
        store = Store(server.url("blank"))
        schema.upgrade(store)
        store.close()
        yield server
        server.stop()


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """An empty house on PostgreSQL."""
    yield from copy_database(postgres, "blank")


@pytest.fixture
def bare_postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A database on PostgreSQL without any table."""
    yield from copy_database(postgres, "template1")


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A Redis of the test's own."""
    if RedisServer.missing():
        skip_missing(RedisServer.missing())
    server = RedisServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PublicServer]:
    """A house that is served by the Procfile's own processes, one for all tests of a run."""
    if RedisServer.missing():
        skip_missing(RedisServer.missing())
    with run_public_server(tmp_path_factory.mktemp("open-house")) as server:
        yield server


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of a table runs on SQLite, in its lane on both databases, and where it is marked on those of its mark."""
    if "on_database" in metafunc.fixturenames:
        mark = metafunc.definition.get_closest_marker("databases")
        lane = DATABASES if BOTH in metafunc.definition.path.parents else DATABASES[:1]
        metafunc.parametrize("on_database", mark.args if mark else lane)


@pytest.fixture(scope="session")
def _games_are_begun(tmp_path_factory: pytest.TempPathFactory) -> None:
    prepare_games(tmp_path_factory.mktemp("begun"))


@pytest.fixture
def table(
    request: pytest.FixtureRequest, on_database: str, tmp_path: Path, _games_are_begun: None
) -> Iterator[Table]:
    """A house with a spool for its letters."""
    url = request.getfixturevalue("postgres_url") if on_database == "postgresql" else None
    laid = make_table(tmp_path, url)
    yield laid
    laid.server.store.close()
