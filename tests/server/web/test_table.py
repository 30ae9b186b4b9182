"""The table: a player's page of one game does what an email does, and shows no more."""

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
from corr.store.tables import GameRow, InboxRow, IncomingTextRow
from corr.web import assets, create_app
from corr.words.board import PieceKind, Side
from tests.support.browser import Browser, Forms
from tests.support.masked_seals import mask_seals
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, EVE, Table, make_table, text_of, unwrap

OLGA = "olga@house.example"
ALREADY_MOVED = "Your move for this turn had already been played"
SAVED = "Saved for your next turn"
_PAGE_ORDERS = select(IncomingTextRow.raw, InboxRow.answer).join(InboxRow).where(InboxRow.page)


def code_of(table: Table) -> str:
    """The code of the newest game."""
    return str(table.last_email(ANN)["Subject"])[-6:-1]


def sit_down(table: Table, player: str) -> Browser:
    """A player's browser with the table open."""
    return at_table(table, player, table.app_with_workers())


def at_table(table: Table, player: str, app: Flask) -> Browser:
    """Sign in without an email, so that the newest one is about the game."""
    browser = Browser(app)
    browser.sign_in_directly(table, player)
    browser.open(f"/games/{code_of(table)}")
    return browser


def at_table_without_workers(table: Table) -> Browser:
    return at_table(table, ANN, create_app(table.server, lambda _work: None))


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    return table


@pytest.fixture
def ann(begun: Table) -> Browser:
    return sit_down(begun, ANN)


@pytest.fixture
def ben(begun: Table) -> Browser:
    return sit_down(begun, BEN)


def board_of(page: Browser) -> dict[str, str]:
    """The text of each square, without its marks."""
    html = unescape(page.answer.get_data(as_text=True))
    return dict(re.findall(r">([a-h][1-8]), ([^<;]+)", html))


# ---------------------------------------------------------------- playing


def test_a_piece_without_a_square_to_go_to_says_so(ann: Browser) -> None:
    assert "The piece on a1 has no square to go to now. Choose another piece." in ann.click("a1")
    assert "Choose a square for the piece on b1" in ann.click("b1")


def test_a_piece_is_moved_by_two_clicks(ann: Browser) -> None:
    assert "Choose a square for the piece on e2" in ann.click("e2")
    page = ann.click("e4")

    assert "Your move has been made. The umpire says: Black's move." in page
    assert board_of(ann)["e4"] == "your pawn"
    assert board_of(ann)["e2"] == "unseen"


def test_the_opponent_hears_of_a_move_by_email_and_page(begun: Table, ann: Browser) -> None:
    ben = sit_down(begun, BEN)
    ann.click("e2", "e4")

    assert "Move 1. Your turn: reply by" in begun.last_text(BEN)
    assert "Your turn 3 d 0 h until" in ben.open(ben.path)


def test_a_move_on_the_page_brings_its_player_no_email(begun: Table, ann: Browser) -> None:
    before = len(begun.emails_to(ANN))
    ann.click("e2", "e4")

    assert len(begun.emails_to(ANN)) == before


def test_another_piece_may_be_picked_up_and_put_back(ann: Browser) -> None:
    ann.click("e2")
    assert "a square for the piece on d2" in ann.click("d2")

    assert "Choose a piece, then a square" in ann.click("d2")


def test_orders_can_be_typed_as_in_an_email(ann: Browser) -> None:
    page = ann.send("e2-e4\ndraw?")

    assert "Your move has been made. The umpire says" in page
    assert "You've offered a draw" in page


def test_a_suggested_correction_is_sent_by_a_click(ann: Browser) -> None:
    page = ann.send("e2e4, Nf3")
    assert "e2e4, <mark>Nf3</mark>" in ann.answer.get_data(as_text=True)
    assert "Did you mean this?" in page

    assert "The rest of your list wasn't needed." in ann.press("e2e4, g1f3")


def test_an_unclear_line_stops_all_as_in_an_email(ann: Browser) -> None:
    page = ann.send("e2e4\ne2e9")

    assert "I didn't understand this, so I did nothing" in page
    assert "Your turn" in page


def test_own_refused_tries_are_in_the_log(ann: Browser) -> None:
    ann.send("e2e5")
    page = ann.open(ann.path)

    assert "e2e5 Illegal move." in page


def test_own_captures_have_an_x_in_the_log(table: Table) -> None:
    table.begin("classic")
    ann = sit_down(table, ANN)
    table.play("e2e4", "d7d5", "e4xd5", "d8:d5")

    ann.open(ann.path)
    assert '<li class="yes"><code>e4xd5</code>' in ann.answer.get_data(as_text=True)
    assert "2. e4xd5 ?xd5" in table.last_text(ANN)
    table.play("b1c3")
    assert "2. ?xd5 d8xd5" in table.last_text(BEN)


