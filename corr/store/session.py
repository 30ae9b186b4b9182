"""Transactions, on SQLite and elsewhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from corr.words import Misconfigured

_WRITING = "corr_writing"


class Store:
    """The database: reading and writing transactions."""

    def __init__(self, database_url: str, patience: float = 10) -> None:
        """The database at a URL; `patience` is how many seconds to wait where SQLite is being written to."""
        try:
            url = make_url(database_url)
            self.engine = _sqlite(url, patience) if url.get_backend_name() == "sqlite" else create_engine(url)
        except (ArgumentError, ModuleNotFoundError) as error:
            raise Misconfigured(f"CORR_DATABASE_URL cannot be used: {error}") from error
        self._writing = self.engine.execution_options(**{_WRITING: True})

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state and changes nothing."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed whole or not at all."""
        with self._writing.begin() as connection:
            yield connection

    def close(self) -> None:
        self.engine.dispose()


def _sqlite(url: URL, patience: float) -> Engine:
    engine = create_engine(url, connect_args={"timeout": patience, "isolation_level": None})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:  # the pool's own record
    connection.execute("PRAGMA journal_mode=WAL")
    # NORMAL may lose the last commits when the power fails, after the sender was told 250.
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection) -> None:
    # A deferred transaction that reads and then writes fails at once with "locked" when another one wrote
    # in between; a writing use-case takes the lock first and waits for it.
    writing = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
