"""Static files: cached for ever, compressed, and the same for everybody."""

from __future__ import annotations

import gzip
import re

import pytest
from flask.testing import FlaskClient

from corr.web import assets
from tests.support.table import Table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return table.app().test_client()


def test_files_that_a_page_links_exist_and_are_cached_for_ever(client: FlaskClient) -> None:
    linked = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/").get_data(as_text=True))

    assert linked
    for each in linked:
        with client.get(each) as answer:
            assert (answer.status_code, answer.headers["Cache-Control"]) == (
                200,
                "public, max-age=31536000, immutable",
            )


def test_files_that_a_stylesheet_names_exist() -> None:
    named = {
        each
        for name, asset in assets.assets().items()
        if name.endswith(".css")
        for each in re.findall(r"url\(([^)]+)\)", asset.plain.decode())
    }

    assert {"vollkorn.woff2", "contours.svg", "pieces/wK.svg"} <= named <= set(assets.assets())


def test_an_older_hash_serves_todays_file_uncached(client: FlaskClient) -> None:
    with client.get("/static/older/base.css") as answer:
        assert answer.get_data() == assets.assets()["base.css"].plain
        assert answer.headers["Cache-Control"] == "no-store"


def test_text_is_compressed_if_the_browser_accepts_it(client: FlaskClient) -> None:
    at = f"/static/{assets.stamp()}/base.css"
    with client.get(at) as plain, client.get(at, headers={"Accept-Encoding": "gzip"}) as compressed:
        assert gzip.decompress(compressed.get_data()) == plain.get_data()
        assert len(compressed.get_data()) < len(plain.get_data()) / 2
        assert "Accept-Encoding" in compressed.headers["Vary"]


@pytest.mark.parametrize("name", ["", "none.css", "../assets.py", "pieces/../../assets.py", "pieces"])
def test_no_other_file_is_served(client: FlaskClient, name: str) -> None:
    assert client.get(f"/static/{assets.stamp()}/{name}").status_code == 404