def test_only_a_question_is_marked_as_asked(table: Table) -> None:
    table.begin("classic")
    ann = sit_down(table, ANN)
    ann.send("draw?")
    plain = "<li><code>draw?</code>"
    assert plain in ann.answer.get_data(as_text=True)
    ann.send("any?")
    asked = '<li class="asked"><code>any?</code>'
    assert asked in ann.answer.get_data(as_text=True)
    ann.open(ann.path)

    page = ann.answer.get_data(as_text=True)
    assert (page.count(plain), page.count(asked)) == (1, 2)


@pytest.mark.parametrize(
    ("variant", "before", "button", "order"),
    [
        ("classic", "", "Ask about captures", "any?"),
        ("rbc", "", "Skip sensing", "sense none"),
        ("rbc", "Skip sensing", "Pass", "pass"),
    ],
)
def test_a_button_logs_the_order_it_sends(
    table: Table, variant: str, before: str, button: str, order: str
) -> None:
    table.begin(variant)
    ann = sit_down(table, ANN)
    if before:
        ann.press(before)
    ann.press(button)

    assert f"<code>{order}</code>" in ann.answer.get_data(as_text=True)


def test_a_pawn_on_the_last_rank_asks_for_its_promotion(table: Table) -> None:
    table.begin()
    table.play("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5")
    ann = sit_down(table, ANN)

    assert "Choose on the board what your pawn becomes." in ann.click("a7", "b8")
    ann.press("Knight")

    assert board_of(ann)["b8"] == "your knight"


def planned_on(page: Browser) -> tuple[int, list[str]]:
    """The number of arrows on the board, and the target squares of planned moves."""
    html = page.answer.get_data(as_text=True)
    arrows = html.partition('<g class="plan"')[2].partition("</g>")[0].count("<path")
    return arrows, sorted(re.findall(r">([a-h][1-8]),[^<]*a move you plan ends here", html))


def test_planned_moves_are_drawn_only_for_their_player(begun: Table, ann: Browser) -> None:
    ann.open(f"{ann.path}?list=e2e4.g1f3/capture:d2d3")
    assert planned_on(ann) == (3, ["d3", "e4", "f3"])
    ann.open(f"{ann.path}?list=e2e4&at=0")
    assert planned_on(ann) == (1, ["e4"])
    begun.reply(ANN, "e2e4\nif capture e4: d2d3, f2f3; else o-o")
    ann.open(ann.path)
    assert planned_on(ann) == (2, ["d3", "f3"])
    ann.open(f"{ann.path}?at=0")
    assert planned_on(ann) == (0, [])

    assert planned_on(sit_down(begun, BEN)) == (0, [])


def test_email_and_page_in_turn_never_disagree(begun: Table, ann: Browser, ben: Browser) -> None:
    ann.click("e2", "e4")
    begun.reply(BEN, "d7d5")
    ann.open(ann.path)
    ann.click("e4", "d5")
    ben.open(ben.path)
    ben.click("d8", "d5")
    begun.reply(ANN, "b1c3")

    assert "Your turn 3 d 0 h until" in ben.open(ben.path)
    pieces = re.search(r"Your pieces: [^.]*\.", begun.last_text(BEN))
    assert pieces
    assert pieces[0] in ben.open(ben.path)


def test_a_draw_offer_is_confirmed_first_and_accepted_on_the_page(ann: Browser, ben: Browser) -> None:
    assert "Offer ben a draw?" in ann.press("Offer a draw")
    ann.press("Yes, offer a draw")
    ben.open(ben.path)

    assert "Draw: agreement" in ben.press("Accept the draw")


def test_a_draw_can_be_offered_again_only_after_a_reply_and_a_turn(ann: Browser, ben: Browser) -> None:
    ann.press("Offer a draw")
    offered = ann.press("Yes, offer a draw")
    assert offered.count("You've offered a draw") == 1
    assert ann.open(ann.path).count("You've offered a draw") == 1
    assert "Offer a draw" not in offered + ben.open(ben.path)
    ben.press("Decline")
    assert "Offer a draw" not in ann.open(ann.path)
    ann.click("e2", "e4")
    ben.open(ben.path)
    ben.send("e7e5")

    assert "Offer a draw" in ann.open(ann.path)


def test_the_only_pawn_capture_has_a_button(table: Table, ann: Browser) -> None:
    page = ann.open(ann.path)
    assert "Make the only pawn capture" not in page
    assert "Corners mark" not in page
    table.reply(ANN, "e2e4")
    table.reply(BEN, "d7d5")
    page = ann.open(ann.path)
    assert "Make the only pawn capture" in page
    assert "Corners mark possible pawn tries." in page

    assert "Pawn at d5 captured" in ann.press("Make the only pawn capture")
    assert "Make the only pawn capture" not in ann.open(ann.path)


