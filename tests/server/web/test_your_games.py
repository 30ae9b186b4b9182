"""A player's games: cards that tell what the umpire said last, with the board as its player sees it."""

from __future__ import annotations

import re

import pytest

from corr import limits
from corr.service.players import authentication
from tests.support.broken_relay import relayed
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, EVE, FAY, Table
from tests.support.two_games import Games

NEWS = "You have news. Your clock starts when you open the game."


def let_in(table: Table, address: str) -> Browser:
    """Somebody's browser; no letter was needed."""
    browser = Browser(table.app())
    with browser.client.session_transaction() as kept:
        kept["in"] = authentication.sign_in_directly(table.server, address, table.clock()).secret
    return browser


@pytest.fixture
def anns(table: Table) -> Browser:
    table.begin()
    return let_in(table, ANN)


def games_of(browser: Browser) -> tuple[str, str]:
    """What a person reads among their games, and the page itself."""
    return browser.open("/games/"), browser.answer.get_data(as_text=True)


def drawn(page: str) -> list[dict[str, str]]:
    """Each small board of a page: what is drawn on which square."""
    boards = re.findall(r'<span class="little(?: whole)?" aria-hidden="true">(.*?)</span>', page)
    return [
        {words[-1]: " ".join(words[:-1]) for words in map(str.split, re.findall(r'class="([^"]+)"', board))}
        for board in boards
    ]


def test_a_card_tells_what_the_umpire_said_last_and_shows_ones_own_men_alone(
    table: Table, anns: Browser
) -> None:
    table.play("e2e4", "d7d5", "e4d5")
    text, page = games_of(anns)
    (board,) = drawn(page)

    assert "Waiting for opponents" in text
    assert "Pawn at d5 captured. Black's move. 0 pawn tries." in text
    assert len(board) == 16
    assert board["d5"] == "wP"
    assert {each[0] for each in board.values()} == {"w"}


def test_a_card_counts_one_pawn_try_in_english(table: Table, anns: Browser) -> None:
    table.play("e2e4", "d7d5")

    assert "White's move. 1 pawn try." in games_of(anns)[0]


def test_blacks_card_shows_the_board_from_blacks_side(table: Table, anns: Browser) -> None:
    table.play("e2e4")
    bens = let_in(table, BEN)
    (board,) = drawn(games_of(bens)[1])

    assert (board["d1"], board["e1"], board["h2"]) == ("bK", "bQ", "bP")
    assert drawn(games_of(anns)[1])[0]["d1"] == "wQ"


def test_what_one_imagines_and_recalls_is_on_ones_card(table: Table, anns: Browser) -> None:
    table.reply(ANN, "ghost qd8")
    assert drawn(games_of(anns)[1])[0]["d8"] == "g gQ"


def test_news_that_no_letter_has_told_are_on_no_card_until_the_game_is_opened(
    table: Table, anns: Browser
) -> None:
    relayed(table).refused = {ANN}
    table.play("e2e4", "e7e5")
    text, page = games_of(anns)
    link = re.search(r'href="(/games/\w+)"', page)
    assert link
    assert NEWS in text
    assert drawn(page) == [{}]

    anns.open(link[1])
    text, page = games_of(anns)
    assert NEWS not in text
    assert drawn(page)[0]["e4"] == "wP"


def test_news_that_a_letter_has_told_are_on_the_card_at_once(table: Table, anns: Browser) -> None:
    table.play("e2e4", "e7e5")

    assert NEWS not in games_of(anns)[0]


@pytest.mark.parametrize(
    ("hours", "told", "is_late"),
    [(13, "2 days, 11 hours left", False), (60, "12 hours left", False), (66, "6 hours left", True)],
)
def test_the_time_that_is_left_is_told_in_words_and_is_red_when_it_is_short(
    table: Table, anns: Browser, hours: int, told: str, *, is_late: bool
) -> None:
    table.clock.pass_by(hours=hours)
    text, page = games_of(anns)

    assert told in text
    assert (f'<b class="late">{told}</b>' in page) is is_late


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
def test_a_filter_shows_one_kind_of_games_alone(table: Table, show: str, headings: list[str]) -> None:
    Games(table)
    table.begin_anew("rbc")
    table.reply(BEN, "resign resign")
    anns = let_in(table, ANN)
    anns.open(f"/games/?show={show}")
    page = anns.answer.get_data(as_text=True)

    found = [
        " ".join(re.sub(r"<[^>]+>", "", each).split())
        for each in re.findall(r"<h2>(.*?)</h2>", page, re.DOTALL)
    ]
    assert found == headings


