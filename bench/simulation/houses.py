"""Empty houses for simulations, one after the other, on either database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from corr.store import schema
from corr.store.session import Store
from tests.support.databases import database
from tests.support.servers import PostgresServer
from tests.support.table import blank

DATABASES = ("sqlite", "postgresql")


@contextmanager
def sqlite() -> Iterator[Iterator[str]]:
    """Files in a folder that goes with them."""
    with TemporaryDirectory(prefix="corr-simulation-") as folder:
        yield _files(Path(folder) / "corr.sqlite")


def _files(file: Path) -> Iterator[str]:
    while True:
        file.write_bytes(blank())
        yield f"sqlite:///{file}"
        for each in file.parent.iterdir():
            each.unlink()


@contextmanager
def postgresql() -> Iterator[Iterator[str]]:
    """Databases on a server of their own."""
    with TemporaryDirectory(prefix="corr-simulation-") as folder:
        server = PostgresServer(Path(folder), durable=False)
        server.start()
        try:
            server.run("CREATE DATABASE blank")
            store = Store(server.url("blank"))
            schema.upgrade(store)
            store.close()
            yield _databases(server)
        finally:
            server.stop()


def _databases(server: PostgresServer) -> Iterator[str]:
    while True:
        yield from database(server, "blank")


#: By the name of its database, where houses are to be had.
HOUSES = {"sqlite": sqlite, "postgresql": postgresql}
