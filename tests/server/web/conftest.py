"""A server with data for every page, built once for all tests that only read it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.every_page import Stage, set_the_stage
from tests.support.table import lay


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Tests that use this are in the xdist group `stage`, so only one process builds it."""
    table = lay(tmp_path_factory.mktemp("stage"))
    yield set_the_stage(table)
    table.server.store.close()
