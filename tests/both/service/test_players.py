"""Players' pages on both databases: search, leaderboards, rating histories and settings."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

from corr import limits
from corr.service.admin.maintenance import delete_player
from corr.service.community import leaderboard, player_page, player_search, rating_history
from corr.service.community.leaderboard import LeaderboardKey
from corr.service.players import publishing
from corr.service.players.own_data_rows import export
from corr.service.ratings import annulment
from corr.words.board import Side
from tests.support import rated_games, rating_rows
from tests.support.browser import Browser
from tests.support.table import ANN, NOON, Table

WHITE, BLACK = Side


def test_players_are_found_by_the_start_of_their_name_in_any_script(table: Table) -> None:
    names = ("Ann", "Anna", "Ann Lee", "Änne", "anton", "Bann", "雪の夜", "雪見", "O'Hara")
    rating_rows.add_players(table, *names)

    def found(text: str) -> set[str]:
        return set(player_search.find_by_prefix(table.server, text))

    assert found("ann") == {"Ann", "Anna", "Ann Lee", "Änne"}
    assert found("雪") == {"雪の夜", "雪見"}
    assert found("o'h") == {"O'Hara"}
    assert found("a") == set(names[:5])


def test_a_leaderboard_has_pages_and_each_player_finds_their_place(table: Table) -> None:
    names = [f"Player {number:03}" for number in range(limits.PLACES_A_PAGE + 3)]
    rating_rows.add_players(table, *names)
    for number, name in enumerate(names):
        rating_rows.add_rating(table, name, 1500 + number // 2, program=number == 7)
    with table.server.store.writing() as connection:
        hidden, own = (rating_rows.player_id(connection, names[number]) for number in (5, 2))
        publishing.hide_page(connection, hidden, hidden=True)

    def page(number: int, *, programs: bool = False) -> leaderboard.Board:
        return leaderboard.load_board(
            table.server, LeaderboardKey("wild16", programs), number, own, table.clock()
        )

    places = [*page(1).places, *page(2).places]
    shown = [name for number, name in enumerate(names) if number not in (5, 7)]
    assert [each.name for each in places] == shown[::-1]
    assert [each.rank for each in places] == list(range(1, len(shown) + 1))
    assert [each.rank for each in places if each.own] == [page(1).own] == [len(shown) - 2]
    assert (page(1).goes_on, page(2).goes_on) == (True, False)
    assert [each.name for each in page(1, programs=True).places] == [names[7]]
    assert leaderboard.list_leaders(table.server, table.clock()).keys() == {"wild16"}
    assert leaderboard.list_leaders(table.server, NOON + timedelta(days=91)) == {}


def test_a_page_and_a_rating_history_list_the_games(table: Table) -> None:
    table.begin_by_email()
    games = [rated_games.play(table, "ann", "ben", WHITE), rated_games.play(table, "ben", "ann", None)]
    page = player_page.load_page(table.server, "ANN", table.clock())
    history = rating_history.load_history(table.server, "ann", "wild16", 1, table.clock())

    assert page.results == (1, 1, 0)
    assert [(each.variant, each.opponent, each.rated) for each in page.running] == [("Wild 16", "ben", False)]
    assert page.since == page.running[0].since == NOON
    assert [(each.opponent, each.side) for each in page.over] == [("ben", BLACK), ("ben", WHITE)]
    assert [each.result for each in history.games] == ["drawn", "won"]
    assert history.curve == (1500, history.games[1].rating_after, history.games[0].rating_after)
    assert history.games[0].before.rating == history.games[1].after.rating
    with table.server.store.writing() as connection:
        annulment.annul(connection, games[1].id)
    again = rating_history.load_history(table.server, "ann", "wild16", 1, table.clock())
    assert [bool(each.why_not) for each in again.games] == [True, False]
    assert len(again.curve) == 2


def test_a_page_can_be_hidden_exported_and_deleted(table: Table) -> None:
    rated_games.play(table, "ann", "ben", WHITE)
    browser = Browser(table.app())
    browser.sign_in(table, ANN)
    browser.open("/settings/")
    assert "The text about you on your page" in browser.press("Save profile", about="雪の夜, at night")
    assert "雪の夜, at night" in browser.open("/players/ann")
    browser.open("/settings/")
    browser.press("Save profile", page="off")
    data = export(table.server, "ann")

    assert browser.client.get("/players/ann").status_code == 404
    assert browser.client.get(f"/players/{quote('雪' * 40)}").status_code == 404
    assert (data["settings"]["hidden"], data["settings"]["about"]) == (True, "雪の夜, at night")
    assert (len(data["ratings"]), len(data["rated_games"])) == (1, 1)
    delete_player(table.server, "ann", table.clock())
    assert browser.client.get("/players/Somebody").status_code == 404


def test_one_of_the_servers_own_bots_has_a_page(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, ANN, "Ann")
    assert "No rated games yet." in browser.open("/players/Pip%20(bot)")
    browser.open("/lobby/")
    browser.press("Play Pip")

    assert "Wild 16 with Ann" in browser.open("/players/pip").replace("  ", " ")
