"""What lets the pages be installed: the manifest, its pictures, and what runs behind the pages."""

from __future__ import annotations

import io
import json
import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient
from PIL import Image

from corr.web import assets
from tests.server.web.test_table import sit_down
from tests.support.table import ANN, Table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return table.app().test_client()


@pytest.mark.parametrize("root", ["", "/kriegspiel"])
def test_the_manifest_names_the_pages_and_pictures_that_are_there(client: FlaskClient, root: str) -> None:
    answer = client.get("/manifest.webmanifest", environ_overrides={"SCRIPT_NAME": root})
    told = json.loads(answer.data)

    assert answer.mimetype == "application/manifest+json"
    assert (told["scope"], told["start_url"]) == (f"{root}/", f"{root}/games/")
    assert {each["purpose"] for each in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        with client.get(icon["src"].removeprefix(root)) as picture:
            width, height = Image.open(io.BytesIO(picture.data)).size
        assert (icon["sizes"], icon["type"]) == (f"{width}x{height}", picture.mimetype)


def test_the_front_page_names_the_manifest_and_the_table_does_not_grow_by_it(table: Table) -> None:
    table.begin()
    anns = sit_down(table, ANN)
    named = '<link rel="manifest" href="/manifest.webmanifest">'

    assert named in anns.client.get("/").get_data(as_text=True)
    assert named not in anns.client.get(anns.at).get_data(as_text=True)


def test_what_runs_behind_the_pages_stands_where_they_do_and_keeps_nothing(client: FlaskClient) -> None:
    answer = client.get("/sw.js")
    script = answer.get_data(as_text=True)

    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-store")
    assert "Set-Cookie" not in answer.headers
    assert "caches" not in script
    assert '"fetch"' not in script


def test_the_policy_lets_our_own_worker_and_manifest_be_loaded_and_no_others(client: FlaskClient) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]

    assert "worker-src 'self'; manifest-src 'self';" in policy


def test_the_picture_of_a_notice_is_there_under_no_stamp_at_all(client: FlaskClient) -> None:
    at = urljoin("/sw.js", "static/now/mark-192.png")
    assert at.removeprefix("/") in client.get("/sw.js").get_data(as_text=True)

    with client.get(at) as picture:
        assert picture.data == assets.assets()["mark-192.png"].plain


def test_its_colour_is_that_of_the_desk_by_day_and_by_night(client: FlaskClient) -> None:
    pair = r"--desk:light-dark\((#\w{6}),(#\w{6})\)"
    by_day, by_night = re.findall(pair, assets.assets()["base.css"].plain.decode())[0]
    told = json.loads(client.get("/manifest.webmanifest").data)
    bars = re.findall(r'name="theme-color" media="\S+ (\w+)\)" content="(\S+)"', client.get("/").text)

    assert (told["theme_color"], told["background_color"]) == (by_day, by_day)
    assert bars == [("light", by_day), ("dark", by_night)]
