"""Fixtures for tests that run on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.table import Table, make_table


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables, on SQLite and on PostgreSQL."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("bare_postgres_url"))
    return f"sqlite:///{tmp_path / 'bare.sqlite'}"


@pytest.fixture
def sqlite_table(tmp_path: Path) -> Iterator[Table]:
    """A table on SQLite, for tests of what only SQLite does."""
    made = make_table(tmp_path)
    yield made
    made.server.store.close()
