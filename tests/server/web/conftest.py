"""A site on which every page can be opened, built once for tests that only read it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.every_page import SampleSite, build_sample_site
from tests.support.table import make_table


@pytest.fixture(scope="session")
def sample_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleSite]:
    """The site with every page. Its tests share the xdist group `stage`, so that only one process builds it."""
    table = make_table(tmp_path_factory.mktemp("stage"))
    yield build_sample_site(table)
    table.server.store.close()
