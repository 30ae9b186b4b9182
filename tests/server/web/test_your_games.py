"""The page of a player's games: cards with the player's board and the umpire's last words."""

from __future__ import annotations

import re

import pytest

from corr import limits
from tests.support.broken_relay import use_broken_relay
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, EVE, FAY, Table
from tests.support.two_games import TwoGames

NEWS = "You have news. Your clock starts when you open the game."


def signed_in(table: Table, address: str) -> Browser:
    """A browser signed in without an email."""
    browser = Browser(table.app())
    browser.sign_in_directly(table, address)
    return browser


@pytest.fixture
def ann(table: Table) -> Browser:
    table.begin()
    return signed_in(table, ANN)


def games_of(browser: Browser) -> tuple[str, str]:
    """The text and the source of the page of games."""
    return browser.open("/games/"), browser.answer.get_data(as_text=True)


def boards_on(page: str) -> list[dict[str, str]]:
    """The small boards of a page: what is drawn, by square."""
    boards = re.findall(r'<span class="little(?: whole)?" aria-hidden="true">(.*?)</span>', page)
    return [
        {words[-1]: " ".join(words[:-1]) for words in map(str.split, re.findall(r'class="([^"]+)"', board))}
        for board in boards
    ]


def test_a_card_has_the_umpires_last_words_and_only_own_pieces(table: Table, ann: Browser) -> None:
    table.play("e2e4", "d7d5", "e4d5")
    text, page = games_of(ann)
    (board,) = boards_on(page)

    assert "Waiting for opponents" in text
    assert "Pawn at d5 captured. Black's move. 0 pawn tries." in text
    assert len(board) == 16
    assert board["d5"] == "wP"
    assert {each[0] for each in board.values()} == {"w"}


def test_a_card_counts_one_pawn_try_in_english(table: Table, ann: Browser) -> None:
    table.play("e2e4", "d7d5")

    assert "White's move. 1 pawn try." in games_of(ann)[0]


def test_blacks_card_shows_the_board_from_blacks_side(table: Table, ann: Browser) -> None:
    table.play("e2e4")
    ben = signed_in(table, BEN)
    (board,) = boards_on(games_of(ben)[1])

    assert (board["d1"], board["e1"], board["h2"]) == ("bK", "bQ", "bP")
    assert boards_on(games_of(ann)[1])[0]["d1"] == "wQ"


def test_a_ghost_is_on_the_card(table: Table, ann: Browser) -> None:
    table.reply(ANN, "ghost qd8")
    assert boards_on(games_of(ann)[1])[0]["d8"] == "g gQ"


def test_news_without_a_delivered_email_is_hidden_until_the_game_is_opened(
    table: Table, ann: Browser
) -> None:
    use_broken_relay(table).refused = {ANN}
    table.play("e2e4", "e7e5")
    text, page = games_of(ann)
    link = re.search(r'href="(/games/\w+)"', page)
    assert link
    assert NEWS in text
    assert boards_on(page) == [{}]

    ann.open(link[1])
    text, page = games_of(ann)
    assert NEWS not in text
    assert boards_on(page)[0]["e4"] == "wP"


def test_news_with_a_delivered_email_is_on_the_card_at_once(table: Table, ann: Browser) -> None:
    table.play("e2e4", "e7e5")

    assert NEWS not in games_of(ann)[0]


@pytest.mark.parametrize(
    ("hours", "words", "is_late"),
    [(13, "2 days, 11 hours left", False), (60, "12 hours left", False), (66, "6 hours left", True)],
)
def test_time_left_is_in_words_and_red_when_short(
    table: Table, ann: Browser, hours: int, words: str, *, is_late: bool
) -> None:
    table.clock.advance(hours=hours)
    text, page = games_of(ann)

    assert words in text
    assert (f'<b class="late">{words}</b>' in page) is is_late


