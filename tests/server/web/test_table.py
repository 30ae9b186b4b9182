"""The table: a player's page of one game does what a letter does, once, and shows nothing else."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import event, select, update

from corr.service import worker_rounds
from corr.service.admin.maintenance import delete_player
from corr.service.games import moderation
from corr.service.games.moderation import DecreeKind
from corr.service.mail import game_emails
from corr.service.players import authentication
from corr.store.tables import GameRow, InboxRow, IncomingTextRow
from corr.web import assets, create_app
from corr.words.board import PieceKind, Side
from tests.support.browser import Browser, Forms
from tests.support.masked_seals import masked
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, EVE, Table, flat, lay, text_of

OLGA = "olga@house.example"
MADE_BEFORE = "Your move for this turn had already been played"
KEPT = "Saved for your next turn"
_KEPT = select(IncomingTextRow.raw, InboxRow.answer).join(InboxRow).where(InboxRow.page)


def code_of(table: Table) -> str:
    """The code of the game that was begun last."""
    return str(table.newest(ANN)["Subject"])[-6:-1]


def sit_down(table: Table, player: str) -> Browser:
    """A player's browser, with the table open."""
    return at_table(table, player, table.at_work())


def at_table(table: Table, player: str, app: Flask) -> Browser:
    """Let in without a letter, so that the newest one is the game's."""
    browser = Browser(app)
    with browser.client.session_transaction() as kept:
        kept["in"] = authentication.sign_in_directly(table.server, player, table.clock()).secret
    browser.open(f"/games/{code_of(table)}")
    return browser


def at_table_without_workers(table: Table) -> Browser:
    return at_table(table, ANN, create_app(table.server, lambda _work: None))


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    return table


@pytest.fixture
def anns(begun: Table) -> Browser:
    return sit_down(begun, ANN)


@pytest.fixture
def bens(begun: Table) -> Browser:
    return sit_down(begun, BEN)


def board_of(page: Browser) -> dict[str, str]:
    """What is said of each square, without its marks."""
    html = unescape(page.answer.get_data(as_text=True))
    return dict(re.findall(r">([a-h][1-8]), ([^<;]+)", html))


# ---------------------------------------------------------------- playing


def test_a_man_who_has_nowhere_to_go_says_so(anns: Browser) -> None:
    assert "The piece on a1 has no square to go to now. Choose another piece." in anns.click("a1")
    assert "Choose a square for the piece on b1" in anns.click("b1")


def test_a_man_is_moved_by_two_clicks(anns: Browser) -> None:
    assert "Choose a square for the piece on e2" in anns.click("e2")
    page = anns.click("e4")

    assert "Your move has been made. The umpire says: Black's move." in page
    assert board_of(anns)["e4"] == "your pawn"
    assert board_of(anns)["e2"] == "unseen"


def test_the_other_side_is_told_of_it_by_a_letter_and_on_its_page(begun: Table, anns: Browser) -> None:
    bens = sit_down(begun, BEN)
    anns.click("e2", "e4")

    assert "Move 1. Your turn: reply by" in begun.says(BEN)
    assert "Your turn 3 d 0 h until" in bens.open(bens.at)


def test_who_moves_on_the_page_gets_no_letter_about_it(begun: Table, anns: Browser) -> None:
    before = len(begun.letters(ANN))
    anns.click("e2", "e4")

    assert len(begun.letters(ANN)) == before


def test_another_man_may_be_taken_in_hand_instead_and_put_back(anns: Browser) -> None:
    anns.click("e2")
    assert "a square for the piece on d2" in anns.click("d2")

    assert "Choose a piece, then a square" in anns.click("d2")


def test_orders_are_written_as_in_a_letter(anns: Browser) -> None:
    page = anns.send("e2-e4\ndraw?")

    assert "Your move has been made. The umpire says" in page
    assert "You've offered a draw" in page


def test_what_a_line_may_mean_is_sent_by_a_click(anns: Browser) -> None:
    page = anns.send("e2e4, Nf3")
    assert "e2e4, <mark>Nf3</mark>" in anns.answer.get_data(as_text=True)
    assert "Did you mean this?" in page

    assert "The rest of your list wasn't needed." in anns.press("e2e4, g1f3")


def test_a_line_that_is_not_clear_stops_all_as_in_a_letter(anns: Browser) -> None:
    page = anns.send("e2e4\ne2e9")

    assert "I couldn't understand this line, so I did nothing" in page
    assert "Your turn" in page


def test_ones_own_refused_tries_stand_in_the_log(anns: Browser) -> None:
    anns.send("e2e5")
    page = anns.open(anns.at)

    assert "e2e5 Illegal move." in page


def test_ones_own_captures_stand_in_the_log_with_an_x_as_they_may_be_written(table: Table) -> None:
    table.begin("classic")
    anns = sit_down(table, ANN)
    table.play("e2e4", "d7d5", "e4xd5", "d8:d5")

    anns.open(anns.at)
    assert '<li class="yes"><code>e4xd5</code>' in anns.answer.get_data(as_text=True)
    assert "2. e4xd5 ?xd5" in table.says(ANN)
    table.play("b1c3")
    assert "2. ?xd5 d8xd5" in table.says(BEN)