def test_a_refused_second_sense_has_no_tick_in_the_log(table: Table) -> None:
    table.begin("rbc")
    page = sit_down(table, ANN)
    page.send("sense d5")
    assert '<li class="yes"><code>sense d5' in page.answer.get_data(as_text=True)

    page.send("sense d6; g1f3")
    log = page.answer.get_data(as_text=True).partition(">Log <")[2]

    assert '<li class="no"><code>sense d6' in log


def test_the_log_has_an_offer_before_its_refusal(ann: Browser, ben: Browser) -> None:
    ann.send("e2e4")
    ben.open(ben.path)
    ben.send("e7e5")
    ann.open(ann.path)
    ann.send("draw?")
    ben.open(ben.path)
    ben.send("decline")

    assert "Move 2 draw? White offers a draw. Black declines the draw. Move 1 e2e4" in ann.open(ann.path)
    assert (
        "Move 1 e7e5 White's move. 0 pawn tries. White offers a draw. decline Black declines the draw."
        in ben.open(ben.path)
    )


def test_the_mating_player_sees_the_umpires_last_words_once(ann: Browser, ben: Browser) -> None:
    for player, order in ((ann, "f2f3"), (ben, "e7e5"), (ann, "g2g4"), (ben, "d8h4")):
        player.open(player.path)
        player.send(order)
    page = ben.answer.get_data(as_text=True)

    assert "Checkmate. Black wins." in page
    assert 'Your move has been made.<span class="spoken"> The umpire says: Short-diagonal check.' in page


def test_resigning_is_confirmed_first_and_shows_both_the_whole_board(
    begun: Table, ann: Browser, ben: Browser
) -> None:
    assert "Resign this game?" in ann.press("Resign")
    ann.press("Yes, I resign")
    ben.open(ben.path)

    assert board_of(ann)["e7"] == "Black's pawn"
    assert board_of(ben)["e2"] == "White's pawn"
    assert "The game is over: you lost." in unwrap(text_of(begun.last_email(ANN)))


def test_a_proposed_game_is_accepted_on_the_page(table: Table) -> None:
    table.challenge()
    ann, ben = sit_down(table, ANN), sit_down(table, BEN)
    page = ann.press("Accept")
    assert "The game starts when ben accepts too. " in page
    assert "letter" not in page

    assert "White's move" in ben.press("Accept")


def test_declining_on_the_page_is_confirmed_by_email(table: Table) -> None:
    table.challenge()

    sit_down(table, ANN).press("Decline")

    assert table.last_text(ANN).startswith(
        "Wild 16 with ben. You are White.\nThis game won't take place, because one of you declined."
    )
    assert "again" not in table.last_text(ANN)


def test_asking_for_a_rematch_brings_no_second_email_about_the_end(begun: Table, ann: Browser) -> None:
    begun.reply(BEN, "resign resign")
    emails = len(begun.emails_to(ANN))

    ann.open(ann.path)
    ann.press("Ask for a rematch")

    assert len(begun.emails_to(ANN)) == emails


def test_a_word_about_the_site_is_referred_to_the_lobby(ann: Browser) -> None:
    assert "Please use the lobby, or email it to the umpire" in ann.send("seeks")


def test_a_rematch_asked_for_by_both_is_among_your_games(ann: Browser, ben: Browser) -> None:
    ann.send("resign resign")
    ben.open(ben.path)
    ann.press("Ask for a rematch")

    assert "asked ben for a rematch" in ann.open(ann.path)
    assert "you'll find it under Games" in ben.press("Ask for a rematch")
    assert "asked ben for a rematch" not in ann.open(ann.path)


def test_deleting_a_player_deletes_what_they_wrote_on_pages(begun: Table, ann: Browser) -> None:
    ann.send("my words\nresign resign")
    with begun.server.store.reading() as connection:
        assert "my words" in str(connection.execute(_PAGE_ORDERS).all())
    delete_player(begun.server, "ann", begun.clock())

    with begun.server.store.reading() as connection:
        assert "my words" not in str(connection.execute(_PAGE_ORDERS).all())


def test_a_game_cancelled_by_an_admin_says_so(table: Table) -> None:
    table.challenge()
    ann = sit_down(table, ANN)
    moderation.decree(
        table.server,
        OLGA,
        1,
        "1",
        moderation.check_request(DecreeKind.ADJUDICATE, "", "void", "Ben is ill."),
        table.clock(),
    )
    table.run_workers()
    page = ann.open(ann.path)

    assert "An admin has cancelled this game, so it won't take place. Ben is ill." in page
    assert "one of you declined" not in page


