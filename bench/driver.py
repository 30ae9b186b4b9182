"""What the fault runs, the simulation and the season share: databases, a server, and a log of the run."""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from corr.mail.outward.transport import Mailer
from corr.service.answer_timing import AT_ONCE
from corr.service.server import Server
from corr.store import migrate
from corr.store.session import Store
from tests.support.database_servers import PostgresServer
from tests.support.many_players import DiscardingMailer, make_server

DATABASES = ("sqlite", "postgresql")


class Databases(ABC):
    """A place for durable databases with the newest tables."""

    name: str

    def make(self, database: str) -> str:
        """A new database with the newest tables; its URL."""
        url = self._create(database)
        store = Store(url)
        migrate.upgrade(store)
        store.close()
        return url

    def fresh(self) -> Iterator[str]:
        """Empty databases; each is dropped before the next."""
        self.make("blank")
        for name in (f"fresh{number}" for number in itertools.count()):
            yield self.copy("blank", name)
            self._drop(name)

    @abstractmethod
    def copy(self, database: str, copy: str) -> str:
        """Copy a database that nobody is using; return the copy's URL."""

    @abstractmethod
    def _create(self, database: str) -> str: ...

    @abstractmethod
    def _drop(self, database: str) -> None: ...


class SqliteDatabases(Databases):
    """Files in one folder."""

    name = "SQLite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def copy(self, database: str, copy: str) -> str:
        with closing(sqlite3.connect(self._file(database))) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(self._file(database), self._file(copy))
        return self._create(copy)

    def _create(self, database: str) -> str:
        return f"sqlite:///{self._file(database)}"

    def _drop(self, database: str) -> None:
        for file in self._folder.glob(f"{database}.sqlite*"):
            file.unlink()

    def _file(self, database: str) -> Path:
        return self._folder / f"{database}.sqlite"


class PostgresDatabases(Databases):
    """Databases in one cluster."""

    name = "PostgreSQL"

    def __init__(self, make_server: PostgresServer) -> None:
        self._server = make_server

    def copy(self, database: str, copy: str) -> str:
        self._server.run(f"CREATE DATABASE {copy} TEMPLATE {database}", "CHECKPOINT")
        return self._server.url(copy)

    def _create(self, database: str) -> str:
        self._server.run(f"CREATE DATABASE {database}")
        return self._server.url(database)

    def _drop(self, database: str) -> None:
        self._server.run(f"DROP DATABASE {database} WITH (FORCE)")


@contextmanager
def databases(kind: str, *, durable: bool = True) -> Iterator[Databases]:
    """A temporary place for databases on SQLite or PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="corr-bench-") as folder:
        if kind == "sqlite":
            yield SqliteDatabases(Path(folder))
            return
        if PostgresServer.missing():
            sys.exit(f"This needs {PostgresServer.missing()}.")
        make_server = PostgresServer(Path(folder) / "postgres", durable=durable)
        make_server.start()
        try:
            yield PostgresDatabases(make_server)
        finally:
            make_server.stop()


def places() -> Iterator[Databases]:
    """A place for durable databases of each installed kind in turn."""
    for kind in DATABASES:
        if kind == "postgresql" and PostgresServer.missing():
            print("PostgreSQL is not installed and left out")
        else:
            with databases(kind) as place:
                yield place


def server_at(url: str, now: Callable[[], datetime], post: Mailer | None = None) -> Server:
    """A server with our clock that answers at once; without a mail server its emails are discarded."""
    return replace(make_server(url, post or DiscardingMailer()), now=now, bot_pace=AT_ONCE)


def ask(doc: str | None, **options: object) -> argparse.Namespace:
    """Read options from the command line, given their defaults or choices; the first choice is the default."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in options.items():
        if isinstance(usual, tuple):
            parser.add_argument(f"--{name}", choices=usual, default=usual[0])
        else:
            parser.add_argument(f"--{name}", type=type(usual), default=usual)
    return parser.parse_args()


def seconds(work: Callable[[], object]) -> float:
    """The seconds that some work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def median_ms(work: Callable[[], object], rounds: int) -> float:
    """The median of some rounds, in milliseconds."""
    return statistics.median(seconds(work) for _ in range(rounds)) * 1000


class Diary:
    """A log of what was seen from outside, as lines of JSON; also written to a file if one is given."""

    def __init__(self, now: Callable[[], datetime], file: Path | None = None) -> None:
        self.lines: list[str] = []
        self._now, self._file = now, file

    def note(self, what: str, **fields: object) -> None:
        line = {"what": what, "at": self._now(), **fields}
        self.lines.append(json.dumps(line, default=_written, ensure_ascii=False))
        if self._file:
            with self._file.open("a") as file:
                file.write(self.lines[-1] + "\n")

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)


def _written(moment: object) -> str:
    assert isinstance(moment, datetime)
    return moment.isoformat()