def test_a_question_alone_is_marked_as_asked(table: Table) -> None:
    table.begin("classic")
    anns = sit_down(table, ANN)
    anns.send("draw?")
    told = "<li><code>draw?</code>"
    assert told in anns.answer.get_data(as_text=True)
    anns.send("any?")
    asked = '<li class="asked"><code>any?</code>'
    assert asked in anns.answer.get_data(as_text=True)
    anns.open(anns.at)

    page = anns.answer.get_data(as_text=True)
    assert (page.count(told), page.count(asked)) == (1, 2)


@pytest.mark.parametrize(
    ("variant", "before", "button", "order"),
    [
        ("classic", "", "Ask about captures", "any?"),
        ("rbc", "", "Skip sensing", "sense none"),
        ("rbc", "Skip sensing", "Pass", "pass"),
    ],
)
def test_buttons_that_are_orders_say_what_they_order(
    table: Table, variant: str, before: str, button: str, order: str
) -> None:
    table.begin(variant)
    anns = sit_down(table, ANN)
    if before:
        anns.press(before)
    anns.press(button)

    assert f"<code>{order}</code>" in anns.answer.get_data(as_text=True)


def test_a_pawn_on_the_last_rank_asks_what_it_becomes(table: Table) -> None:
    table.begin()
    table.play("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5")
    anns = sit_down(table, ANN)

    assert "Choose on the board what your pawn becomes." in anns.click("a7", "b8")
    anns.press("Knight")

    assert board_of(anns)["b8"] == "your knight"


def planned_on(page: Browser) -> tuple[int, list[str]]:
    """How many arrows are on the board, and the squares that say where a planned move ends."""
    html = page.answer.get_data(as_text=True)
    arrows = html.partition('<g class="plan"')[2].partition("</g>")[0].count("<path")
    return arrows, sorted(re.findall(r">([a-h][1-8]),[^<]*a move you plan ends here", html))


def test_planned_moves_are_drawn_on_the_board_of_their_player_alone(begun: Table, anns: Browser) -> None:
    anns.open(f"{anns.at}?list=e2e4.g1f3/capture:d2d3")
    assert planned_on(anns) == (3, ["d3", "e4", "f3"])
    anns.open(f"{anns.at}?list=e2e4&at=0")
    assert planned_on(anns) == (1, ["e4"])
    begun.reply(ANN, "e2e4\nif capture e4: d2d3, f2f3; else o-o")
    anns.open(anns.at)
    assert planned_on(anns) == (2, ["d3", "f3"])
    anns.open(f"{anns.at}?at=0")
    assert planned_on(anns) == (0, [])

    assert planned_on(sit_down(begun, BEN)) == (0, [])


def test_mail_and_page_in_turn_never_disagree(begun: Table, anns: Browser, bens: Browser) -> None:
    anns.click("e2", "e4")
    begun.reply(BEN, "d7d5")
    anns.open(anns.at)
    anns.click("e4", "d5")
    bens.open(bens.at)
    bens.click("d8", "d5")
    begun.reply(ANN, "b1c3")

    assert "Your turn 3 d 0 h until" in bens.open(bens.at)
    men = re.search(r"Your pieces: [^.]*\.", begun.says(BEN))
    assert men
    assert men[0] in bens.open(bens.at)


def test_a_draw_is_offered_after_a_question_and_accepted_on_the_page(anns: Browser, bens: Browser) -> None:
    assert "Offer ben a draw?" in anns.press("Offer a draw")
    anns.press("Yes, offer a draw")
    bens.open(bens.at)

    assert "Draw: agreement" in bens.press("Accept the draw")


def test_a_draw_is_offered_once_until_the_offer_is_gone_and_the_turn_over(
    anns: Browser, bens: Browser
) -> None:
    anns.press("Offer a draw")
    offered = anns.press("Yes, offer a draw")
    assert offered.count("You've offered a draw") == 1
    assert anns.open(anns.at).count("You've offered a draw") == 1
    assert "Offer a draw" not in offered + bens.open(bens.at)
    bens.press("Decline")
    assert "Offer a draw" not in anns.open(anns.at)
    anns.click("e2", "e4")
    bens.open(bens.at)
    bens.send("e7e5")

    assert "Offer a draw" in anns.open(anns.at)


def test_the_one_pawn_capture_that_is_counted_is_a_button(table: Table, anns: Browser) -> None:
    page = anns.open(anns.at)
    assert "Make the only pawn capture" not in page
    assert "Corners mark" not in page
    table.reply(ANN, "e2e4")
    table.reply(BEN, "d7d5")
    page = anns.open(anns.at)
    assert "Make the only pawn capture" in page
    assert "Corners mark possible pawn tries." in page

    assert "Pawn at d5 captured" in anns.press("Make the only pawn capture")
    assert "Make the only pawn capture" not in anns.open(anns.at)