def test_after_accepting_the_page_says_who_else_must_accept(table: Table) -> None:
    table.challenge()
    ann = sit_down(table, ANN)

    assert "The game starts when ben accepts too" in ann.press("Accept")
    assert "Accept" not in [
        button.text for form in Forms(ann.answer.get_data(as_text=True)).found for button in form.buttons
    ]


def test_a_rematch_begins_when_both_have_asked_on_their_pages(
    begun: Table, ann: Browser, ben: Browser
) -> None:
    ann.send("resign resign")
    assert "It starts when ben asks for it too" in ann.press("Ask for a rematch")
    assert "ann would like a rematch" in text(ben)
    ben.press("Ask for a rematch")

    assert "The rematch has started: go to it" in text(ann)
    for player, side in ((ann, "Black"), (ben, "White")):
        rematch = re.search(r'href="([^"]+)">go to it', player.answer.get_data(as_text=True))
        assert rematch
        assert f"move 1 · you are {side}" in player.open(rematch[1])


def test_a_rematch_from_an_earlier_version_links_to_your_games(begun: Table, ann: Browser) -> None:
    ann.send("resign resign")
    with begun.server.store.writing() as connection:
        connection.execute(update(GameRow).values(again="agreed"))

    assert "see your games" in ann.open(ann.path)


# ---------------------------------------------------------------- other variants


def test_a_piece_is_dropped_by_two_clicks(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "a7a6")
    ann = sit_down(table, ANN)
    ann.press("pawn (1)")

    assert "Your move has been made" in ann.click("e4")
    assert board_of(ann)["e4"] == "your pawn"


def test_only_a_single_piece_can_be_dropped(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "a7a6", "c3d5", "b7b6")
    ann = sit_down(table, ANN)
    for drop in ("P", "QP", "PQ", "Q,", ""):
        page = ann.open(f"/games/{code_of(table)}?drop={drop}")
        assert ("a square for the pawn" in page) == (drop == "P")
        assert ann.answer.status_code == 200


def test_any_has_a_button(table: Table) -> None:
    table.begin("classic")
    ann = sit_down(table, ANN)

    ask = "Ask about captures"
    assert "No" in ann.press(ask)
    assert ask not in text(ann)


def test_one_click_senses_and_a_button_passes(table: Table) -> None:
    table.begin("rbc")
    ann = sit_down(table, ANN)
    ann.click("e7")
    assert board_of(ann)["d8"] == "Black's queen"
    ann.press("Pass")

    assert "Black is to move" in ann.open(ann.path)


def test_pieces_are_deployed_one_by_one_or_from_a_template(table: Table) -> None:
    table.begin("welbeck")
    ann, ben = sit_down(table, ANN), sit_down(table, BEN)
    ann.press("an empty board")
    for piece, squares in (
        ("king (1)", "e1"),
        ("queen (1)", "d1"),
        ("rook (2)", "a1 h1"),
        ("bishop (2)", "c1 f1"),
        ("knight (2)", "b1 g1"),
        ("pawn (8)", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ):
        ann.press(piece)
        ann.click(*squares.split())
    assert "Your set-up is sealed" in ann.press("Deploy")
    assert "You have deployed this set-up." in ann.open(ann.path)
    ben.press("home")
    ben.press("Deploy")

    assert "Your turn 3 d 0 h until" in ann.open(ann.path)
    assert board_of(ann)["a2"] == "your pawn"


def test_a_deployed_piece_can_be_moved_off_its_square(table: Table) -> None:
    table.begin("welbeck")
    ann = sit_down(table, ANN)
    ann.press("home")
    taken = next(square for square, piece in board_of(ann).items() if piece == "your king")
    ann.click(taken)
    ann.click("a4" if taken != "a4" else "b4")

    assert board_of(ann)[taken] == "empty"


# ---------------------------------------------------------------- once, and in time


def test_a_double_click_is_one_move(begun: Table) -> None:
    browser = at_table_without_workers(begun)
    fields = hidden(browser)
    for _ in range(2):
        browser.client.post(browser.path, data={**fields, "orders": "e2e4"})
    with begun.server.store.reading() as connection:
        assert connection.exec_driver_sql("select count(*) from inbox where page").scalar_one() == 1
    begun.run_workers()

    assert "Black is to move" in browser.open(browser.path)


def hidden(browser: Browser) -> dict[str, str]:
    """The hidden fields of a page's forms."""
    html = browser.answer.get_data(as_text=True)
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html))


def test_an_outdated_page_tries_nothing(begun: Table, ann: Browser) -> None:
    other = sit_down(begun, ANN)
    ann.click("e2", "e4")
    begun.reply(BEN, "e7e5")
    page = other.send("d2d4")

    assert "Your page was out of date: a move has been made since, so I did nothing" in page
    assert board_of(other)["d2"] == "your pawn"


