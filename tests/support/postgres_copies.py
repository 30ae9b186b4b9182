"""Copies PostgreSQL databases."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.support.database_servers import PostgresServer

DATABASE_NUMBERS = itertools.count(1)


def copy_database(postgres: PostgresServer, template: str) -> Iterator[str]:
    """Copy a database, yield its URL, and drop it afterwards."""
    name = f"house{next(DATABASE_NUMBERS)}"
    postgres.run(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield postgres.url(name)
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")