def test_a_sense_that_could_not_be_read_has_no_tick_in_the_log(table: Table) -> None:
    table.begin("rbc")
    page = sit_down(table, ANN)
    page.send("sense d5")
    assert '<li class="yes"><code>sense d5' in page.answer.get_data(as_text=True)

    page.send("sense d6; g1f3")
    log = page.answer.get_data(as_text=True).partition(">Log <")[2]

    assert '<li class="no"><code>sense d6' in log


def test_an_offer_stands_in_the_log_before_it_is_declined(anns: Browser, bens: Browser) -> None:
    anns.send("e2e4")
    bens.open(bens.at)
    bens.send("e7e5")
    anns.open(anns.at)
    anns.send("draw?")
    bens.open(bens.at)
    bens.send("decline")

    assert "Move 2 draw? White offers a draw. Black declines the draw. Move 1 e2e4" in anns.open(anns.at)
    assert (
        "Move 1 e7e5 White's move. 0 pawn tries. White offers a draw. decline Black declines the draw."
        in bens.open(bens.at)
    )


def test_the_umpires_last_words_are_shown_once_to_who_ends_the_game(anns: Browser, bens: Browser) -> None:
    for player, order in ((anns, "f2f3"), (bens, "e7e5"), (anns, "g2g4"), (bens, "d8h4")):
        player.open(player.at)
        player.send(order)
    page = bens.answer.get_data(as_text=True)

    assert "Checkmate. Black wins." in page
    assert 'Your move has been made.<span class="spoken"> The umpire says: Short-diagonal check.' in page


def test_a_game_is_given_up_after_a_question_and_both_see_the_whole_board(
    begun: Table, anns: Browser, bens: Browser
) -> None:
    assert "Resign this game?" in anns.press("Resign")
    anns.press("Yes, I resign")
    bens.open(bens.at)

    assert board_of(anns)["e7"] == "Black's pawn"
    assert board_of(bens)["e2"] == "White's pawn"
    assert "The game is over: you lost." in flat(text_of(begun.newest(ANN)))


def test_a_game_that_is_proposed_is_accepted_on_the_page(table: Table) -> None:
    table.challenge()
    anns, bens = sit_down(table, ANN), sit_down(table, BEN)
    page = anns.press("Accept")
    assert "The game starts when ben accepts too. " in page
    assert "letter" not in page

    assert "White's move" in bens.press("Accept")


def test_who_declines_on_the_page_is_told_by_a_letter_that_there_is_no_game(table: Table) -> None:
    table.challenge()

    sit_down(table, ANN).press("Decline")

    assert table.says(ANN).startswith(
        "Wild 16 with ben. You are White.\nThis game won't take place, because one of you declined."
    )
    assert "again" not in table.says(ANN)


def test_the_end_is_told_by_one_letter_whatever_is_written_on_the_page_after_it(
    begun: Table, anns: Browser
) -> None:
    begun.reply(BEN, "resign resign")
    letters = len(begun.letters(ANN))

    anns.open(anns.at)
    anns.press("Ask for a rematch")

    assert len(begun.letters(ANN)) == letters


def test_what_is_about_no_single_game_is_sent_elsewhere(anns: Browser) -> None:
    assert "Please use the lobby, or email it to the umpire" in anns.send("seeks")


def test_another_game_is_found_among_ones_games(anns: Browser, bens: Browser) -> None:
    anns.send("resign resign")
    bens.open(bens.at)
    anns.press("Ask for a rematch")

    assert "asked ben for a rematch" in anns.open(anns.at)
    assert "you'll find it under Games" in bens.press("Ask for a rematch")
    assert "asked ben for a rematch" not in anns.open(anns.at)


def test_what_was_written_on_a_page_is_not_kept_of_who_is_forgotten(begun: Table, anns: Browser) -> None:
    anns.send("my words\nresign resign")
    with begun.server.store.reading() as connection:
        assert "my words" in str(connection.execute(_KEPT).all())
    delete_player(begun.server, "ann", begun.clock())

    with begun.server.store.reading() as connection:
        assert "my words" not in str(connection.execute(_KEPT).all())


def test_a_game_made_void_before_it_began_is_told_as_the_operator_did_it(table: Table) -> None:
    table.challenge()
    anns = sit_down(table, ANN)
    moderation.decree(
        table.server,
        OLGA,
        1,
        "1",
        moderation.check_request(DecreeKind.ADJUDICATE, "", "void", "Ben is ill."),
        table.clock(),
    )
    table.work()
    page = anns.open(anns.at)

    assert "An admin has cancelled this game, so it won't take place. Ben is ill." in page
    assert "one of you declined" not in page


def test_who_has_accepted_is_told_for_whom_the_game_waits(table: Table) -> None:
    table.challenge()
    anns = sit_down(table, ANN)

    assert "The game starts when ben accepts too" in anns.press("Accept")
    assert "Accept" not in [
        button.text for form in Forms(anns.answer.get_data(as_text=True)).found for button in form.buttons
    ]


