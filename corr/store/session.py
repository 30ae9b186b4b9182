"""Transactions, on SQLite and on PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.pool import QueuePool

from corr.words.errors import Misconfigured

_CONNECT_SECONDS = 5
_IDLE_SECONDS = 60
_NO_LIMIT = 0
_HOUR = 3600
_SAMPLES = "PRAGMA analysis_limit=400"
_TAKING_STOCK = {"sqlite": (_SAMPLES, "ANALYZE"), "postgresql": ("ANALYZE",)}


class Store:
    """The database: single questions, reading and writing transactions."""

    def __init__(self, database_url: str, patience: float = 10) -> None:
        """The database at a URL; `patience` is how many seconds to wait for what another transaction holds."""
        try:
            self.engine = _engine(make_url(database_url), patience)
        except ArgumentError as error:
            raise Misconfigured(f"Can't use CORR_DATABASE_URL: {error}") from error
        self._asking, self._reading = _ways(self.engine)
        self._patience, self._turns = patience, threading.Lock()

    @contextmanager
    def asking(self) -> Iterator[Connection]:
        """A connection for one question, which needs no transaction and costs one journey to the server."""
        with self._connection(self._asking) as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state and changes nothing."""
        with self._connection(self._reading) as connection:
            _begin(connection, "BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed whole or not at all."""
        with self._turn(), self._connection(self.engine) as connection, connection.begin():
            # A deferred transaction that reads and then writes fails at once with "locked" when another one
            # wrote in between; a writing use-case takes the lock first and waits for it.
            _begin(connection, "BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """SQLite lets one write, and who waits for it asks ever less often: here each has a turn as soon as it can."""
        if self.engine.dialect.name != "sqlite":
            yield
        elif self._turns.acquire(timeout=self._patience):
            try:
                yield
            finally:
                self._turns.release()
        else:
            reason = sqlite3.OperationalError("database is locked by this process itself")
            raise OperationalError("BEGIN IMMEDIATE", None, reason)

    @contextmanager
    def _connection(self, way: Engine) -> Iterator[Connection]:
        """One that rests, or a new one; where the store was closed meanwhile, it does not go on resting."""
        pool = way.pool
        with way.connect() as connection:
            yield connection
            if way.pool is not pool:
                connection.invalidate()

    def take_stock(self) -> None:
        """Let the database count what it holds, by samples: by that it chooses how to find what it is asked for."""
        with self.asking() as connection:
            for words in _TAKING_STOCK[connection.dialect.name]:
                connection.exec_driver_sql(words)

    def close(self) -> None:
        self.engine.dispose()


def _engine(url: URL, patience: float) -> Engine:
    match url.get_backend_name():
        case "sqlite":
            return _sqlite(url, patience)
        case "postgresql" | "postgres":
            return _postgresql(url.set(drivername="postgresql+psycopg"), patience)
        case other:
            raise Misconfigured(
                f"CORR_DATABASE_URL names {other}, which corr can't use. Write "
                "sqlite:////FILE or postgresql://USER@HOST/DATABASE"
            )


def _ways(engine: Engine) -> tuple[Engine, Engine]:
    """The engine for single questions, and the one for reading."""
    if engine.dialect.name == "sqlite":
        return engine, engine
    return (
        engine.execution_options(isolation_level="AUTOCOMMIT"),
        engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True),
    )


# ---------------------------------------------------------------- PostgreSQL


def _postgresql(url: URL, patience: float) -> Engine:
    milliseconds = round(patience * 1000)
    limits = f"-c lock_timeout={milliseconds} -c idle_in_transaction_session_timeout={_IDLE_SECONDS}s"
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,  # a connection of before the server's restart must not cost a letter
        connect_args={
            "connect_timeout": _CONNECT_SECONDS,
            "application_name": "corr",
            "options": limits,
            "tcp_user_timeout": milliseconds * 2,
        },
    )
    event.listen(engine, "handle_error", _be_discreet)
    return engine


def _be_discreet(context: ExceptionContext) -> None:
    """Errors are logged, and what is written down is nobody's to read there."""
    if context.statement is not None and context.sqlalchemy_exception is not None:
        _discreet(context.original_exception)
        _discreet(context.sqlalchemy_exception)


def _discreet(error: BaseException) -> None:
    """Without what PostgreSQL adds below its first line: whole rows of letters and keys."""
    error.args = tuple(str(each).partition("\n")[0] for each in error.args)


# ---------------------------------------------------------------- SQLite


def _sqlite(url: URL, patience: float) -> Engine:
    engine = create_engine(
        url,
        hide_parameters=True,  # errors are logged, and what is written down is nobody's to read there
        poolclass=QueuePool,
        pool_size=_NO_LIMIT,  # a transaction within another one never waits for a connection
        pool_use_lifo=True,  # the cache of the one used last has the newest pages in it
        pool_recycle=_HOUR,  # as often each takes stock
        connect_args={"timeout": patience, "isolation_level": None},
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "close", _take_stock)
    return engine


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:  # the pool's own record
    # Of a new file before anything else, and of an older one from its next VACUUM on; see `space.py`.
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    connection.execute("PRAGMA journal_mode=WAL")
    # NORMAL may lose the last commits when the power fails, after the sender was told 250.
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _take_stock(connection: sqlite3.Connection, _record: Any) -> None:
    """Count anew, by samples, what was asked for and has grown much since it was counted; nobody waits for that."""
    with suppress(sqlite3.Error):
        for words in ("PRAGMA busy_timeout=0", _SAMPLES, "PRAGMA optimize"):
            connection.execute(words)


def _begin(connection: Connection, words: str) -> None:
    """Begin on SQLite, straight by the driver: an event for it would cost every statement some of its time."""
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        try:
            driver.execute(words)
        except sqlite3.OperationalError as error:
            raise OperationalError(words, None, error) from error
