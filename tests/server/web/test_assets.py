"""Styles, scripts, font and drawings: kept by browsers for ever, packed for the way, and the same for everybody."""

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


def test_what_a_page_names_is_there_and_is_kept_for_ever(client: FlaskClient) -> None:
    beside = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/").get_data(as_text=True))

    assert beside
    for each in beside:
        with client.get(each) as answer:
            assert (answer.status_code, answer.headers["Cache-Control"]) == (
                200,
                "public, max-age=31536000, immutable",
            )


def test_what_a_style_names_is_there() -> None:
    named = {
        each
        for name, asset in assets.assets().items()
        if name.endswith(".css")
        for each in re.findall(r"url\(([^)]+)\)", asset.plain.decode())
    }

    assert {"vollkorn.woff2", "contours.svg", "pieces/wK.svg"} <= named <= set(assets.assets())


def test_under_an_older_stamp_stands_what_there_is_today_and_is_not_kept(client: FlaskClient) -> None:
    with client.get("/static/older/base.css") as answer:
        assert answer.get_data() == assets.assets()["base.css"].plain
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_text_is_packed_for_whoever_can_unpack_it(client: FlaskClient) -> None:
    at = f"/static/{assets.stamp()}/base.css"
    with client.get(at) as plain, client.get(at, headers={"Accept-Encoding": "gzip"}) as packed:
        assert gzip.decompress(packed.get_data()) == plain.get_data()
        assert len(packed.get_data()) < len(plain.get_data()) / 2
        assert "Accept-Encoding" in packed.headers["Vary"]


@pytest.mark.parametrize("name", ["", "none.css", "../assets.py", "pieces/../../assets.py", "pieces"])
def test_nothing_else_is_there(client: FlaskClient, name: str) -> None:
    assert client.get(f"/static/{assets.stamp()}/{name}").status_code == 404
