"""News of a game: an open page is told at once that there is some, and neither what it is nor what others try."""

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


def told(client: FlaskClient, path: str) -> Iterator[str]:
    """What a page's stream says, from its first sign of life on."""
    events = (each.decode() if isinstance(each, bytes) else each for each in client.get(path).response)
    assert next(events) == ALIVE
    return events


def news_of(table: Table, side: Side) -> SeatNews:
    with table.server.store.reading() as connection:
        seat = connection.execute(select(SeatRow.id).where(SeatRow.side == side)).scalar_one()
    (found,) = load_news(table.server, [seat])
    return found


def page_of(table: Table, side: Side) -> str:
    """The mark of a player's page, which is another exactly when the page is."""
    with table.server.store.reading() as connection:
        player = connection.execute(select(SeatRow.player_id).where(SeatRow.side == side)).scalar_one()
    return page.list_game_players(table.server, player, code(table), table.clock())[0].status.mark


def code(table: Table) -> str:
    return str(table.newest(ANN)["Subject"]).rpartition("(")[2].rstrip(")")


# ---------------------------------------------------------------- being told


def test_one_who_plays_no_game_is_told_nothing_and_asks_by_themselves(table: Table, app: Flask) -> None:
    table.begin()
    eve = browser_of(table, app, EVE).client

    assert eve.get("/games/news").status_code == 204
    assert eve.get(f"/games/{code(table)}/news").status_code == 204
    assert app.test_client().get(f"/games/{code(table)}/news").status_code == 204


def test_a_browser_has_so_many_streams(table: Table, app: Flask) -> None:
    table.begin()
    ben = browser_of(table, app, BEN).client
    held = [told(ben, "/games/news") for _ in range(limits.BROWSER_STREAMS)]

    assert ben.get("/games/news").status_code == 204
    held.clear()
    assert ben.get("/games/news").status_code == 200


def test_a_head_opens_no_stream(table: Table, app: Flask) -> None:
    table.begin()
    ben = browser_of(table, app, BEN).client
    for _ in range(limits.BROWSER_STREAMS + 1):
        ben.head("/games/news")

    assert ben.get("/games/news").status_code == 200


def test_a_process_that_ends_ends_its_streams(table: Table, app: Flask) -> None:
    table.begin()
    events = told(browser_of(table, app, BEN).client, "/games/news")
    app.extensions["news"].is_stopping = lambda: True

    assert list(events)[-1:] in ([], [ALIVE])


# ---------------------------------------------------------------- not being told


@pytest.mark.parametrize("variant", UMPIRES)
def test_there_is_news_exactly_when_the_page_is_another(table: Table, variant: str) -> None:
    """What the opponent tries is news only where the umpire announces it."""
    table.begin(variant)
    for player, letter in GAMES[variant].by_turns():
        other = Side.BLACK if player == ANN else Side.WHITE
        for words in (
            "h1h8",
            "a1a8, h8h1",
            "note he hides",
            "ghost Q d4",
            "help",
            "if capture d4: e5d4",
            letter,
        ):
            before, was = news_of(table, other), page_of(table, other)
            table.reply(player, words)
            assert (news_of(table, other) == before) == (page_of(table, other) == was)
