"""Installing the site as an app: the manifest, its icons and the service worker."""

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
def test_the_manifest_names_existing_pages_and_icons(client: FlaskClient, root: str) -> None:
    answer = client.get("/manifest.webmanifest", environ_overrides={"SCRIPT_NAME": root})
    manifest = json.loads(answer.data)

    assert answer.mimetype == "application/manifest+json"
    assert (manifest["scope"], manifest["start_url"]) == (f"{root}/", f"{root}/games/")
    assert {each["purpose"] for each in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        with client.get(icon["src"].removeprefix(root)) as picture:
            width, height = Image.open(io.BytesIO(picture.data)).size
        assert (icon["sizes"], icon["type"]) == (f"{width}x{height}", picture.mimetype)


def test_the_front_page_links_the_manifest_and_the_table_does_not(table: Table) -> None:
    table.begin()
    ann = sit_down(table, ANN)
    named = '<link rel="manifest" href="/manifest.webmanifest">'

    assert named in ann.client.get("/").get_data(as_text=True)
    assert named not in ann.client.get(ann.path).get_data(as_text=True)


def test_the_service_worker_caches_nothing(client: FlaskClient) -> None:
    answer = client.get("/sw.js")
    script = answer.get_data(as_text=True)

    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-store")
    assert "Set-Cookie" not in answer.headers
    assert "caches" not in script
    assert '"fetch"' not in script


def test_the_policy_allows_only_our_own_worker_and_manifest(client: FlaskClient) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]

    assert "worker-src 'self'; manifest-src 'self';" in policy


def test_the_icon_of_a_notification_exists_without_a_hash(client: FlaskClient) -> None:
    at = urljoin("/sw.js", "static/now/mark-192.png")
    assert at.removeprefix("/") in client.get("/sw.js").get_data(as_text=True)

    with client.get(at) as picture:
        assert picture.data == assets.assets()["mark-192.png"].plain


def test_the_theme_colours_match_the_stylesheet(client: FlaskClient) -> None:
    pair = r"--desk:light-dark\((#\w{6}),(#\w{6})\)"
    light, dark = re.findall(pair, assets.assets()["base.css"].plain.decode())[0]
    manifest = json.loads(client.get("/manifest.webmanifest").data)
    theme_colors = re.findall(r'name="theme-color" media="\S+ (\w+)\)" content="(\S+)"', client.get("/").text)

    assert (manifest["theme_color"], manifest["background_color"]) == (light, light)
    assert theme_colors == [("light", light), ("dark", dark)]
