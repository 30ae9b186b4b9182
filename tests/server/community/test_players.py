"""Players' pages, rating histories, leaderboards and search: what everyone may see, and no more."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import event, func, select, update

from corr import limits
from corr.service.admin.maintenance import delete_player
from corr.service.community import leaderboard
from corr.service.community.leaderboard import LeaderboardKey
from corr.service.games import moderation
from corr.service.games.moderation import DecreeKind, DecreeRequest
from corr.service.players import house_bots, publishing
from corr.service.players.own_data_rows import export
from corr.service.ratings import annulment, rating_updates
from corr.store.tables import GameRow, PlayerRow, RatingRow
from corr.web.community import players
from corr.words.board import Side
from tests.support import rated_games, rating_rows
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, EVE, NOON, Table
from tests.support.twin_servers import make_twins

WHITE, BLACK = Side
NO_PAGE = "There is no public page for this player."
FULLWIDTH_W = "\N{FULLWIDTH LATIN CAPITAL LETTER W}"


@pytest.fixture
def stranger(table: Table) -> Browser:
    return Browser(table.app_with_workers())


def signed_in(table: Table, address: str, name: str = "") -> Browser:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, address, name)
    return browser


def hide(table: Table, name: str, *, hidden: bool = True) -> None:
    with table.server.store.writing() as connection:
        publishing.hide_page(connection, rating_rows.player_id(connection, name), hidden=hidden)


def publish(table: Table, name: str, said: str) -> None:
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.name == name).values(publishes=said))


def names_on(page: str) -> list[str]:
    """The players whose pages a page links to, in order."""
    return re.findall(r'href="/players/([^"/?]+)"', page)


def html(browser: Browser, path: str) -> str:
    return browser.client.get(path).get_data(as_text=True)


# ---------------------------------------------------------------- the page


def test_a_page_shows_the_player_and_their_ratings(table: Table, stranger: Browser) -> None:
    table.begin()
    rating_rows.add_rating(table, "ann", 1604, won=3, drawn=1, lost=2)
    rating_rows.add_rating(table, "ann", 1312, 140, variant="rbc", won=1, drawn=0, lost=5)
    rating_rows.add_rated_game(table, "ann", "ben", "white", ((1588, 1604), (1500, 1490)))
    table.reply(ANN, "page about I play in the evenings.")
    page = stranger.open("/players/ann")

    assert "ann I play in the evenings Here since November 2026." in page
    assert "Rated games: 4 won, 1 drawn, 7 lost." in page
    assert "Wild 16 1604 ± give or take 62 3 won, 1 drawn, 2 lost ; recently between 1588 and 1604" in page
    assert "RBC 1312? ± give or take 140" in page


def test_a_rating_is_shown_with_its_current_deviation(table: Table, stranger: Browser) -> None:
    table.begin()
    rating_rows.add_rating(table, "ann", 1604, 60)
    table.clock.advance(days=366)

    assert "1604? ± give or take 151" in stranger.open("/players/ann")


@pytest.mark.parametrize(
    "name", ["O'Hara-Lee", "W" * 24, FULLWIDTH_W * 24, "Jürgen", "Анна", "雪の夜", "board", "programs"]
)
def test_a_page_is_found_by_any_name_in_any_case(table: Table, stranger: Browser, name: str) -> None:
    rating_rows.add_players(table, name)
    rating_rows.add_rating(table, name, 1500)
    page = html(stranger, f"/players/{quote(name)}")
    (history,) = re.findall(r'href="(/players/[^"]+/wild16)"', page)

    assert stranger.client.get(f"/players/{quote(name.upper())}").status_code == 200
    assert "No finished rated games of Wild 16 yet." in stranger.open(history)
    assert f"Challenge {name}" in stranger.open(f"/players/{quote(name)}")


def test_spaces_in_an_address_may_be_written_either_way(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Ann Lee")

    for written in ("Ann%20Lee", "Ann+Lee", "ann%20lee"):
        assert "Challenge Ann Lee" in stranger.open(f"/players/{written}")


def test_a_bots_page_says_bot_and_is_found_without_it_too(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Zed")
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).values(name="Zed (bot)", program=True))
    rating_rows.add_players(table, "Yan")

    assert "Challenge Zed (bot)" in stranger.open("/players/Zed%20(bot)")
    assert "Challenge Zed (bot)" in stranger.open("/players/zed")
    assert stranger.client.get("/players/Yan%20(bot)").status_code == 404


@pytest.mark.parametrize("each", house_bots.HOUSE_BOTS, ids=lambda each: each.name)
def test_a_server_bot_has_a_page_before_its_first_game(stranger: Browser, each: house_bots.HouseBot) -> None:
    page = stranger.open(f"/players/{quote(each.shown)}")

    assert f"{each.shown} {each.about}" in page
    assert "No rated games yet." in page


def test_a_rated_server_bot_shows_its_rating(table: Table, stranger: Browser) -> None:
    eve = signed_in(table, EVE, "Eve")
    eve.open("/lobby/")
    eve.press("Play Pip")
    rating_rows.add_rating(table, "Pip (bot)", 1100, program=True)

    page = stranger.open("/players/pip")
    assert "1100 ± give or take 62" in page
    assert "with Eve Casual, since 20 Nov 2026" in page
    assert "Pip (bot)" in stranger.open("/players/board/wild16/programs")
    assert "Pip (bot)" not in stranger.open("/players/board/wild16")


def test_hidden_and_unknown_players_get_the_same_answer(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Ann", "Ben")
    rating_rows.add_rating(table, "Ann", 1600)
    hide(table, "Ann")
    eve = signed_in(table, EVE, "Eve")

    for browser in (stranger, eve):
        for hidden, nobody in (("/Ann", "/Zoe"), ("/Ann/wild16", "/Zoe/wild16"), ("/Ann/no", "/Zoe/no")):
            answers = [browser.client.get(f"/players{path}") for path in (hidden, nobody)]
            assert [each.status_code for each in answers] == [404, 404]
            assert answers[0].data == answers[1].data
            assert list(answers[0].headers) == list(answers[1].headers)
    assert NO_PAGE in stranger.open("/players/Ann")
    assert stranger.client.get("/players/Ben").status_code == 200


def test_a_page_that_is_no_longer_hidden_is_found_again(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Ann")
    rating_rows.add_rating(table, "Ann", 1600)
    hide(table, "Ann")
    assert "Ann" not in names_on(html(stranger, "/players/board/wild16"))
    hide(table, "Ann", hidden=False)

    assert names_on(html(stranger, "/players/board/wild16")) == ["Ann"]
    assert "1600" in stranger.open("/players/Ann")


def test_the_challenge_button_fills_in_the_name(table: Table, stranger: Browser) -> None:
    signed_in(table, ANN, "Ann Lee")
    eve = signed_in(table, EVE, "Eve")
    (lobby,) = re.findall(r'href="(/lobby/\?[^"]+)#whom"', html(stranger, "/players/Ann%20Lee"))
    eve.open(lobby)
    eve.press("Challenge")

    assert 'value="Ann Lee"' in html(eve, lobby)
    assert "Change your page" in eve.open("/players/eve")
    assert "Ann Lee" in eve.open("/games/")


# ---------------------------------------------------------------- running games


def test_a_page_shows_only_that_a_game_is_running(table: Table, stranger: Browser) -> None:
    table.begin()
    with table.server.store.reading() as connection:
        code = connection.execute(select(GameRow.code)).scalar_one()
    before = html(stranger, "/players/ann")
    table.play("e2e4", "e7e5", "a1a5")
    table.reply(ANN, "draw?\nd2d4")
    table.clock.advance(hours=5)

    assert "Wild 16 with ben Casual, since 20 Nov 2026" in stranger.open("/players/ann")
    assert html(stranger, "/players/ann") == before
    assert code not in before


def test_proposed_tutorial_and_finished_games_are_not_running(table: Table, stranger: Browser) -> None:
    table.begin()
    table.reply(BEN, "resign resign")
    table.challenge(variant="rbc")
    table.write_to_site(ANN, "tutorial")

    assert "Games in progress None." in stranger.open("/players/ann")


def test_a_hidden_opponent_is_called_somebody(table: Table, stranger: Browser) -> None:
    table.begin()
    rating_rows.add_rated_game(table, "ann", "ben", "white")
    hide(table, "ben")
    page, history = stranger.open("/players/ann"), stranger.open("/players/ann/wild16")

    assert "Wild 16 with somebody" in page
    assert "somebody 1500" in history
    assert "ben" not in page + history


def test_a_page_does_not_show_who_is_deploying(table: Table, tmp_path: Path, stranger: Browser) -> None:
    table.begin("welbeck")
    twins = make_twins(table, tmp_path)
    twins.one.table.reply(ANN, "deploy home")
    twins.other.table.clock.advance(days=1)
    twins.one.table.clock.advance(days=1)

    for path in ("/players/ann", "/players/ben", "/players/"):
        one, other = twins.answers(path)
        assert one == other
    twins.close()


@pytest.mark.parametrize("address", ["", ANN, BEN])
def test_hidden_events_of_a_running_game_change_no_byte(table: Table, tmp_path: Path, address: str) -> None:
    """On one server Ben tries, notes and plays on; on the other he does nothing."""
    table.begin()
    rating_rows.add_rating(table, "ann", 1600)
    table.play("e2e4")
    reader = Browser(table.app())
    if address:
        reader.sign_in_directly(table, address)
    twins = make_twins(table, tmp_path, reader)
    twins.one.table.reply(BEN, "a8a5\nnote the queen is out\nghost qd1")
    twins.one.table.reply(BEN, "e7e5")
    twins.one.table.reply(ANN, "any?\nf1b5")
    twins.one.table.reply(BEN, "a7a6")

    for path in ("/players/ann", "/players/ben", "/players/ann/wild16", "/players/board/wild16", "/players/"):
        one, other = (re.sub(rb' <b class="count">.*?</b>', b"", each) for each in twins.answers(path))
        assert re.sub(rb"Content-Length: \d+", b"", one) == re.sub(rb"Content-Length: \d+", b"", other), path
    twins.close()


# ---------------------------------------------------------------- finished games


def finish(table: Table, variant: str = "wild16") -> None:
    table.begin_by_email(variant)
    table.play("e2e4", "e7e5")
    table.reply(BEN, "resign resign")


def test_finished_games_are_listed_with_a_link_that_opens(table: Table, stranger: Browser) -> None:
    finish(table)
    page = html(stranger, "/players/ben")
    (link,) = re.findall(r'href="(/finished/[^"]+)"', page)

    assert "ann Wild 16 Lost, as Black 1 move 20 Nov 2026" in stranger.open("/players/ben")
    assert "ben Wild 16 Won , as White" in stranger.open("/players/ann")
    assert "Black resigns" in stranger.open(link)


@pytest.mark.parametrize("said", ["no", "yes"])
def test_a_player_without_a_published_name_has_no_finished_games_listed(
    table: Table, stranger: Browser, said: str
) -> None:
    finish(table)
    publish(table, "ann", said)

    for name in ("ann", "ben"):  # nor does the opponent's page list them: it would show both names
        assert "/finished/" not in html(stranger, f"/players/{name}")
    assert "No finished games." in stranger.open("/players/ann")


def test_games_with_a_hidden_opponent_and_adjudicated_games_are_not_listed(
    table: Table, stranger: Browser
) -> None:
    finish(table)
    hide(table, "ben")
    assert "/finished/" not in html(stranger, "/players/ann")
    hide(table, "ben", hidden=False)
    assert "/finished/" in html(stranger, "/players/ann")
    table.begin_by_email("rbc")
    with table.server.store.reading() as connection:
        game = connection.execute(select(GameRow.id).where(GameRow.variant == "rbc")).scalar_one()
    wish = DecreeRequest(DecreeKind.ADJUDICATE, "white", "Ben of ben@b.example has left.")
    moderation.decree(table.server, "olga@house.example", game, "1", wish, table.clock())
    table.run_workers()

    assert "Reconnaissance" not in stranger.open("/players/ann")


def test_a_page_lists_the_latest_finished_games(table: Table, stranger: Browser) -> None:
    for number in range(limits.ENDED_SHOWN + 2):
        finish(table, "rbc" if number < 2 else "wild16")
        table.clock.advance(hours=1)
    page = html(stranger, "/players/ann")

    assert page.count("/finished/") == limits.ENDED_SHOWN
    assert "Reconnaissance" not in page


# ---------------------------------------------------------------- rating history


def test_the_history_shows_each_games_expectation_and_change(table: Table, stranger: Browser) -> None:
    rated_games.play(table, "ann", "ben", WHITE)
    table.clock.advance(days=1)
    rated_games.play(table, "ben", "ann", None)
    page = stranger.open("/players/ann/wild16")

    newest, first = page.index("21 Nov 2026 ben 1259?"), page.index("20 Nov 2026 ben 1500?")
    assert newest < first
    assert "Drawn" in page[newest:first]
    assert "Won expected: 50% 1500? ± give or take 500 → became 1741?" in page[first:]
    kept = rated_games.stored_ratings(table)[rated_games.get_player(table, "ann"), "wild16"][0]
    assert f"became {kept.shown} ± give or take {kept.deviation:.0f}" in page[newest:first]
    for constant in ("1500", "±500", "0.09", "0.21436", "±45", "±110", "0.75", "Mark Glickman"):
        assert constant in page


def test_the_history_says_why_a_game_does_not_count(table: Table, stranger: Browser) -> None:
    games = [rated_games.play(table, "ann", "ben", WHITE) for _ in range(4)]
    assert "Doesn't count: these players already had three rated games" in stranger.open(
        "/players/ann/wild16"
    )
    with table.server.store.writing() as connection:
        annulment.annul(connection, games[0].id)
    assert "Doesn't count: an admin made this game unrated." in stranger.open("/players/ben/wild16")
    rating_rows.add_rated_game(table, "ann", "ben", "white", uncounted="person")

    assert "Doesn't count: games between these two players aren't rated." in stranger.open(
        "/players/ann/wild16"
    )


@pytest.mark.parametrize("who", ["Ann", "Ben"])
@pytest.mark.parametrize("said", ["yes", "no"])
def test_the_history_shows_neither_date_nor_opponent_of_an_unpublished_name(
    table: Table, stranger: Browser, who: str, said: str
) -> None:
    rated_games.play(table, "Ann", "Ben", WHITE)
    publish(table, who, said)
    page = stranger.open("/players/Ann/wild16")

    assert "November 2026 somebody 1500?" in page
    assert "20 Nov" not in page


def test_a_long_history_has_pages(table: Table, stranger: Browser) -> None:
    table.begin()
    for number in range(limits.RATED_GAMES_A_PAGE + 1):
        players = ("ann", "ben") if number % 2 else ("ben", "ann")
        rating_rows.add_rated_game(table, *players, "white", at=NOON + timedelta(days=number))
    first, second = (html(stranger, f"/players/ann/wild16{page}") for page in ("", "?page=2"))

    assert first.count("<tr><td>") == limits.RATED_GAMES_A_PAGE
    assert second.count("<tr><td>") == 1
    assert ('rel="next"' in first, 'rel="prev"' in second) == (True, True)
    answer = stranger.client.get("/players/ann/wild16?page=99999999999")
    assert answer.status_code == 404
    assert "The last page of rated games is page 2" in answer.get_data(as_text=True)


def test_an_unknown_variant_is_not_found(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Ann")

    for path in ("/players/Ann/chess", "/players/board/chess", "/players/board/chess/programs"):
        assert stranger.client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("points", "path"),
    [
        ((), "M0 10H100"),
        ((1500, 1500), "M0 10 100 10"),
        ((1500, 1530), "M0 14 100 6"),
        ((1400, 1600, 1500), "M0 18 50 2 100 10"),
    ],
)
def test_the_rating_curve_is_drawn_from_left_to_right(points: tuple[float, ...], path: str) -> None:
    assert players.draw_curve(points) == path


# ---------------------------------------------------------------- leaderboards


def enrol_and_rate(table: Table, count: int) -> None:
    """Add players to a leaderboard, each rated one point higher than the last."""
    names = [f"Player {number:03}" for number in range(count)]
    rating_rows.add_players(table, *names)
    for number, name in enumerate(names):
        rating_rows.add_rating(table, name, 1500 + number)


def test_people_and_bots_have_separate_leaderboards_highest_first(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Ann", "Ben", "Cid", "Dan")
    rating_rows.add_rating(table, "Ann", 1500)
    rating_rows.add_rating(table, "Ben", 1600)
    rating_rows.add_rating(table, "Cid", 1700, 111)
    rating_rows.add_rating(table, "Dan", 1800, program=True)

    assert names_on(html(stranger, "/players/board/wild16")) == ["Ben", "Ann"]
    assert names_on(html(stranger, "/players/board/wild16/programs")) == ["Dan"]
    assert names_on(html(stranger, "/players/"))[-2:] == ["Ben", "Ann"]
    assert "1 Ben 1600 ± give or take 62 3 won, 1 drawn, 2 lost 20 Nov 2026" in stranger.open(
        "/players/board/wild16"
    )
    assert "Nobody is listed here yet." in stranger.open("/players/board/rbc")


def test_empty_leaderboards_share_one_line_at_the_end(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Ann")
    rating_rows.add_rating(table, "Ann", 1500)
    page = stranger.open("/players/").replace(" ,", ",").replace(" .", ".")

    assert page.count("Nobody yet") == 1
    others = 'Assassin, Cincinnati, Classic "Any?", CrazyKrieg, Reconnaissance Blind Chess or Welbeck'
    assert f"Nobody yet in {others}." in page
    assert page.index("Ann 1500") < page.index("Nobody yet in")


def test_a_player_who_met_five_others_is_listed_for_ninety_days(table: Table, stranger: Browser) -> None:
    for _ in range(3):
        for other in ("Ben", "Cid", "Dan", "Eve", "Fay"):
            rated_games.play(table, "Ann", other, WHITE)
        table.clock.advance(days=31)
    board = "/players/board/wild16"
    is_known = (
        rated_games.stored_ratings(table)[rated_games.get_player(table, "Ann"), "wild16"][0].deviation <= 110
    )

    assert names_on(html(stranger, board)) == (["Ann"] if is_known else [])
    table.clock.advance(days=90)
    assert names_on(html(stranger, board)) == []
    rating_updates.unlist_some(table.server, table.clock())
    assert names_on(html(stranger, board)) == []


def test_a_long_leaderboard_has_pages(table: Table, stranger: Browser) -> None:
    enrol_and_rate(table, limits.PLACES_A_PAGE + 2)
    first, second = (html(stranger, f"/players/board/wild16{page}") for page in ("", "?page=2"))

    assert len(names_on(first)) == limits.PLACES_A_PAGE
    assert names_on(second) == ["Player%20001", "Player%20000"]
    assert f"<td>{limits.PLACES_A_PAGE + 1}</td>" in second
    assert ('rel="next"' in first, 'rel="next"' in second, 'rel="prev"' in second) == (True, False, True)
    for page in ("3", "999999999", "9" * 400):
        answer = stranger.client.get(f"/players/board/wild16?page={page}")
        assert answer.status_code == 404
        assert "This leaderboard has no page" in answer.get_data(as_text=True)
    for page in ("0", "-1", "two", "²", ""):
        assert html(stranger, f"/players/board/wild16?page={page}") == first


def test_the_own_place_is_marked_and_linked(table: Table) -> None:
    enrol_and_rate(table, limits.PLACES_A_PAGE)
    eve = signed_in(table, EVE, "Eve")
    assert "Your place" not in eve.open("/players/board/wild16")
    rating_rows.add_rating(table, "Eve", 1499)
    first = eve.open("/players/board/wild16")
    (place,) = re.findall(r'href="(/players/board/wild16\?page=2#own)"', html(eve, "/players/board/wild16"))

    assert f"You are number {limits.PLACES_A_PAGE + 1} here." in first
    assert "Eve , you" in eve.open(place)
    assert 'id="own"' in html(eve, place)
    assert "You are number" not in Browser(table.app()).open("/players/board/wild16")


def test_hidden_players_do_not_count_for_ranks(table: Table) -> None:
    enrol_and_rate(table, 4)
    hide(table, "Player 002")
    found = leaderboard.load_board(table.server, LeaderboardKey("wild16"), 1, None, table.clock())

    assert [(each.rank, each.name[-1]) for each in found.places] == [(1, "3"), (2, "1"), (3, "0")]


def test_a_player_rated_while_hidden_is_on_no_leaderboard(table: Table, stranger: Browser) -> None:
    rated_games.get_player(table, "Ann")
    hide(table, "Ann")
    game = rated_games.play(table, "Ann", "Ben", WHITE)
    rated_games.play(table, "Ann", "Cid", WHITE)
    with table.server.store.writing() as connection:
        annulment.annul(connection, game.id)
        connection.execute(update(RatingRow).values(listed_until=NOON + timedelta(days=1)))
        hidden = connection.execute(select(RatingRow.player_id).where(RatingRow.hidden)).scalars().all()

    assert hidden == [rated_games.get_player(table, "Ann")]
    assert names_on(html(stranger, "/players/board/wild16")) == ["Cid"]


# ---------------------------------------------------------------- search


def test_players_are_found_by_the_start_of_their_name(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Anna", "Annabel Lee", "Ben", "Hanna", "Ångström", "Hid")
    hide(table, "Hid")

    assert names_on(html(stranger, "/players/?name=ANN")) == ["Anna", "Annabel%20Lee"]
    assert names_on(html(stranger, "/players/?name=annabe1%20l")) == ["Annabel%20Lee"]
    assert names_on(html(stranger, f"/players/?name={quote('ång')}")) == [quote("Ångström")]
    assert names_on(html(stranger, "/players/?name=pi")) == ["Pip%20%28bot%29"]
    assert "No player found" in stranger.open("/players/?name=hid")
    assert "No player found" in stranger.open("/players/?name=zoe")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (FULLWIDTH_W * 40, "A name can have at most 24 characters"),
        ("x" * 10_000, "A name can have at most 24 characters"),
        ("!?", "Please type at least one letter or digit"),
        ("%", "Please type at least one letter or digit"),
        ("_nn", "No player found"),
        ("\U0010ffff", "Please type at least one letter or digit"),
        ("<script>", "No player found"),
    ],
)
def test_a_search_without_result_is_answered_with_a_sentence(
    table: Table, stranger: Browser, query: str, said: str
) -> None:
    rating_rows.add_players(table, "Ann")
    page = stranger.client.get("/players/", query_string={"name": query})

    assert page.status_code == 200
    assert said in page.get_data(as_text=True)
    assert "<script>" not in page.get_data(as_text=True).partition("<main")[2]


def test_the_number_of_found_players_is_limited(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, *(f"Player {number:03}" for number in range(limits.PLAYERS_FOUND + 5)))
    page = html(stranger, "/players/?name=player")

    assert len(names_on(page)) == limits.PLAYERS_FOUND
    assert "There may be more" in page


@pytest.mark.parametrize("name", [FULLWIDTH_W * 40, "x" * 3_000, "%00", "..", "a/b/c", "<b>", "\U0010ffff"])
def test_the_page_of_an_impossible_name_is_not_found(stranger: Browser, name: str) -> None:
    answer = stranger.client.get(f"/players/{quote(name, safe='/.%')}")

    assert answer.status_code == 404
    assert "<b>" not in answer.get_data(as_text=True).partition("<main")[2]


# ---------------------------------------------------------------- your own page


def test_the_settings_hide_show_and_introduce_a_page(table: Table, stranger: Browser) -> None:
    eve = signed_in(table, EVE, "Eve")
    eve.open("/settings/")
    assert "Your page is hidden" in eve.press("Save profile", page="off")
    assert stranger.client.get("/players/Eve").status_code == 404
    assert "Your page is public" in eve.press("Save profile", page="on")
    assert "The text about you on your page" in eve.press("Save profile", about="  Gambits,   at night <3 ")

    assert "Eve Gambits, at night <3" in stranger.open("/players/Eve")
    assert "The line about you is gone from your page" in eve.press("Save profile", about="")
    assert "Gambits" not in stranger.open("/players/Eve")


def test_emails_hide_show_and_introduce_a_page(table: Table, stranger: Browser) -> None:
    table.begin()
    for said, answer in (
        ("page off", "Your page is hidden"),
        ("page on", "Your page is public"),
        ("page about Gambits; at night", "The text about you on your page is saved"),
    ):
        table.reply(ANN, said)
        assert answer in table.last_text(ANN)
        assert (stranger.client.get("/players/ann").status_code == 404) == (said == "page off")
    assert "ann Gambits; at night" in stranger.open("/players/ann")
    table.write_to_site(BEN, "page off")
    assert stranger.client.get("/players/ben").status_code == 404

    assert all("Gambits" not in str(each) for each in table.emails_to(BEN))


@pytest.mark.parametrize(
    "line", ["<script>alert(1)</script>", "https://evil.example", "[x](http://e.example)"]
)
def test_the_text_about_a_player_is_escaped_and_makes_no_link(
    table: Table, stranger: Browser, line: str
) -> None:
    eve = signed_in(table, EVE, "Eve")
    eve.open("/settings/")
    eve.press("Save profile", about=line)
    page = html(stranger, "/players/Eve")

    assert line in stranger.client.get("/players/Eve").get_data(as_text=True).replace("&lt;", "<").replace(
        "&gt;", ">"
    )
    assert "<script>alert" not in page
    assert not re.search(r'(href|src)="(?!/)', page.partition("<main")[2].partition("</main")[0])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("x" * 121, "at most 120 characters"),
        ("x" * 100_00, "at most 120 characters"),
        ("a\u202eb", "one plain line"),
        ("a\u200bb", "one plain line"),
        ("a\x07b", "one plain line"),
    ],
)
def test_a_bad_text_about_a_player_is_refused(table: Table, line: str, said: str) -> None:
    eve = signed_in(table, EVE, "Eve")
    eve.open("/settings/")

    assert said in eve.press("Save profile", about=line)
    assert export(table.server, "Eve")["settings"]["about"] == ""


def test_a_deleted_player_is_hidden_and_loses_the_text_about_them(table: Table, stranger: Browser) -> None:
    rating_rows.add_players(table, "Ann")
    rating_rows.add_rating(table, "Ann", 1600)
    with table.server.store.writing() as connection:
        publishing.set_about(connection, rating_rows.player_id(connection, "Ann"), "I am Ann.")
    delete_player(table.server, "Ann", table.clock())

    with table.server.store.reading() as connection:
        assert connection.execute(select(PlayerRow.hidden, PlayerRow.about)).one() == (True, "")
        assert connection.execute(select(func.count()).where(RatingRow.hidden)).scalar_one() == 1
    for path in ("/players/Somebody", "/players/Ann"):
        assert stranger.client.get(path).status_code == 404
    assert names_on(html(stranger, "/players/board/wild16")) == []


def test_the_export_has_the_page_and_the_ratings_with_their_games(table: Table) -> None:
    rated_games.play(table, "Ann", "Ben", WHITE)
    rated_games.play(table, "Ben", "Ann", WHITE)
    hide(table, "Ann")
    data = export(table.server, "Ann")

    assert (data["settings"]["hidden"], data["settings"]["about"]) == (True, "")
    assert [(each["variant"], each["won"], each["lost"]) for each in data["ratings"]] == [("wild16", 1, 1)]
    assert [(each["side"], each["winner"]) for each in data["rated_games"]] == [
        ("white", "white"),
        ("black", "white"),
    ]
    assert "Ben" not in str(data["rated_games"])


# ---------------------------------------------------------------- the lobby


def test_an_offer_shows_the_rating_in_its_variant(table: Table, stranger: Browser) -> None:
    for address, name, variant in ((ANN, "Ann", "rbc"), (BEN, "Ben", "wild16"), (EVE, "Eve", "wild16")):
        signed_in(table, address, name)
        table.write_to_site(address, f"seek {variant}")
    for name in ("Ann", "Ben", "Eve"):
        rating_rows.add_rating(table, name, 1523, 200)
    hide(table, "Eve")
    lobby = stranger.open("/lobby/")

    assert "Ben 1523?" in lobby
    assert "Ann 1523?" not in lobby
    assert "Eve 1523?" not in lobby


def test_more_offers_in_the_lobby_cost_no_more_queries(table: Table, stranger: Browser) -> None:
    queries: list[str] = []
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *told: queries.append(told[2]))
    counts = []
    for number in range(3):
        signed_in(table, f"p{number}@p.example", f"Player {number}")
        table.write_to_site(f"p{number}@p.example", "seek wild16")
        queries.clear()
        stranger.open("/lobby/")
        counts.append(len(queries))

    assert counts == counts[:1] * 3


def test_the_lobby_does_not_say_that_no_ratings_are_counted(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")

    assert "no ratings are counted yet" not in eve.open("/lobby/")


def test_the_stated_strength_of_bots_was_measured() -> None:
    evidence = (Path(__file__).parents[3] / "docs" / "evidence.md").read_text("utf-8")
    said = [bot.about for bot in house_bots.HOUSE_BOTS]

    assert "the club player | 58-17-4 | 76 ± 9 %" in evidence
    assert "the club player beat the beginner 80-10-10 (85 ± 6 %)" in evidence
    assert [re.findall(r"(\d+)% against (\w+) in Wild 16", each) for each in said] == [
        [],
        [("85", "Pip")],
        [("76", "Marlow")],
    ]
