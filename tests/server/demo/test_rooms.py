"""The demo's people are let in at their own pages, and at nobody else's; on this machine alone."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from corr.demo.mailbox import ANN, BEN, OLGA
from corr.demo.personal_pages import open_personal_pages
from tests.support.browser import Browser, text_of_page
from tests.support.table import Table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    """A browser at the demo's pages, where a game has begun."""
    table.challenge(ANN.address, BEN.address)
    app = table.at_work(OLGA.address)
    open_personal_pages(app, table.server)
    return app.test_client()


def seen(client: FlaskClient, path: str, host: str = "localhost") -> str:
    return text_of_page(
        client.get(path, headers={"Host": host}, follow_redirects=True).get_data(as_text=True)
    )


def test_everybody_is_in_their_own_room(client: FlaskClient) -> None:
    assert "You are ann ." in seen(client, "/ann/games/")
    assert "You are ben ." in seen(client, "/ben/games/")
    assert "Sign in by email" in seen(client, "/lobby/")


def test_they_are_still_in_when_much_time_has_passed(client: FlaskClient, table: Table) -> None:
    before = seen(client, "/ann/games/")
    table.clock.pass_by(days=100)

    assert "You are ann ." in before
    assert "You are ann ." in seen(client, "/ann/games/")


def test_nobody_is_let_in_by_another_name_of_this_machine(client: FlaskClient) -> None:
    assert "You are" not in seen(client, "/ann/games/", "elsewhere.example")


def test_no_room_is_open_anywhere_else(table: Table) -> None:
    table.challenge(ANN.address, BEN.address)
    browser = Browser(table.at_work())
    browser.open("/ann/games/")

    assert browser.answer.status_code == 404


def test_the_operators_pages_are_open_to_the_operator_alone(client: FlaskClient) -> None:
    assert "Incoming emails to process" in seen(client, "/olga/admin/")
    assert "Page not found" in seen(client, "/ann/admin/")


def test_who_has_signed_out_stays_out(client: FlaskClient) -> None:
    page = client.get("/ann/settings/", base_url="http://localhost").get_data(as_text=True)
    mark = re.search('name="csrf" value="([^"]+)"', page)
    assert mark
    left = client.post("/ann/sign-out", data={"csrf": mark[1]}, base_url="http://localhost")

    assert (left.status_code, left.location) == (303, "/ann/")
    assert "Sign in by email" in seen(client, "/ann/lobby/")
    assert "You are ben ." in seen(client, "/ben/games/")
