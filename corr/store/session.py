"""Transactions, on SQLite and on PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.pool import NullPool

from corr.store.wire import Wire, Wordings, discreet
from corr.words import Misconfigured

_CONNECT_SECONDS = 5
_IDLE_SECONDS = 60


class Store:
    """The database: single questions, reading and writing transactions."""

    def __init__(self, database_url: str, patience: float = 10) -> None:
        """The database at a URL; `patience` is how many seconds to wait for what another transaction holds."""
        try:
            self.engine = _engine(make_url(database_url), patience)
        except ArgumentError as error:
            raise Misconfigured(f"CORR_DATABASE_URL cannot be used: {error}") from error
        self._asking, self._reading = _ways(self.engine)
        self._wordings: Wordings = WeakKeyDictionary()
        self._resting: list[Wire] = []

    @contextmanager
    def asking(self) -> Iterator[Connection]:
        """A connection for one question, which needs no transaction and costs one journey to the server."""
        with self._connection(self._asking) as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state and changes nothing."""
        with self._connection(self._reading) as connection:
            connection.begin()
            _begin(connection, "BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed whole or not at all."""
        with self._connection(self.engine) as connection, connection.begin():
            # A deferred transaction that reads and then writes fails at once with "locked" when another one
            # wrote in between; a writing use-case takes the lock first and waits for it.
            _begin(connection, "BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def _connection(self, way: Engine) -> Iterator[Connection]:
        """On SQLite, an open one that rests; the one used last, whose cache has the newest pages in it."""
        resting = self._resting
        try:
            connection = resting.pop()
        except IndexError:
            connection = Wire(way, self._wordings)
        connection.is_resting = False
        try:
            yield connection
            connection.rollback()
        except BaseException as error:
            if not isinstance(error, Exception) and not connection.closed:
                connection.invalidate()  # it may have been in the middle of a statement
            connection.close()
            raise
        is_sound = not (connection.closed or connection.invalidated)
        if connection.dialect.name == "sqlite" and is_sound and resting is self._resting:
            connection.is_resting = True
            resting.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        resting, self._resting = self._resting, []
        for connection in resting:
            connection.close()
        self.engine.dispose()


def _engine(url: URL, patience: float) -> Engine:
    match url.get_backend_name():
        case "sqlite":
            return _sqlite(url, patience)
        case "postgresql" | "postgres":
            return _postgresql(url.set(drivername="postgresql+psycopg"), patience)
        case other:
            raise Misconfigured(
                f"CORR_DATABASE_URL names {other}: write sqlite:////FILE or postgresql://USER@HOST/DATABASE"
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
        discreet(context.original_exception)
        discreet(context.sqlalchemy_exception)


# ---------------------------------------------------------------- SQLite


def _sqlite(url: URL, patience: float) -> Engine:
    engine = create_engine(
        url,
        hide_parameters=True,  # errors are logged, and what is written down is nobody's to read there
        poolclass=NullPool,  # a store keeps its connections open itself
        connect_args={"timeout": patience, "isolation_level": None},
    )
    event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:  # the pool's own record
    connection.execute("PRAGMA journal_mode=WAL")
    # NORMAL may lose the last commits when the power fails, after the sender was told 250.
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection, words: str) -> None:
    """Begin on SQLite, straight by the driver: an event for it would cost every statement some of its time."""
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        try:
            driver.execute(words)
        except sqlite3.OperationalError as error:
            raise OperationalError(words, None, error) from error