@pytest.mark.parametrize("orders", ["d2d4", "d2d4, g1f3", "if no capture: d2d4", "d2d4\ndraw?"])
def test_orders_from_a_page_older_than_ones_move_are_not_saved(
    begun: Table, ann: Browser, orders: str
) -> None:
    other = sit_down(begun, ANN)
    ann.send("e2e4")
    assert ALREADY_MOVED in other.send(orders)
    begun.reply(BEN, "e7e5")

    assert "Your turn 3 d 0 h until" in text(ann)
    assert board_of(ann)["d2"] == "your pawn"


def test_a_second_move_before_the_answer_is_not_saved(begun: Table) -> None:
    browser = at_table_without_workers(begun)
    fields = hidden(browser)
    for orders in ("e2e4", "d2d4"):
        browser.client.post(browser.path, data={**fields, "orders": orders})
        browser.client.get(browser.path)
    begun.run_workers()

    assert ALREADY_MOVED in browser.open(browser.path)
    begun.reply(BEN, "e7e5")
    assert "Your turn 3 d 0 h until" in text(browser)


@pytest.mark.parametrize("orders", ["d2d4", "e2e4", "if no capture: d2d4"])
def test_orders_from_a_waiting_page_are_for_the_next_turn(begun: Table, ann: Browser, orders: str) -> None:
    ann.send("e2e4")

    assert "Saved for your next turn" in ann.send(orders)


def test_after_a_move_by_email_the_updated_page_saves_orders(begun: Table, ann: Browser) -> None:
    begun.reply(ANN, "e2e4")
    assert ALREADY_MOVED in ann.send("d2d4")

    assert SAVED in ann.send("d2d4")


def test_the_same_list_again_is_saved_for_the_next_turn(begun: Table, ann: Browser) -> None:
    ann.send("e2e4, d2d4")
    assert SAVED in ann.send("e2e4, d2d4")
    begun.reply(BEN, "e7e5")

    assert board_of_page(ann)["d4"] == "your pawn"


def text(browser: Browser) -> str:
    return browser.open(browser.path)


def test_the_page_says_while_orders_are_still_unread(begun: Table) -> None:
    browser = at_table_without_workers(begun)

    assert "The umpire is reading your orders" in browser.click("e2", "e4")
    begun.run_workers()
    assert "Your move has been made" in browser.open(browser.path)


def test_a_waiting_page_polls_by_etag_until_the_answer_is_there(begun: Table) -> None:
    browser = at_table_without_workers(begun)
    browser.click("e2", "e4")
    first_page = browser.answer.get_data(as_text=True)
    waiting = poll(browser)
    begun.run_workers()

    assert '<div id="table" data-waits ' in first_page
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in first_page
    assert (waiting, poll(browser)) == (304, 200)
    text(browser)
    assert "data-waits" not in browser.answer.get_data(as_text=True)


def poll(browser: Browser) -> int:
    """The status of a request with the page's ETag."""
    mark = browser.answer.headers["ETag"]
    return browser.client.get(browser.path, headers={"If-None-Match": mark}).status_code


def test_orders_after_the_deadline_are_not_tried(begun: Table, ann: Browser) -> None:
    begun.clock.advance(days=3, minutes=1)

    assert "Your order arrived after your time for this move had run out" in ann.send("e2e4")


def test_orders_that_are_too_long_are_refused(ann: Browser) -> None:
    assert "This is too long for one turn" in ann.send("e2e4 " * 3_000)


@pytest.mark.parametrize("orders", ["", "\x00", "e2e4\x00", "é" * 9_000, "|e2e4", "\u202ee2e4", "\ud800"[:0]])
def test_strange_orders_do_not_break_the_page(
    ann: Browser, orders: str, caplog: pytest.LogCaptureFixture
) -> None:
    ann.send(orders)

    assert ann.answer.status_code == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    "query",
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
def test_strange_queries_neither_break_the_page_nor_act(ann: Browser, query: str) -> None:
    ann.open(f"{ann.path}?{query}")

    assert ann.answer.status_code == 200
    assert "Your turn" in text(ann)


# ---------------------------------------------------------------- one player on both sides


def both_seats(table: Table, variant: str = "wild16") -> Browser:
    """The browser of a player who is challenged to play themself."""
    table.challenge(white=ANN, black=ANN, variant=variant)
    return sit_down(table, ANN)


def test_a_player_of_both_sides_accepts_for_each_in_turn(table: Table) -> None:
    browser = both_seats(table)
    browser.press("Accept")

    assert "You are Black." in text(browser)
    browser.press("Accept")
    assert "move 1 · you are White" in text(browser)
    assert "Your turn 3 d 0 h until" in text(browser)


