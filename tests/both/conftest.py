"""Fixtures for tests that run on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.table import Table, make_table


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, once SQLite and once PostgreSQL."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("bare_postgres_url"))
    return f"sqlite:///{tmp_path / 'bare.sqlite'}"


@pytest.fixture
def sqlite_table(tmp_path: Path) -> Iterator[Table]:
    """A table on SQLite, for what only SQLite does."""
    laid = make_table(tmp_path)
    yield laid
    laid.server.store.close()
