"""The front page, and what every page has in common with it."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from corr.web import assets
from tests.support.api_bots import first_game_code
from tests.support.table import Table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return table.app().test_client()


def test_the_front_page_says_what_corr_is_and_lists_the_variants(client: FlaskClient) -> None:
    page = client.get("/").get_data(as_text=True)

    assert "Chess in the fog, by letter" in page
    assert re.findall(r'<h3><a href="/rules/(\w+)">', page)[0] == "wild16"
    assert "/demo" not in page


def test_three_boards_show_what_either_side_and_the_umpire_see(client: FlaskClient) -> None:
    page = client.get("/").get_data(as_text=True)
    white, umpire, black = re.findall(r"<figure>(.*?)</figure>", page, re.DOTALL)

    assert re.findall(r'"b\w \w\d', white) == []
    assert re.findall(r'"w\w \w\d', black) == []
    pieces = len(re.findall(r'"\w[KQRBNP] ', white)), len(re.findall(r'"\w[KQRBNP] ', black))
    assert len(re.findall(r'"\w[KQRBNP] ', umpire)) == sum(pieces)
    assert "“Pawn at e5 captured. File check. White&#39;s move. 2 pawn tries.”" in page


def test_the_header_links_to_sign_in_and_marks_the_current_page(client: FlaskClient) -> None:
    assert 'href="/sign-in"' in client.get("/").get_data(as_text=True)
    assert 'href="/lobby/" aria-current="page"' in client.get("/lobby/").get_data(as_text=True)


def test_a_page_may_load_nothing_from_elsewhere(client: FlaskClient) -> None:
    answer = client.get("/")

    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    with client.get(f"/static/{assets.stamp()}/base.css") as style:
        assert style.status_code == 200


def test_no_page_shows_a_running_game_to_anybody(client: FlaskClient, table: Table) -> None:
    """W17: nobody observes one."""
    table.begin()
    table.play("e2e4")
    code = first_game_code(table)
    pages = [rule.rule for rule in client.application.url_map.iter_rules() if not rule.arguments]
    assert not any(code in client.get(page).get_data(as_text=True) for page in pages)
    assert {client.get(f"/{place}/{code}").status_code for place in ("game", "play")} == {404}


def test_strangers_must_sign_in_at_any_games_address_existing_or_not(
    client: FlaskClient, table: Table
) -> None:
    table.begin()
    code = first_game_code(table)

    answers = [client.get(f"/games/{each}") for each in (code, "nnnnn")]

    assert [answer.headers["Location"] for answer in answers] == ["/sign-in"] * 2


def test_link_previews_have_a_picture_that_exists(table: Table) -> None:
    client = table.app().test_client()
    found = re.search('property="og:image" content="([^"]*)"', client.get("/").get_data(as_text=True))

    assert found
    assert found[1].startswith(table.server.web_url)
    with client.get(found[1].removeprefix(table.server.web_url)) as picture:
        assert picture.headers["Content-Type"] == "image/png"