def test_a_double_click_by_a_player_of_both_sides_acts_for_one(table: Table) -> None:
    browser = both_seats(table, "assassin")
    for _ in Side:
        browser.press("Accept")
    for _ in range(2):
        browser.client.post(browser.path, data={**hidden(browser), "orders": "deploy home"})
    page = browser.open(browser.path)

    assert "you are Black" in page
    assert "Deploy your pieces 3 d 0 h until" in page
    browser.send("deploy home")
    assert "move 1 · you are White" in text(browser)
    assert "Your turn 3 d 0 h until" in text(browser)


@pytest.mark.parametrize("side", ["", "grey", "\0", "white\0"])
def test_an_unknown_side_is_refused(ann: Browser, side: str) -> None:
    answer = ann.client.post(ann.path, data={**hidden(ann), "side": side, "orders": "e2e4"})

    assert answer.status_code == 400
    assert "Your turn" in text(ann)


# ---------------------------------------------------------------- other people


def test_another_players_table_is_not_found(begun: Table) -> None:
    eve = Browser(begun.app_with_workers())
    eve.sign_in(begun, EVE, "Eve")
    for code in (code_of(begun), "nnnnn", f"{code_of(begun)}/white", f"{code_of(begun)}?side=white"):
        eve.open(f"/games/{code}")
        assert eve.answer.status_code == 404


def test_another_players_game_cannot_be_played(begun: Table, ann: Browser) -> None:
    eve = Browser(begun.app_with_workers())
    eve.sign_in(begun, EVE, "Eve")
    eve.open("/games/")
    answer = eve.client.post(ann.path, data={**hidden(ann), **hidden(eve), "orders": "e2e4"})

    assert answer.status_code == 404
    assert "Your turn" in text(ann)


def test_signing_in_from_a_tables_address_returns_to_it(begun: Table) -> None:
    browser = Browser(begun.app_with_workers())
    address = f"/games/{code_of(begun)}"
    browser.open(address)
    browser.sign_in_by_email(begun, ANN)

    assert browser.path == address


def test_an_expired_session_must_sign_in_again(ann: Browser, begun: Table) -> None:
    address, form = ann.path, {**hidden(ann), "orders": "e2e4"}
    begun.clock.advance(days=91)

    assert ann.client.post(address, data=form).location == "/sign-in"
    ann.open(address)
    assert ann.path == "/sign-in"
    ann.sign_in_by_email(begun, ANN)
    assert ann.path == address


def test_what_a_player_writes_is_escaped(ann: Browser) -> None:
    page = ann.send('e2e9 <script>alert("&amp;")</script>')

    assert '<script>alert("&amp;")</script>' in page
    assert "<script>alert" not in ann.answer.get_data(as_text=True)


# ---------------------------------------------------------------- the other side's private acts


def answer_of(browser: Browser) -> tuple[int, bytes, list[tuple[str, str]]]:
    """The status, page and headers that a browser gets."""
    answer = browser.client.get(browser.path)
    return answer.status_code, answer.get_data(), sorted(answer.headers.items())


def test_a_private_refusal_does_not_change_the_other_sides_page(
    begun: Table, ann: Browser, ben: Browser
) -> None:
    before = answer_of(ben)
    ann.send("e2e5")
    ann.send("nonsense e2")
    ann.send("show")

    assert answer_of(ben) == before
    etag = dict(before[2])["ETag"]
    assert ben.client.get(ben.path, headers={"If-None-Match": etag}).status_code == 304


def test_one_sides_settings_do_not_change_the_other_sides_page(ann: Browser, ben: Browser) -> None:
    ben.open("/games/")
    before = answer_of(ben)
    ann.open("/settings/")
    ann.press("Save notifications", mail="off")
    ann.press("Save profile", zone="Europe/Paris")
    ann.press("Save appearance", men="letters")

    assert answer_of(ben) == before


def test_an_unchanged_page_costs_one_query(ann: Browser, begun: Table) -> None:
    etag = dict(answer_of(ann)[2])["ETag"]
    asked: list[str] = []
    engine = begun.server.store._asking
    event.listen(engine, "before_cursor_execute", lambda *plain: asked.append(plain[2]))
    answer = ann.client.get(ann.path, headers={"If-None-Match": etag})

    assert (answer.status_code, answer.get_data(), len(asked)) == (304, b"", 1)


def test_the_whole_log_is_shown_on_request(begun: Table) -> None:
    for ranks in (("2", "3", "7", "6"), ("3", "4", "6", "5")):
        begun.play(*(f"{file}{a}{file}{b}" for file in "abcdefgh" for a, b in (ranks[:2], ranks[2:])))
    ann = sit_down(begun, ANN)

    assert "Move 1 " not in text(ann)
    assert "Move 1 " in ann.open(f"{ann.path}?log=whole")
    assert "Move 1 " in ann.click("b1", "c3")


