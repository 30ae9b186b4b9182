"""The demo's personal pages: each person is signed in on their own, on this machine only."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from corr.demo.mailbox import ANN, BEN, CLEO, OLGA, Person, lead_home
from corr.demo.personal_pages import open_personal_pages
from tests.support.browser import Browser, text_of_page
from tests.support.table import Table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    """A browser at the demo's pages, with a proposed game."""
    table.challenge(ANN.address, BEN.address)
    app = table.app_with_workers(OLGA.address)
    open_personal_pages(app, table.server)
    return app.test_client()


def seen(client: FlaskClient, path: str, host: str = "localhost") -> str:
    return text_of_page(
        client.get(path, headers={"Host": host}, follow_redirects=True).get_data(as_text=True)
    )


def test_everyone_is_signed_in_on_their_own_pages(client: FlaskClient) -> None:
    assert "You are ann ." in seen(client, "/ann/games/")
    assert "You are ben ." in seen(client, "/ben/games/")
    assert "Sign in by email" in seen(client, "/lobby/")


@pytest.mark.parametrize(
    ("reader", "path", "opened"),
    [
        (BEN, "/letters/abc", "/ben/letters/abc"),
        (ANN, "/games/abcde", "/ann/games/abcde"),
        (CLEO, "/games/abcde", "/cleo/games/abcde"),
        (CLEO, "/letters/abc", "/letters/abc"),
        (ANN, "/rules/rbc", "/rules/rbc"),
    ],
)
def test_links_in_emails_open_where_their_reader_is_signed_in(reader: Person, path: str, opened: str) -> None:
    found = lead_home(f'<a href="http://127.0.0.1:8000{path}">', reader)

    assert found == f'<a href="http://127.0.0.1:8000{opened}">'


def test_personal_pages_stay_signed_in_for_ever(client: FlaskClient, table: Table) -> None:
    before = seen(client, "/ann/games/")
    table.clock.advance(days=100)

    assert "You are ann ." in before
    assert "You are ann ." in seen(client, "/ann/games/")


def test_another_host_name_signs_nobody_in(client: FlaskClient) -> None:
    assert "You are" not in seen(client, "/ann/games/", "elsewhere.example")


def test_a_normal_server_has_no_personal_pages(table: Table) -> None:
    table.challenge(ANN.address, BEN.address)
    browser = Browser(table.app_with_workers())
    browser.open("/ann/games/")

    assert browser.answer.status_code == 404


def test_only_the_operator_sees_the_admin_pages(client: FlaskClient) -> None:
    assert "Incoming emails to process" in seen(client, "/olga/admin/")
    assert "Page not found" in seen(client, "/ann/admin/")


def test_signing_out_lasts(client: FlaskClient) -> None:
    page = client.get("/ann/settings/", base_url="http://localhost").get_data(as_text=True)
    csrf = re.search('name="csrf" value="([^"]+)"', page)
    assert csrf
    left = client.post("/ann/sign-out", data={"csrf": csrf[1]}, base_url="http://localhost")

    assert (left.status_code, left.location) == (303, "/ann/")
    assert "Sign in by email" in seen(client, "/ann/lobby/")
    assert "You are ben ." in seen(client, "/ben/games/")
