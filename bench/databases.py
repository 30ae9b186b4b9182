"""Databases for measurements, durable and easily copied: SQLite in a folder, PostgreSQL on a server of one's own."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from corr.store import schema
from corr.store.session import Store
from tests.support.servers import PostgresServer


class Databases(Protocol):
    """A place for databases with the newest tables."""

    name: str

    def make(self, database: str) -> str:
        """A new database with the newest tables; its URL."""

    def copy(self, database: str, copy: str) -> str:
        """The same database once more; the copy's URL. Nobody may be using the original."""


class SqliteDatabases:
    """Each a file in one folder."""

    name = "SQLite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(self, database: str) -> str:
        return _with_tables(f"sqlite:///{self._file(database)}")

    def copy(self, database: str, copy: str) -> str:
        with closing(sqlite3.connect(self._file(database))) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(self._file(database), self._file(copy))
        return f"sqlite:///{self._file(copy)}"

    def _file(self, database: str) -> Path:
        return self._folder / f"{database}.sqlite"


class PostgresDatabases:
    """Each in one cluster, with fsync on."""

    name = "PostgreSQL"

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    def make(self, database: str) -> str:
        self._server.run(f"CREATE DATABASE {database}")
        return _with_tables(self._server.url(database))

    def copy(self, database: str, copy: str) -> str:
        self._server.run(f"CREATE DATABASE {copy} TEMPLATE {database}", "CHECKPOINT")
        return self._server.url(copy)


@contextmanager
def places() -> Iterator[list[Databases]]:
    """A place for each kind of database that is installed; what is in it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="corr-bench-") as folder:
        found: list[Databases] = [SqliteDatabases(Path(folder))]
        if PostgresServer.missing():
            print("PostgreSQL is not installed and left out")
            yield found
            return
        server = PostgresServer(Path(folder) / "postgres", durable=True)
        server.start()
        try:
            yield [*found, PostgresDatabases(server)]
        finally:
            server.stop()


def _with_tables(url: str) -> str:
    store = Store(url)
    schema.upgrade(store)
    store.close()
    return url
