"""Fixtures that all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from table import Table, lay


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A house on SQLite, with a spool for its letters."""
    laid = lay(tmp_path)
    yield laid
    laid.house.store.close()