@pytest.mark.parametrize("variant", ["wild16", "rbc", "crazykrieg"])
def test_an_earlier_board_is_what_its_player_saw_then(table: Table, variant: str) -> None:
    table.begin(variant)
    seats = [sit_down(table, player) for player in (ANN, BEN)]
    shown: dict[tuple[int, int], dict[str, str]] = {}
    emails = list(GAMES[variant].by_turns())[:-2][:8]
    for player, email in emails:
        table.reply(player, email)
        for number, seat in enumerate(seats):
            seat.open(seat.path)
            shown[number, int(ply_of(seat))] = board_of(seat)

    for (number, ply), board in shown.items():
        seat = seats[number]
        text = seat.open(f"{seat.path}?at={ply}")
        assert board_of(seat) == board
        buttons = [each for form in Forms(bytes_of(seat).decode()).found for each in form.buttons]
        is_past = ply < len(emails)
        assert ("Back to now" in text) is is_past
        assert not (is_past and any(button.square for button in buttons))


def ply_of(page: Browser) -> str:
    """The page's count of half-moves."""
    return re.findall(r'data-turn="(\d+)"', page.answer.get_data(as_text=True))[0]


def test_a_click_on_a_move_in_the_log_shows_the_board_after_it(begun: Table) -> None:
    begun.play("e2e4", "a7a6", "d2d4", "a6a5")
    ann = sit_down(begun, ANN)

    assert "Your board as it was after your move 1." in ann.press("Move 1")
    assert (board_of(ann)["e4"], board_of(ann)["d4"]) == ("your pawn", "unseen")
    assert "The umpire said Black's move." in ann.press("Move 1")
    assert "Your board as it was before your move 2." in ann.press("\u203a")
    assert "Your board as it was after your move 1." in ann.press("\u2039")
    assert "Back to now" not in ann.press("Back to now")


def rows_of_log(page: Browser) -> list[str]:
    """The text of the log's rows."""
    log = page.answer.get_data(as_text=True).partition('<ol class="log"')[2].partition("</ol>")[0]
    rows = re.findall(r"<li>\s*<h3>(.*?)</div>\s*</li>", log, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]


#: The log of either side after two moves each.
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
def test_each_log_row_has_a_move_and_what_followed(begun: Table, player: str) -> None:
    begun.reply(ANN, "e2e4")
    begun.reply(BEN, "d7d5")
    begun.reply(ANN, "a1a5, e4d5")
    begun.reply(BEN, "e7e6")
    page = sit_down(begun, player)

    assert rows_of_log(page) == list(LOGS[player])
    page.press("oldest first")
    assert rows_of_log(page) == list(LOGS[player])[::-1]


def test_only_important_announcements_are_underlined(begun: Table) -> None:
    begun.play("e2e4", "d7d5", "e4d5")
    html = sit_down(begun, BEN).answer.get_data(as_text=True)

    assert '<section class="slip grave' in html
    assert re.search(r"<i>Pawn at d5 captured\.</i> Black(&#39;|')s move", html)