def test_another_game_begins_when_both_have_asked_on_their_pages(
    begun: Table, anns: Browser, bens: Browser
) -> None:
    anns.send("resign resign")
    assert "It starts when ben asks for it too" in anns.press("Ask for a rematch")
    assert "ann would like a rematch" in text(bens)
    bens.press("Ask for a rematch")

    assert "The rematch has started: go to it" in text(anns)
    for player, side in ((anns, "Black"), (bens, "White")):
        table_of_the_next = re.search(r'href="([^"]+)">go to it', player.answer.get_data(as_text=True))
        assert table_of_the_next
        assert f"move 1 · you are {side}" in player.open(table_of_the_next[1])


def test_another_game_that_an_earlier_version_began_is_among_ones_games(begun: Table, anns: Browser) -> None:
    anns.send("resign resign")
    with begun.server.store.writing() as connection:
        connection.execute(update(GameRow).values(again="agreed"))

    assert "see your games" in anns.open(anns.at)


# ---------------------------------------------------------------- other variants


def test_a_man_is_dropped_by_two_clicks(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "a7a6")
    anns = sit_down(table, ANN)
    anns.press("pawn (1)")

    assert "Your move has been made" in anns.click("e4")
    assert board_of(anns)["e4"] == "your pawn"


def test_what_is_no_single_man_cannot_be_dropped(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "a7a6", "c3d5", "b7b6")
    anns = sit_down(table, ANN)
    for drop in ("P", "QP", "PQ", "Q,", ""):
        page = anns.open(f"/games/{code_of(table)}?drop={drop}")
        assert ("a square for the pawn" in page) == (drop == "P")
        assert anns.answer.status_code == 200


def test_any_is_asked_by_a_button(table: Table) -> None:
    table.begin("classic")
    anns = sit_down(table, ANN)

    ask = "Ask about captures"
    assert "No" in anns.press(ask)
    assert ask not in text(anns)


def test_a_square_is_sensed_by_one_click_and_a_turn_is_passed_by_a_button(table: Table) -> None:
    table.begin("rbc")
    anns = sit_down(table, ANN)
    anns.click("e7")
    assert board_of(anns)["d8"] == "Black's queen"
    anns.press("Pass")

    assert "Black is to move" in anns.open(anns.at)


def test_men_are_deployed_one_by_one_or_as_prepared(table: Table) -> None:
    table.begin("welbeck")
    anns, bens = sit_down(table, ANN), sit_down(table, BEN)
    anns.press("an empty board")
    for man, squares in (
        ("king (1)", "e1"),
        ("queen (1)", "d1"),
        ("rook (2)", "a1 h1"),
        ("bishop (2)", "c1 f1"),
        ("knight (2)", "b1 g1"),
        ("pawn (8)", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ):
        anns.press(man)
        anns.click(*squares.split())
    assert "Your set-up is sealed" in anns.press("Deploy")
    assert "You have deployed this set-up." in anns.open(anns.at)
    bens.press("home")
    bens.press("Deploy")

    assert "Your turn 3 d 0 h until" in anns.open(anns.at)
    assert board_of(anns)["a2"] == "your pawn"


def test_a_man_on_the_board_goes_back_into_the_hand(table: Table) -> None:
    table.begin("welbeck")
    anns = sit_down(table, ANN)
    anns.press("home")
    taken = next(square for square, man in board_of(anns).items() if man == "your king")
    anns.click(taken)
    anns.click("a4" if taken != "a4" else "b4")

    assert board_of(anns)[taken] == "empty"


# ---------------------------------------------------------------- once, and in time


def test_a_double_click_is_one_move(begun: Table) -> None:
    browser = at_table_without_workers(begun)
    fields = hidden(browser)
    for _ in range(2):
        browser.client.post(browser.at, data={**fields, "orders": "e2e4"})
    with begun.server.store.reading() as connection:
        assert connection.exec_driver_sql("select count(*) from inbox where page").scalar_one() == 1
    begun.work()

    assert "Black is to move" in browser.open(browser.at)


def hidden(browser: Browser) -> dict[str, str]:
    """The fields that every form of a page sends along."""
    html = browser.answer.get_data(as_text=True)
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html))


def test_a_second_page_that_is_older_than_the_last_move_tries_nothing(begun: Table, anns: Browser) -> None:
    other = sit_down(begun, ANN)
    anns.click("e2", "e4")
    begun.reply(BEN, "e7e5")
    page = other.send("d2d4")

    assert "Your page was out of date: a move has been made since, so I did nothing" in page
    assert board_of(other)["d2"] == "your pawn"


