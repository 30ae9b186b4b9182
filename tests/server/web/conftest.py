"""A house on which each page that there is can be opened, laid out once for whoever only looks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.every_page import Stage, set_the_stage
from tests.support.table import lay


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Tests that ask for it are of one group, `stage`, so that it is laid out in one process alone."""
    table = lay(tmp_path_factory.mktemp("stage"))
    yield set_the_stage(table)
    table.server.store.close()
