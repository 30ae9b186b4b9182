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

from corr.store import migrate, session
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
#: The order in which folders run: quick checks, then long tests. Short tests come last, so no worker idles at the end.
LANES = ("unit", "browser", "processes", "peers", "long", "both", "server")

# The same examples each time, so that a failed run fails again; long runs look for new ones.
settings.register_profile("corr", derandomize=not os.environ.get("CORR_TEST_LONG"), deadline=None)
settings.load_profile("corr")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(postgres_queries.UnexecutedQueries(config))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LANES.index(item.path.relative_to(HERE).parts[0]))


def pytest_collection() -> None:
    """Collecting tests makes no garbage, so we don't look for any."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What exists before the first test lives to the end, so the garbage collector may skip it."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _share_compiled_statements_and_routes() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(session, "create_engine", make_engine)
        patched.setattr(Rule, "compile", compile_rule)
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server with a database to copy that has the newest tables."""
    if PostgresServer.missing():
        skip_missing(PostgresServer.missing())
    # Not in pytest's folders: pytest closes them to other users, and PostgreSQL runs as one.
    with TemporaryDirectory(prefix="corr-postgres-") as folder:
        server = PostgresServer(Path(folder), durable=False)
        server.start()
        postgres_queries.record_queries()
        server.run("CREATE DATABASE blank")
        store = Store(server.url("blank"))
        migrate.upgrade(store)
        store.close()
        yield server
        server.stop()


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A PostgreSQL database with empty tables."""
    yield from copy_database(postgres, "blank")


@pytest.fixture
def bare_postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A PostgreSQL database without tables."""
    yield from copy_database(postgres, "template1")


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A Redis server for one test."""
    if RedisServer.missing():
        skip_missing(RedisServer.missing())
    server = RedisServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PublicServer]:
    """A server run by the Procfile's processes, shared by all tests of a run."""
    if RedisServer.missing():
        skip_missing(RedisServer.missing())
    with run_public_server(tmp_path_factory.mktemp("open-house")) as server:
        yield server


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test of a table on SQLite; in tests/both on both databases; if marked, on those of its mark."""
    if "on_database" in metafunc.fixturenames:
        mark = metafunc.definition.get_closest_marker("databases")
        lane = DATABASES if BOTH in metafunc.definition.path.parents else DATABASES[:1]
        metafunc.parametrize("on_database", mark.args if mark else lane)


@pytest.fixture(scope="session")
def _prepared_games(tmp_path_factory: pytest.TempPathFactory) -> None:
    prepare_games(tmp_path_factory.mktemp("begun"))


@pytest.fixture
def table(
    request: pytest.FixtureRequest, on_database: str, tmp_path: Path, _prepared_games: None
) -> Iterator[Table]:
    """A server with two players, whose emails go into a spool."""
    url = request.getfixturevalue("postgres_url") if on_database == "postgresql" else None
    made = make_table(tmp_path, url)
    yield made
    made.server.store.close()