@pytest.mark.parametrize("orders", ["d2d4", "d2d4, g1f3", "if no capture: d2d4", "d2d4\ndraw?"])
def test_what_is_sent_from_a_page_from_before_ones_move_is_not_kept_for_the_next_turn(
    begun: Table, anns: Browser, orders: str
) -> None:
    other = sit_down(begun, ANN)
    anns.send("e2e4")
    assert MADE_BEFORE in other.send(orders)
    begun.reply(BEN, "e7e5")

    assert "Your turn 3 d 0 h until" in text(anns)
    assert board_of(anns)["d2"] == "your pawn"


def test_nor_is_another_man_that_is_pressed_before_the_answer_is_there(begun: Table) -> None:
    browser = at_table_without_workers(begun)
    fields = hidden(browser)
    for orders in ("e2e4", "d2d4"):
        browser.client.post(browser.at, data={**fields, "orders": orders})
        browser.client.get(browser.at)
    begun.work()

    assert MADE_BEFORE in browser.open(browser.at)
    begun.reply(BEN, "e7e5")
    assert "Your turn 3 d 0 h until" in text(browser)


@pytest.mark.parametrize("orders", ["d2d4", "e2e4", "if no capture: d2d4"])
def test_what_is_sent_from_a_page_on_which_one_waits_is_for_the_next_turn(
    begun: Table, anns: Browser, orders: str
) -> None:
    anns.send("e2e4")

    assert "Saved for your next turn" in anns.send(orders)


def test_who_has_moved_by_letter_orders_ahead_on_the_page_that_says_so(begun: Table, anns: Browser) -> None:
    begun.reply(ANN, "e2e4")
    assert MADE_BEFORE in anns.send("d2d4")

    assert KEPT in anns.send("d2d4")


def test_the_same_list_as_ones_move_is_kept_for_the_next_turn(begun: Table, anns: Browser) -> None:
    anns.send("e2e4, d2d4")
    assert KEPT in anns.send("e2e4, d2d4")
    begun.reply(BEN, "e7e5")

    assert board_of_page(anns)["d4"] == "your pawn"


def text(browser: Browser) -> str:
    return browser.open(browser.at)


def test_what_the_umpire_has_not_read_yet_is_said_to_be_on_its_way(begun: Table) -> None:
    browser = at_table_without_workers(begun)

    assert "The umpire is reading your orders" in browser.click("e2", "e4")
    begun.work()
    assert "Your move has been made" in browser.open(browser.at)


def test_who_was_sent_on_asks_by_the_pages_mark_until_the_answer_is_there(begun: Table) -> None:
    browser = at_table_without_workers(begun)
    browser.click("e2", "e4")
    sent_on = browser.answer.get_data(as_text=True)
    waiting = asked_by_mark(browser)
    begun.work()

    assert '<div id="table" data-waits ' in sent_on
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in sent_on
    assert (waiting, asked_by_mark(browser)) == (304, 200)
    text(browser)
    assert "data-waits" not in browser.answer.get_data(as_text=True)


def asked_by_mark(browser: Browser) -> int:
    """What is answered to who has the page already."""
    mark = browser.answer.headers["ETag"]
    return browser.client.get(browser.at, headers={"If-None-Match": mark}).status_code


def test_what_comes_after_the_time_is_not_tried(begun: Table, anns: Browser) -> None:
    begun.clock.pass_by(days=3, minutes=1)

    assert "Your order arrived after your time for this move had run out" in anns.send("e2e4")


def test_what_is_too_long_is_refused_in_plain_words(anns: Browser) -> None:
    assert "This is too long for one turn" in anns.send("e2e4 " * 3_000)


@pytest.mark.parametrize("orders", ["", "\x00", "e2e4\x00", "é" * 9_000, "|e2e4", "\u202ee2e4", "\ud800"[:0]])
def test_nothing_that_is_written_breaks_the_page(
    anns: Browser, orders: str, caplog: pytest.LogCaptureFixture
) -> None:
    anns.send(orders)

    assert anns.answer.status_code == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    "question",
    [
        "from=e9",
        "from=e2e4",
        "from=e7e8",
        "drop=Q",
        "set=K.Ke1Ke2",
        "set=X",
        "sure=now",
        "log=whole",
        "at=0",
        "at=99999",
        "at=-1",
        "from=%00",
        "e9=",
        "e7=e5",
        "e2=&e4=",
    ],
)
def test_no_address_of_the_page_breaks_it_or_does_anything(anns: Browser, question: str) -> None:
    anns.open(f"{anns.at}?{question}")

    assert anns.answer.status_code == 200
    assert "Your turn" in text(anns)


# ---------------------------------------------------------------- who plays both sides


def both_seats(table: Table, variant: str = "wild16") -> Browser:
    """The browser of somebody who is to play against themself."""
    table.challenge(white=ANN, black=ANN, variant=variant)
    return sit_down(table, ANN)


def test_who_plays_both_sides_accepts_for_each_on_its_page(table: Table) -> None:
    browser = both_seats(table)
    browser.press("Accept")

    assert "You are Black." in text(browser)
    browser.press("Accept")
    assert "move 1 · you are White" in text(browser)
    assert "Your turn 3 d 0 h until" in text(browser)