@pytest.mark.parametrize(
    ("show", "headings"),
    [
        ("", ["Your turn 1", "Waiting for opponents", "Finished"]),
        ("turn", ["Your turn 1"]),
        ("waiting", ["Waiting for opponents"]),
        ("finished", ["Finished"]),
        ("anything else", ["Your turn 1", "Waiting for opponents", "Finished"]),
    ],
)
def test_a_filter_shows_one_state_of_games(table: Table, show: str, headings: list[str]) -> None:
    TwoGames(table)
    table.begin_by_email("rbc")
    table.reply(BEN, "resign resign")
    ann = signed_in(table, ANN)
    ann.open(f"/games/?show={show}")
    page = ann.answer.get_data(as_text=True)

    found = [
        " ".join(re.sub(r"<[^>]+>", "", each).split())
        for each in re.findall(r"<h2>(.*?)</h2>", page, re.DOTALL)
    ]
    assert found == headings


@pytest.mark.parametrize(
    ("query", "words", "filters"),
    [
        ("?variant=rbc", ["Reconnaissance Blind Chess"], "All 1 Your turn 1 Opponent's turn 0 Finished 0"),
        ("?variant=wild16", ["Wild 16"], "All 1 Your turn 0 Opponent's turn 0 Finished 1"),
        ("?variant=wild16&show=finished", ["Wild 16"], "All 1 Your turn 0 Opponent's turn 0 Finished 1"),
        ("?variant=welbeck", [], "All 0 Your turn 0 Opponent's turn 0 Finished 0"),
        (
            "?variant=nothing",
            ["Reconnaissance Blind Chess", "Wild 16"],
            "Your turn 1 Opponent's turn 0 Finished 1",
        ),
    ],
)
def test_the_games_of_one_variant_can_be_shown_alone(
    table: Table, ann: Browser, query: str, words: list[str], filters: str
) -> None:
    table.reply(BEN, "resign resign")
    table.begin_by_email("rbc")
    text = ann.open(f"/games/{query}")
    page = ann.answer.get_data(as_text=True)

    assert filters in text
    assert re.findall(r"<small>(.+?) · |<td>(Wild 16|Recon.+?)</td>", page) == [
        (name, "") if name != "Wild 16" else ("", name) for name in words
    ]
    assert ("You have no Welbeck games here." in text) is (not words)


