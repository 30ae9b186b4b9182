"""The stream of an open page: it says that there is news, and never what it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from corr import limits
from corr.rules.variants import UMPIRES
from corr.service.games import page
from corr.service.games.news import SeatNews, load_news
from corr.store.tables import SeatRow
from corr.words.board import Side
from tests.support.api_bots import first_game_code
from tests.support.browser import Browser
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, EVE, Table

ALIVE, NEWS = ": \n\n", "data: news\n\n"


@pytest.fixture
def app(table: Table) -> Flask:
    return table.app()


def browser_of(table: Table, app: Flask, player: str) -> Browser:
    browser = Browser(app)
    browser.sign_in(table, player)
    return browser


def open_stream(client: FlaskClient, path: str) -> Iterator[str]:
    """A page's event stream, after its first keep-alive."""
    events = (each.decode() if isinstance(each, bytes) else each for each in client.get(path).response)
    assert next(events) == ALIVE
    return events


def news_of(table: Table, side: Side) -> SeatNews:
    with table.server.store.reading() as connection:
        seat = connection.execute(select(SeatRow.id).where(SeatRow.side == side)).scalar_one()
    (found,) = load_news(table.server, [seat])
    return found


def page_of(table: Table, side: Side) -> str:
    """The mark of a player's page; it changes exactly when the page does."""
    with table.server.store.reading() as connection:
        player = connection.execute(select(SeatRow.player_id).where(SeatRow.side == side)).scalar_one()
    return page.list_game_players(table.server, player, first_game_code(table), table.clock())[0].status.mark


# ---------------------------------------------------------------- streams


def test_a_reader_without_a_game_gets_no_stream(table: Table, app: Flask) -> None:
    table.begin()
    eve = browser_of(table, app, EVE).client

    assert eve.get("/games/news").status_code == 204
    assert eve.get(f"/games/{first_game_code(table)}/news").status_code == 204
    assert app.test_client().get(f"/games/{first_game_code(table)}/news").status_code == 204


def test_a_browser_may_open_only_so_many_streams(table: Table, app: Flask) -> None:
    table.begin()
    ben = browser_of(table, app, BEN).client
    held = [open_stream(ben, "/games/news") for _ in range(limits.BROWSER_STREAMS)]

    assert ben.get("/games/news").status_code == 204
    held.clear()
    assert ben.get("/games/news").status_code == 200


def test_a_head_request_opens_no_stream(table: Table, app: Flask) -> None:
    table.begin()
    ben = browser_of(table, app, BEN).client
    for _ in range(limits.BROWSER_STREAMS + 1):
        ben.head("/games/news")

    assert ben.get("/games/news").status_code == 200


def test_a_stopping_process_ends_its_streams(table: Table, app: Flask) -> None:
    table.begin()
    events = open_stream(browser_of(table, app, BEN).client, "/games/news")
    app.extensions["news"].is_stopping = lambda: True

    assert list(events)[-1:] in ([], [ALIVE])


# ---------------------------------------------------------------- news


@pytest.mark.parametrize("variant", UMPIRES)
def test_there_is_news_exactly_when_the_page_changes(table: Table, variant: str) -> None:
    """An opponent's try is news only if the umpire announces it."""
    table.begin(variant)
    for player, email in GAMES[variant].by_turns():
        other = Side.BLACK if player == ANN else Side.WHITE
        for words in (
            "h1h8",
            "a1a8, h8h1",
            "note he hides",
            "ghost Q d4",
            "help",
            "if capture d4: e5d4",
            email,
        ):
            before, was = news_of(table, other), page_of(table, other)
            table.reply(player, words)
            assert (news_of(table, other) == before) == (page_of(table, other) == was)