def test_who_plays_both_sides_and_presses_twice_acts_for_one(table: Table) -> None:
    browser = both_seats(table, "assassin")
    for _ in Side:
        browser.press("Accept")
    for _ in range(2):
        browser.client.post(browser.at, data={**hidden(browser), "orders": "deploy home"})
    page = browser.open(browser.at)

    assert "you are Black" in page
    assert "Deploy your pieces 3 d 0 h until" in page
    browser.send("deploy home")
    assert "move 1 · you are White" in text(browser)
    assert "Your turn 3 d 0 h until" in text(browser)


@pytest.mark.parametrize("side", ["", "grey", "\0", "white\0"])
def test_a_page_of_no_side_is_none_of_ours(anns: Browser, side: str) -> None:
    answer = anns.client.post(anns.at, data={**hidden(anns), "side": side, "orders": "e2e4"})

    assert answer.status_code == 400
    assert "Your turn" in text(anns)


# ---------------------------------------------------------------- nobody else's


def test_nobody_elses_table_can_be_seen(begun: Table) -> None:
    eves = Browser(begun.at_work())
    eves.sign_in(begun, EVE, "Eve")
    for code in (code_of(begun), "nnnnn", f"{code_of(begun)}/white", f"{code_of(begun)}?side=white"):
        eves.open(f"/games/{code}")
        assert eves.answer.status_code == 404


def test_nobody_elses_game_can_be_played(begun: Table, anns: Browser) -> None:
    eves = Browser(begun.at_work())
    eves.sign_in(begun, EVE, "Eve")
    eves.open("/games/")
    answer = eves.client.post(anns.at, data={**hidden(anns), **hidden(eves), "orders": "e2e4"})

    assert answer.status_code == 404
    assert "Your turn" in text(anns)


def test_who_signs_in_from_a_tables_address_is_led_to_it(begun: Table) -> None:
    browser = Browser(begun.at_work())
    address = f"/games/{code_of(begun)}"
    browser.open(address)
    browser.sign_in_by_letter(begun, ANN)

    assert browser.at == address


def test_who_was_let_in_too_long_ago_is_asked_to_sign_in(anns: Browser, begun: Table) -> None:
    address, form = anns.at, {**hidden(anns), "orders": "e2e4"}
    begun.clock.pass_by(days=91)

    assert anns.client.post(address, data=form).location == "/sign-in"
    anns.open(address)
    assert anns.at == "/sign-in"
    anns.sign_in_by_letter(begun, ANN)
    assert anns.at == address


def test_what_a_player_writes_stands_there_as_it_was_written(anns: Browser) -> None:
    page = anns.send('e2e9 <script>alert("&amp;")</script>')

    assert '<script>alert("&amp;")</script>' in page
    assert "<script>alert" not in anns.answer.get_data(as_text=True)


# ---------------------------------------------------------------- what the other side does alone


def answer_of(browser: Browser) -> tuple[int, bytes, list[tuple[str, str]]]:
    """All that a browser is sent: status, page, headers."""
    answer = browser.client.get(browser.at)
    return answer.status_code, answer.get_data(), sorted(answer.headers.items())


def test_a_private_refusal_leaves_the_other_sides_page_as_it_was(
    begun: Table, anns: Browser, bens: Browser
) -> None:
    before = answer_of(bens)
    anns.send("e2e5")
    anns.send("nonsense e2")
    anns.send("show")

    assert answer_of(bens) == before
    etag = dict(before[2])["ETag"]
    assert bens.client.get(bens.at, headers={"If-None-Match": etag}).status_code == 304


def test_what_one_side_sets_for_itself_leaves_the_other_sides_pages_as_they_were(
    anns: Browser, bens: Browser
) -> None:
    bens.open("/games/")
    before = answer_of(bens)
    anns.open("/settings/")
    anns.press("Save notifications", mail="off")
    anns.press("Save profile", zone="Europe/Paris")
    anns.press("Save appearance", men="letters")

    assert answer_of(bens) == before


def test_a_page_with_nothing_new_is_answered_by_one_question(anns: Browser, begun: Table) -> None:
    etag = dict(answer_of(anns)[2])["ETag"]
    asked: list[str] = []
    engine = begun.server.store._asking
    event.listen(engine, "before_cursor_execute", lambda *told: asked.append(told[2]))
    answer = anns.client.get(anns.at, headers={"If-None-Match": etag})

    assert (answer.status_code, answer.get_data(), len(asked)) == (304, b"", 1)


def test_the_log_reaches_back_to_the_start_where_it_is_asked_for(begun: Table) -> None:
    for ranks in (("2", "3", "7", "6"), ("3", "4", "6", "5")):
        begun.play(*(f"{file}{a}{file}{b}" for file in "abcdefgh" for a, b in (ranks[:2], ranks[2:])))
    anns = sit_down(begun, ANN)

    assert "Move 1 " not in text(anns)
    assert "Move 1 " in anns.open(f"{anns.at}?log=whole")
    assert "Move 1 " in anns.click("b1", "c3")


