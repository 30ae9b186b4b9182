"""The front page."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from table import Table

from corr.web import create_app


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table.house).test_client()


def test_the_front_page_says_what_this_is_and_what_is_played(client: FlaskClient) -> None:
    page = client.get("/").get_data(as_text=True)

    assert "Chess in the dark, by letter" in page
    assert "Wild 16" in page
    assert "/demo" not in page


def test_a_page_may_load_nothing_from_elsewhere(client: FlaskClient) -> None:
    answer = client.get("/")

    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    with client.get("/static/corr.css") as style:
        assert style.status_code == 200