def test_other_filters_and_pages_keep_the_variant(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FINISHED_A_PAGE", 1)
    for variant in ("rbc", "rbc", "wild16"):
        table.begin_by_email(variant)
        table.reply(BEN, "resign resign")
    ann = signed_in(table, ANN)
    text = ann.open("/games/?show=finished&variant=rbc&page=2")
    page = ann.answer.get_data(as_text=True)

    assert "Later ones Page 2 of 2" in text
    assert 'href="/games/?show=finished&amp;variant=rbc" rel="prev"' in page
    assert 'href="/games/?show=turn&amp;variant=rbc"' in page
    assert '<a href="/games/?show=finished&amp;variant=rbc" aria-current="true">RBC</a>' in page
    assert '<a href="/games/?show=finished">All variants</a>' in page
    assert "ben Reconnaissance" in ann.open("/games/?show=finished&variant=rbc&page=9")


def test_a_finished_game_is_a_row_with_position_result_and_date(table: Table, ann: Browser) -> None:
    table.play("e2e4", "e7e5", "d2d4")
    table.reply(BEN, "resign resign")
    text, page = games_of(ann)
    (board,) = boards_on(page)

    assert "Opponent Variant Result Ended ben Wild 16 You won , as White 2 moves" in text
    assert f"{table.clock():%-d %b %Y}" in text
    assert len(board) == 32
    assert (board["e4"], board["e5"], board["d4"]) == ("wP", "bP", "wP")


def test_only_the_newest_finished_games_are_on_the_first_page(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FINISHED_SHOWN", 1)
    monkeypatch.setattr(limits, "FINISHED_A_PAGE", 2)
    for variant in ("wild16", "rbc", "cincinnati"):
        table.begin_by_email(variant)
        table.reply(BEN, "resign resign")
    ann = signed_in(table, ANN)

    text, page = games_of(ann)
    assert (len(boards_on(page)), "Finished 3" in text, "All 3 finished games" in text) == (1, True, True)

    text = ann.open("/games/?show=finished")
    assert "Page 1 of 2 Earlier ones" in text
    assert text.index("ben Cincinnati") < text.index("ben Reconnaissance")
    text = ann.open("/games/?show=finished&page=2")
    assert "Later ones Page 2 of 2" in text
    assert "Wild 16 You won" in text
    assert "ben Cincinnati" not in text


@pytest.mark.parametrize("page", ["3", "0", "-1", "x", "²", "9" * 40])
def test_an_unknown_page_of_finished_games_shows_an_existing_one(
    table: Table, ann: Browser, page: str
) -> None:
    table.reply(BEN, "resign resign")

    assert "ben Wild 16 You won" in ann.open(f"/games/?show=finished&page={page}")


def test_an_empty_list_says_what_to_do_next(table: Table) -> None:
    eve = Browser(table.app())
    eve.sign_in(table, EVE, "Eve")

    for show in ("waiting", "finished"):
        assert "Find an opponent in the lobby" in eve.open(f"/games/?show={show}")


def test_a_player_without_games_can_take_an_open_offer(table: Table) -> None:
    eve, fay = Browser(table.app()), Browser(table.app())
    eve.sign_in(table, EVE, "Eve")
    eve.open("/lobby/")
    eve.press("Offer to everyone", variant="rbc")
    fay.sign_in(table, FAY, "Fay")

    assert "It isn't your turn in any game." in games_of(fay)[0]
    fay.press("Play Eve")
    table.run_workers()
    assert "Reconnaissance Blind Chess" in games_of(fay)[0]
    assert "Play Eve" not in games_of(eve)[0]


def test_a_player_is_not_shown_their_own_offer_but_the_tutorial(table: Table) -> None:
    eve = Browser(table.app())
    eve.sign_in(table, EVE, "Eve")
    eve.open("/lobby/")
    eve.press("Offer to everyone")

    assert "Play Eve" not in games_of(eve)[0]
    eve.press("Start the tutorial")
    table.run_workers()
    assert "tutor" in games_of(eve)[0]


def test_the_number_of_waiting_games_is_in_the_header_and_the_title(table: Table, ann: Browser) -> None:
    text, page = games_of(ann)

    assert "<title>(1) Your games: corr</title>" in page
    assert "Games 1 waits for you Lobby" in text
    assert re.search(r'<a class="me" href="/settings/">.*?ann</a>', page)


def test_the_browsers_time_zone_is_offered_until_one_is_chosen(table: Table, ann: Browser) -> None:
    assert "Show times in" in games_of(ann)[0]
    assert "Paris" in ann.press("Show local times", zone="Europe/Paris")
    assert ann.path == "/games/"
    assert "Show times in" not in games_of(ann)[0]


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd"])
def test_an_unknown_time_zone_is_refused(ann: Browser, zone: str) -> None:
    games_of(ann)

    assert "Show times in" in ann.press("Show local times", zone=zone)


def test_another_players_game_looks_like_an_unknown_one(table: Table, ann: Browser) -> None:
    code = str(table.last_email(BEN)["Subject"])[-6:-1]
    eve = signed_in(table, EVE)

    assert "You have no game with this code." in eve.open(f"/games/{code}")
    others = eve.answer
    eve.open("/games/nnnnn")
    assert (eve.answer.data, eve.answer.status_code) == (others.data, others.status_code)
    assert "You have no game with this code." not in eve.open("/nowhere")
    assert ann.open(f"/games/{code}")


def test_the_page_says_if_game_emails_are_switched_off(ann: Browser) -> None:
    assert "We don't email you about your games" not in ann.open("/games/")
    ann.open("/settings/")
    ann.press("Save notifications", mail="off")

    assert "We don't email you about your games" in ann.open("/games/")