@pytest.mark.parametrize("variant", ["wild16", "rbc", "crazykrieg"])
def test_an_earlier_board_is_the_one_that_its_player_saw_then(table: Table, variant: str) -> None:
    table.begin(variant)
    seats = [sit_down(table, player) for player in (ANN, BEN)]
    shown: dict[tuple[int, int], dict[str, str]] = {}
    letters = list(GAMES[variant].by_turns())[:-2][:8]
    for player, letter in letters:
        table.reply(player, letter)
        for number, seat in enumerate(seats):
            seat.open(seat.at)
            shown[number, int(ply_of(seat))] = board_of(seat)

    for (number, ply), board in shown.items():
        seat = seats[number]
        text = seat.open(f"{seat.at}?at={ply}")
        assert board_of(seat) == board
        buttons = [each for form in Forms(bytes_of(seat).decode()).found for each in form.buttons]
        is_past = ply < len(letters)
        assert ("Back to now" in text) is is_past
        assert not (is_past and any(button.square for button in buttons))


def ply_of(page: Browser) -> str:
    """How many half-moves have been made, as the page counts them."""
    return re.findall(r'data-turn="(\d+)"', page.answer.get_data(as_text=True))[0]


def test_a_click_on_a_turn_of_the_log_shows_the_board_after_it(begun: Table) -> None:
    begun.play("e2e4", "a7a6", "d2d4", "a6a5")
    anns = sit_down(begun, ANN)

    assert "Your board as it was after your move 1." in anns.press("Move 1")
    assert (board_of(anns)["e4"], board_of(anns)["d4"]) == ("your pawn", "unseen")
    assert "The umpire said Black's move." in anns.press("Move 1")
    assert "Your board as it was before your move 2." in anns.press("\u203a")
    assert "Your board as it was after your move 1." in anns.press("\u2039")
    assert "Back to now" not in anns.press("Back to now")


def rows_of_log(page: Browser) -> list[str]:
    """The log's rows as they are read."""
    log = page.answer.get_data(as_text=True).partition('<ol class="log"')[2].partition("</ol>")[0]
    rows = re.findall(r"<li>\s*<h3>(.*?)</div>\s*</li>", log, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]


#: Two moves of each side, as either side's log tells them.
LOGS = {
    ANN: (
        "Move 3 Your turn.",
        (
            "Move 2 a1a5 Illegal move. e4xd5 (try 2 of a list) Pawn at d5 captured (your capture). Black's move. "
            "0 pawn tries. White's move. 1 pawn try."
        ),
        "Move 1 e2e4 Black's move. 0 pawn tries. White's move. 1 pawn try.",
        "Before the first move White's move. 0 pawn tries.",
    ),
    BEN: (
        "Move 2 e7e6 White's move. 1 pawn try.",
        "Move 1 d7d5 White's move. 1 pawn try. Pawn at d5 captured (your loss). Black's move. 0 pawn tries.",
        "Before the first move White's move. 0 pawn tries. Black's move. 0 pawn tries.",
    ),
}


@pytest.mark.parametrize("player", LOGS)
def test_the_log_tells_cause_and_effect_in_one_row(begun: Table, player: str) -> None:
    begun.reply(ANN, "e2e4")
    begun.reply(BEN, "d7d5")
    begun.reply(ANN, "a1a5, e4d5")
    begun.reply(BEN, "e7e6")
    page = sit_down(begun, player)

    assert rows_of_log(page) == list(LOGS[player])
    page.press("oldest first")
    assert rows_of_log(page) == list(LOGS[player])[::-1]


def test_what_is_grave_is_underlined_and_what_is_not_is_not(begun: Table) -> None:
    begun.play("e2e4", "d7d5", "e4d5")
    html = sit_down(begun, BEN).answer.get_data(as_text=True)

    assert '<section class="slip grave' in html
    assert re.search(r"<i>Pawn at d5 captured\.</i> Black(&#39;|')s move", html)


