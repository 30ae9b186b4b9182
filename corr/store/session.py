"""Connects to SQLite or PostgreSQL, and opens connections for single queries, reading and writing."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import ArgumentError, InvalidatePoolError, OperationalError
from sqlalchemy.pool import QueuePool

from corr.words.errors import Misconfigured

_CONNECT_SECONDS = 5
_CONNECTIONS = 15  # of one process to PostgreSQL
_IDLE_SECONDS = 60
_NO_LIMIT = 0
_HOUR = 3600
_SAMPLES = "PRAGMA analysis_limit=400"
_TAKING_STOCK = {"sqlite": (_SAMPLES, "ANALYZE"), "postgresql": ("ANALYZE",)}


class Store:
    """The database: single queries, reading and writing transactions."""

    def __init__(self, database_url: str, patience: float = 10, trusted: float = 0.1) -> None:
        """Open a database by its URL.

        `patience` is how many seconds to wait for another transaction's locks; a connection to PostgreSQL that rested
        longer than `trusted` seconds is tried before it is used.
        """
        try:
            self.engine = _engine(make_url(database_url), patience, trusted)
        except ArgumentError as error:
            raise Misconfigured(f"Can't use CORR_DATABASE_URL: {error}") from error
        self._asking, self._reading = _derive_engines(self.engine)
        self._patience, self._turns = patience, threading.Lock()

    @contextmanager
    def asking(self) -> Iterator[Connection]:
        """Open a connection for one query, which needs no transaction and costs one round trip."""
        with self._connection(self._asking) as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a read-only transaction, which sees one unchanging state of the database."""
        # It ends by a commit: after a rollback psycopg prepares every statement anew.
        with self._connection(self._reading) as connection, connection.begin():
            _begin(connection, "BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that commits after the block, or rolls back on an exception."""
        with self._turn(), self._connection(self.engine) as connection, connection.begin():
            # A deferred transaction that reads and then writes fails at once with "locked" if another one wrote in
            # between. So a writing use case takes the lock first and waits for it.
            _begin(connection, "BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Queue this process's threads that write to SQLite, whose own waiting is unfair."""
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
        """Open a pooled or new connection; if the store was closed meanwhile, do not return it to the pool."""
        pool = way.pool
        with way.connect() as connection:
            yield connection
            if way.pool is not pool:
                connection.invalidate()

    def update_statistics(self) -> None:
        """Make the database sample its tables (ANALYZE), because it plans queries by these statistics."""
        with self.asking() as connection:
            for words in _TAKING_STOCK[connection.dialect.name]:
                connection.exec_driver_sql(words)

    def close(self) -> None:
        self.engine.dispose()


def _engine(url: URL, patience: float, trusted: float) -> Engine:
    """Create the engine for a database URL; Misconfigured for any but SQLite and PostgreSQL."""
    match url.get_backend_name():
        case "sqlite":
            return _sqlite(url, patience)
        case "postgresql" | "postgres":
            return _postgresql(url.set(drivername="postgresql+psycopg"), patience, trusted)
        case other:
            raise Misconfigured(
                f"CORR_DATABASE_URL names {other}, which corr can't use. Write "
                "sqlite:////FILE or postgresql://USER@HOST/DATABASE"
            )


def _derive_engines(engine: Engine) -> tuple[Engine, Engine]:
    """Return two variants of an engine: for single queries, and for reading transactions."""
    if engine.dialect.name == "sqlite":
        return engine, engine
    return (
        engine.execution_options(isolation_level="AUTOCOMMIT"),
        engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True),
    )


def _postgresql(url: URL, patience: float, trusted: float) -> Engine:
    milliseconds = round(patience * 1000)
    limits = f"-c lock_timeout={milliseconds} -c idle_in_transaction_session_timeout={_IDLE_SECONDS}s"
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_size=_CONNECTIONS,
        max_overflow=0,  # a new connection takes longer than a page
        pool_use_lifo=True,  # the connection used last need not be tried, and has the most prepared statements
        connect_args={
            "connect_timeout": _CONNECT_SECONDS,
            "application_name": "corr",
            "prepare_threshold": 1,  # planning a page's queries takes longer than running them
            "options": limits,
            "tcp_user_timeout": milliseconds * 2,
        },
    )
    event.listen(engine, "handle_error", _redact_errors)
    _try_rested(engine, trusted)
    return engine