@pytest.mark.parametrize("side", list(Side))
def test_twins_give_the_same_page_byte_for_byte(tmp_path: Path, side: Side) -> None:
    """Play two games in which one side's moves differ without the other hearing of it."""
    pages = []
    for number, unheard in enumerate((("a2a3", "a7a6", "b2b3"), ("h2h3", "a7a6", "g2g3"))):
        (tmp_path / str(number)).mkdir()
        table = make_table(tmp_path / str(number))
        table.begin()
        moves = unheard if side is Side.BLACK else ("a2a3", "a7a6" if number else "h7h6", "b2b3", "b7b6")
        table.play(*moves)
        reader = sit_down(table, BEN if side is Side.BLACK else ANN)
        secrets = (code_of(table), hidden(reader)["csrf"], mark_of(reader))
        for query in ("", *(f"?at={ply}" for ply in range(len(moves)))):
            reader.open(reader.path + query)
            page, headers = bytes_of(reader), sorted(reader.answer.headers.items())
            for number_of_secret, secret in enumerate(secrets):
                page = page.replace(secret.encode(), f"secret {number_of_secret}".encode())
            pages.append((mask_seals(page.decode()), [each for each in headers if each[0] != "ETag"]))
        table.server.store.close()

    assert pages[: len(pages) // 2] == pages[len(pages) // 2 :]


def mark_of(page: Browser) -> str:
    return re.findall(r'data-mark="([^"]+)"', page.answer.get_data(as_text=True))[0]


def test_an_email_and_a_page_order_are_judged_in_order_of_arrival(begun: Table) -> None:
    browser = at_table_without_workers(begun)
    browser.client.post(browser.path, data={**hidden(browser), "orders": "e2e4"})
    begun.deliver(begun.reply_email(ANN, "d2d4"))
    while worker_rounds.read_some(begun.server, begun.clock()):
        pass
    game_emails.OUTBOX.send_some(begun.server, begun.clock(), 20)

    assert board_of_page(browser)["e4"] == "your pawn"
    assert ALREADY_MOVED in begun.last_text(ANN)


def board_of_page(browser: Browser) -> dict[str, str]:
    browser.open(browser.path)
    return board_of(browser)


#: Images and fonts that the table loads on a first visit.
FIRST_VISIT_FILES = (
    *("vollkorn.woff2", "mist.webp", "contours.svg", "postmark.svg", "mark.svg", "mark-turn.svg"),
    *(f"pieces/w{piece.letter}.svg" for piece in PieceKind),
)


def test_resigning_is_one_word_in_the_log(begun: Table) -> None:
    ann = sit_down(begun, ANN)
    ann.send("resign resign")

    page = ann.open(ann.path)
    assert "resign White resigns." in page
    assert "resign resign" not in page


def test_the_table_and_its_files_are_small(begun: Table) -> None:
    begun.play(*(f"{file}{step}" for file in "abcdefgh" for step in (f"2{file}3", f"7{file}6")))
    ann = sit_down(begun, ANN)
    page, waiting = bytes_of(ann), bytes_of(sit_down(begun, BEN))
    linked = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page.decode())
    folder = linked[0].rpartition("/")[0]

    sizes = {}
    for each in (*linked, *(f"{folder}/{name}" for name in FIRST_VISIT_FILES)):
        with ann.client.get(each, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.status_code == 200
            sizes[each] = len(answer.get_data())

    assert len(linked) == 3
    assert len(waiting) < len(page) < 12_500
    assert len(page) + sum(sizes.values()) < 41_500


def test_the_tables_script_is_small(begun: Table) -> None:
    client = begun.app().test_client()
    with client.get(f"/static/{assets.stamp()}/table.js") as script:
        assert len(script.get_data()) < 25_000


def bytes_of(page: Browser) -> bytes:
    return page.answer.get_data()


def test_a_page_explains_the_number_beside_a_recalled_piece(table: Table) -> None:
    table.begin("rbc")
    table.play("sense e7; e2e4", "sense e2; e7e5")
    page = sit_down(table, ANN)

    html = page.answer.get_data(as_text=True)
    assert re.search(r"<td data-age=1><button [^>]*>e8, Black", html)
    assert "A number beside a piece shows how long ago you last saw it. 0 is this turn" in page.open(
        page.path
    )


def test_a_reloaded_page_has_the_current_time_left(begun: Table, ann: Browser) -> None:
    etag = dict(answer_of(ann)[2])["ETag"]
    mark = re.findall(r'data-mark="([^"]+)"', ann.answer.get_data(as_text=True))[0]
    begun.clock.advance(hours=2)

    assert "2 d 22 h" in ann.client.get(ann.path, headers={"If-None-Match": etag}).text
    assert ann.client.get(ann.path, headers={"If-None-Match": f'"{mark}"'}).status_code == 304


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("first_by_mail", [True, False], ids=["by mail first", "by page first"])
def test_whole_games_by_email_and_page_never_disagree(
    table: Table,
    variant: str,
    first_by_mail: bool,  # noqa: FBT001  # pytest names it
) -> None:
    table.begin(variant)
    browsers = {player: sit_down(table, player) for player in (ANN, BEN)}
    for number, (player, email) in enumerate(GAMES[variant].by_turns()):
        if (number % 3 == 0) is first_by_mail:
            table.reply(player, email)
            assert own_pieces_in(table.last_text(player)) == own_pieces_in(text(browsers[player]))
        else:
            browsers[player].open(browsers[player].path)
            browsers[player].send(email)

    for player in (ANN, BEN):
        assert GAMES[variant].end in text(browsers[player])
        assert GAMES[variant].end in table.last_text(player)


def own_pieces_in(plain: str) -> str | None:
    """The list of own pieces in an email or on a page."""
    found = re.search(r"Your pieces: [^.]*\.", plain)
    return found[0] if found else None


def test_help_on_the_page_is_the_same_as_by_email(begun: Table, ann: Browser) -> None:
    begun.reply(ANN, "help")
    plain = begun.last_text(ANN).partition("| help\n")[2].partition("The umpire's last announcement")[0]

    page = ann.send("help")

    assert "To move:" in plain
    lines = [" ".join(line.replace('"', "").split()) for line in plain.splitlines()]
    assert [line for line in lines if line not in page.replace('"', "")] == []
