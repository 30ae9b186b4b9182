"""A failed request is logged without the secret in its address."""

from __future__ import annotations

import pytest

from corr.store import migrate
from tests.support.table import Table

SECRET = "not-for-the-log"


@pytest.mark.parametrize("path", ["/told/{}/games.ics", "/offers/{}"])
def test_a_failing_page_is_logged_without_its_secret_address(
    table: Table, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    client = table.app().test_client()
    migrate.downgrade(table.server.store)

    assert client.get(path.format(SECRET)).status_code == 500
    assert "a request failed: GET /" in caplog.text
    assert SECRET not in caplog.text
