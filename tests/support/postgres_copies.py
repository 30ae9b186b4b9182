"""Databases on PostgreSQL, each a copy of another."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.support.database_servers import PostgresServer

DATABASE_NUMBERS = itertools.count(1)


def copy_database(postgres: PostgresServer, template: str) -> Iterator[str]:
    """The address of a new database, which goes when it is no longer asked for."""
    name = f"house{next(DATABASE_NUMBERS)}"
    postgres.run(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield postgres.url(name)
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")