@pytest.mark.parametrize(
    ("query", "told", "kept"),
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
def test_games_of_one_variant_are_shown_alone_where_it_is_asked_for(
    table: Table, anns: Browser, query: str, told: list[str], kept: str
) -> None:
    table.reply(BEN, "resign resign")
    table.begin_anew("rbc")
    text = anns.open(f"/games/{query}")
    page = anns.answer.get_data(as_text=True)

    assert kept in text
    assert re.findall(r"<small>(.+?) · |<td>(Wild 16|Recon.+?)</td>", page) == [
        (name, "") if name != "Wild 16" else ("", name) for name in told
    ]
    assert ("You have no Welbeck games here." in text) is (not told)


def test_the_other_filters_and_pages_keep_to_the_variant(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FINISHED_A_PAGE", 1)
    for variant in ("rbc", "rbc", "wild16"):
        table.begin_anew(variant)
        table.reply(BEN, "resign resign")
    anns = let_in(table, ANN)
    text = anns.open("/games/?show=finished&variant=rbc&page=2")
    page = anns.answer.get_data(as_text=True)

    assert "Later ones Page 2 of 2" in text
    assert 'href="/games/?show=finished&amp;variant=rbc" rel="prev"' in page
    assert 'href="/games/?show=turn&amp;variant=rbc"' in page
    assert '<a href="/games/?show=finished&amp;variant=rbc" aria-current="true">RBC</a>' in page
    assert '<a href="/games/?show=finished">All variants</a>' in page
    assert "ben Reconnaissance" in anns.open("/games/?show=finished&variant=rbc&page=9")


def test_a_finished_game_is_a_row_with_its_last_position_its_result_and_its_day(
    table: Table, anns: Browser
) -> None:
    table.play("e2e4", "e7e5", "d2d4")
    table.reply(BEN, "resign resign")
    text, page = games_of(anns)
    (board,) = drawn(page)

    assert "Opponent Variant Result Ended ben Wild 16 You won , as White 2 moves" in text
    assert f"{table.clock():%-d %b %Y}" in text
    assert len(board) == 32
    assert (board["e4"], board["e5"], board["d4"]) == ("wP", "bP", "wP")


def test_only_some_finished_games_stand_beside_the_others_and_the_rest_on_pages(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FINISHED_SHOWN", 1)
    monkeypatch.setattr(limits, "FINISHED_A_PAGE", 2)
    for variant in ("wild16", "rbc", "cincinnati"):
        table.begin_anew(variant)
        table.reply(BEN, "resign resign")
    anns = let_in(table, ANN)

    text, page = games_of(anns)
    assert (len(drawn(page)), "Finished 3" in text, "All 3 finished games" in text) == (1, True, True)

    text = anns.open("/games/?show=finished")
    assert "Page 1 of 2 Earlier ones" in text
    assert text.index("ben Cincinnati") < text.index("ben Reconnaissance")
    text = anns.open("/games/?show=finished&page=2")
    assert "Later ones Page 2 of 2" in text
    assert "Wild 16 You won" in text
    assert "ben Cincinnati" not in text


@pytest.mark.parametrize("page", ["3", "0", "-1", "x", "²", "9" * 40])
def test_a_page_of_finished_games_that_there_is_not_leads_to_one_that_there_is(
    table: Table, anns: Browser, page: str
) -> None:
    table.reply(BEN, "resign resign")

    assert "ben Wild 16 You won" in anns.open(f"/games/?show=finished&page={page}")


def test_what_is_empty_says_what_to_do_next(table: Table) -> None:
    eves = Browser(table.app())
    eves.sign_in(table, EVE, "Eve")

    for show in ("waiting", "finished"):
        assert "Find an opponent in the lobby" in eves.open(f"/games/?show={show}")


def test_who_has_no_game_is_led_to_the_tutorial_and_to_an_open_offer(table: Table) -> None:
    eves, fays = Browser(table.app()), Browser(table.app())
    eves.sign_in(table, EVE, "Eve")
    eves.open("/lobby/")
    eves.press("Offer to everyone", variant="rbc")
    fays.sign_in(table, FAY, "Fay")

    assert "It isn't your turn in any game." in games_of(fays)[0]
    fays.press("Play Eve")
    table.work()
    assert "Reconnaissance Blind Chess" in games_of(fays)[0]
    assert "Play Eve" not in games_of(eves)[0]


def test_ones_own_offer_is_not_offered_to_oneself(table: Table) -> None:
    eves = Browser(table.app())
    eves.sign_in(table, EVE, "Eve")
    eves.open("/lobby/")
    eves.press("Offer to everyone")

    assert "Play Eve" not in games_of(eves)[0]
    eves.press("Start the tutorial")
    table.work()
    assert "tutor" in games_of(eves)[0]


def test_how_many_games_wait_stands_in_the_head_and_in_the_title(table: Table, anns: Browser) -> None:
    text, page = games_of(anns)

    assert "<title>(1) Your games: corr</title>" in page
    assert "Games 1 waits for you Lobby" in text
    assert re.search(r'<a class="me" href="/settings/">.*?ann</a>', page)


def test_the_browsers_zone_is_offered_until_one_was_chosen(table: Table, anns: Browser) -> None:
    assert "Show times in" in games_of(anns)[0]
    assert "Paris" in anns.press("Show local times", zone="Europe/Paris")
    assert anns.at == "/games/"
    assert "Show times in" not in games_of(anns)[0]


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd"])
def test_a_zone_that_is_none_is_refused_and_offered_again(anns: Browser, zone: str) -> None:
    games_of(anns)

    assert "Show times in" in anns.press("Show local times", zone=zone)


def test_of_a_game_of_others_the_same_is_said_as_of_none(table: Table, anns: Browser) -> None:
    code = str(table.newest(BEN)["Subject"])[-6:-1]
    eves = let_in(table, EVE)

    assert "You have no game with this code." in eves.open(f"/games/{code}")
    others = eves.answer
    eves.open("/games/nnnnn")
    assert (eves.answer.data, eves.answer.status_code) == (others.data, others.status_code)
    assert "You have no game with this code." not in eves.open("/nowhere")
    assert anns.open(f"/games/{code}")


def test_who_has_no_letters_about_games_is_told_so_among_them(anns: Browser) -> None:
    assert "We don't email you about your games" not in anns.open("/games/")
    anns.open("/settings/")
    anns.press("Save notifications", mail="off")

    assert "We don't email you about your games" in anns.open("/games/")