@pytest.mark.parametrize("side", list(Side))
def test_twins_give_the_same_page_to_the_byte(tmp_path: Path, side: Side) -> None:
    """Two games in which one side did different things that nobody told the other of."""
    pages = []
    for number, quiet in enumerate((("a2a3", "a7a6", "b2b3"), ("h2h3", "a7a6", "g2g3"))):
        (tmp_path / str(number)).mkdir()
        table = lay(tmp_path / str(number))
        table.begin()
        moves = quiet if side is Side.BLACK else ("a2a3", "a7a6" if number else "h7h6", "b2b3", "b7b6")
        table.play(*moves)
        reader = sit_down(table, BEN if side is Side.BLACK else ANN)
        secrets = (code_of(table), hidden(reader)["csrf"], mark_of(reader))
        for query in ("", *(f"?at={ply}" for ply in range(len(moves)))):
            reader.open(reader.at + query)
            page, headers = bytes_of(reader), sorted(reader.answer.headers.items())
            for number_of_secret, secret in enumerate(secrets):
                page = page.replace(secret.encode(), f"secret {number_of_secret}".encode())
            pages.append((masked(page.decode()), [each for each in headers if each[0] != "ETag"]))
        table.server.store.close()

    assert pages[: len(pages) // 2] == pages[len(pages) // 2 :]


def mark_of(page: Browser) -> str:
    return re.findall(r'data-mark="([^"]+)"', page.answer.get_data(as_text=True))[0]


def test_a_letter_and_a_page_of_one_turn_are_judged_in_the_order_they_came(begun: Table) -> None:
    browser = at_table_without_workers(begun)
    browser.client.post(browser.at, data={**hidden(browser), "orders": "e2e4"})
    begun.post(begun.letter(ANN, "d2d4"))
    while worker_rounds.read_some(begun.server, begun.clock()):
        pass
    game_emails.OUTBOX.send_some(begun.server, begun.clock(), 20)

    assert board_of_page(browser)["e4"] == "your pawn"
    assert MADE_BEFORE in begun.says(ANN)


def board_of_page(browser: Browser) -> dict[str, str]:
    browser.open(browser.at)
    return board_of(browser)


#: What a page of the table brings with it on a first visit.
DRAWN = (
    *("vollkorn.woff2", "mist.webp", "contours.svg", "postmark.svg", "mark.svg", "mark-turn.svg"),
    *(f"pieces/w{man.letter}.svg" for man in PieceKind),
)


def test_a_table_weighs_little_and_a_move_still_less(begun: Table) -> None:
    begun.play(*(f"{file}{step}" for file in "abcdefgh" for step in (f"2{file}3", f"7{file}6")))
    anns = sit_down(begun, ANN)
    page, waiting = bytes_of(anns), bytes_of(sit_down(begun, BEN))
    beside = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page.decode())
    look = beside[0].rpartition("/")[0]

    weights = {}
    for each in (*beside, *(f"{look}/{name}" for name in DRAWN)):
        with anns.client.get(each, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.status_code == 200
            weights[each] = len(answer.get_data())

    assert len(beside) == 3
    assert len(waiting) < len(page) < 12_500
    assert len(page) + sum(weights.values()) < 41_500


def test_the_tables_script_is_short(begun: Table) -> None:
    client = begun.app().test_client()
    with client.get(f"/static/{assets.stamp()}/table.js") as script:
        assert len(script.get_data()) < 25_000


def bytes_of(page: Browser) -> bytes:
    return page.answer.get_data()


def test_a_page_explains_the_number_beside_a_man_who_was_seen(table: Table) -> None:
    table.begin("rbc")
    table.play("sense e7; e2e4", "sense e2; e7e5")
    page = sit_down(table, ANN)

    html = page.answer.get_data(as_text=True)
    assert re.search(r"<td data-age=1><button [^>]*>e8, Black", html)
    assert "A number beside a piece shows how long ago you last saw it. 0 is this turn" in page.open(page.at)


def test_a_page_that_is_asked_for_again_tells_the_time_that_is_left_then(begun: Table, anns: Browser) -> None:
    etag = dict(answer_of(anns)[2])["ETag"]
    mark = re.findall(r'data-mark="([^"]+)"', anns.answer.get_data(as_text=True))[0]
    begun.clock.pass_by(hours=2)

    assert "2 d 22 h" in anns.client.get(anns.at, headers={"If-None-Match": etag}).text
    assert anns.client.get(anns.at, headers={"If-None-Match": f'"{mark}"'}).status_code == 304


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("first_by_mail", [True, False], ids=["by mail first", "by page first"])
def test_whole_games_by_mail_and_page_in_turn_never_disagree(
    table: Table,
    variant: str,
    first_by_mail: bool,  # noqa: FBT001  # pytest names it
) -> None:
    table.begin(variant)
    browsers = {player: sit_down(table, player) for player in (ANN, BEN)}
    for number, (player, letter) in enumerate(GAMES[variant].by_turns()):
        if (number % 3 == 0) is first_by_mail:
            table.reply(player, letter)
            assert men_in(table.says(player)) == men_in(text(browsers[player]))
        else:
            browsers[player].open(browsers[player].at)
            browsers[player].send(letter)

    for player in (ANN, BEN):
        assert GAMES[variant].end in text(browsers[player])
        assert GAMES[variant].end in table.says(player)


def men_in(told: str) -> str | None:
    """Where one's own men stand, as a letter or a page tells it."""
    found = re.search(r"Your pieces: [^.]*\.", told)
    return found[0] if found else None


def test_help_on_the_page_is_that_of_a_letter(begun: Table, anns: Browser) -> None:
    begun.reply(ANN, "help")
    told = begun.says(ANN).partition("| help\n")[2].partition("The umpire's last announcement")[0]

    page = anns.send("help")

    assert "To move:" in told
    lines = [" ".join(line.replace('"', "").split()) for line in told.splitlines()]
    assert [line for line in lines if line not in page.replace('"', "")] == []