def _try_rested(engine: Engine, trusted: float) -> None:
    """Try a connection that rested: one from before the database's restart must not cost an email."""

    def note(_connection: Any, record: Any) -> None:  # the driver's connection, and the pool's record of it
        record.info["used"] = time.monotonic()

    def try_it(connection: Any, record: Any, _fairy: Any) -> None:
        if time.monotonic() - record.info["used"] > trusted:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise InvalidatePoolError from error

    event.listen(engine, "connect", note)
    event.listen(engine, "checkin", note)
    event.listen(engine, "checkout", try_it)


def _redact_errors(context: ExceptionContext) -> None:
    """Strip a failed statement's errors of private content, since errors are logged."""
    if context.statement is not None and context.sqlalchemy_exception is not None:
        _keep_first_line(context.original_exception)
        _keep_first_line(context.sqlalchemy_exception)


def _keep_first_line(error: BaseException) -> None:
    """Keep only an error's first line: below it PostgreSQL adds whole rows of emails and keys."""
    error.args = tuple(str(each).partition("\n")[0] for each in error.args)


def _sqlite(url: URL, patience: float) -> Engine:
    engine = create_engine(
        url,
        hide_parameters=True,  # errors are logged, and must not contain private content
        poolclass=QueuePool,
        pool_size=_NO_LIMIT,  # a transaction within another one never waits for a connection
        pool_use_lifo=True,  # the connection used last has the newest pages in its cache
        pool_recycle=_HOUR,  # each connection updates the statistics as it closes
        connect_args={"timeout": patience, "isolation_level": None},
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "close", _optimize_on_close)
    return engine


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:  # the pool's own record
    """Set SQLite's pragmas on each new connection."""
    # A new file needs this first; an older one gets it with its next VACUUM, see `free_unused_pages`.
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    connection.execute("PRAGMA journal_mode=WAL")
    # NORMAL may lose the last commits in a power failure, after the sender was told 250.
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _optimize_on_close(connection: sqlite3.Connection, _record: Any) -> None:
    """Let SQLite update its statistics as a connection closes, without waiting for any lock."""
    with suppress(sqlite3.Error):
        for words in ("PRAGMA busy_timeout=0", _SAMPLES, "PRAGMA optimize"):
            connection.execute(words)


def _begin(connection: Connection, words: str) -> None:
    """Run `words`, a BEGIN, on SQLite, where a listener would be slower; PostgreSQL's driver begins by itself."""
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        try:
            driver.execute(words)
        except sqlite3.OperationalError as error:
            raise OperationalError(words, None, error) from error


#: The part of the file that stays empty, since new rows need it soon.
_SPARE = 1 / 16
_MOST_PAGES = 1_000


def free_unused_pages(store: Store, most: int = _MOST_PAGES) -> int:
    """Shrink a SQLite file by some empty pages; return how many, 0 on PostgreSQL."""
    if store.engine.dialect.name != "sqlite":
        return 0
    with store.asking() as connection:
        driver: Any = connection.connection.driver_connection
        (pages,), (empty,) = (
            driver.execute(f"PRAGMA {count}").fetchone() for count in ("page_count", "freelist_count")
        )
        surplus = min(empty - int(pages * _SPARE), most)
        if surplus <= 0:
            return 0
        script = f"PRAGMA incremental_vacuum({surplus})"
        try:
            driver.executescript(script)  # a single statement would give back only one page
        except sqlite3.OperationalError as error:
            raise OperationalError(script, None, error) from error
        (left,) = driver.execute("PRAGMA freelist_count").fetchone()
        return int(empty - left)
