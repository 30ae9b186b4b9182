"""The tutorial by email: two lessons, each solved by one kind of move, and a whole game."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import pytest

from corr import limits
from corr.orders import parse_order
from corr.rules.variants import find_umpire
from corr.service.admin.maintenance import delete_player
from corr.service.players import players
from corr.text.lessons import Script, tutorial
from corr.words.board import Side
from corr.words.orders import Move
from tests.support.browser import Browser, link_in
from tests.support.table import ANN, BEN, EVE, FAY, Table, text_of
from tests.support.tutorial import (
    SCRIPTS,
    TITLES,
    WAYS,
    at_lesson,
    begin,
    last_tutorial_email,
    lesson,
    play,
    says,
    write,
)

#: A game that the pupil wins, with the tutor's moves.
GAME = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")


def test_a_stranger_plays_the_whole_tutorial_by_email(table: Table) -> None:
    table.write_to_site(EVE, "tutorial", name="Eve")
    assert "start a game of Kriegspiel by email" in table.last_text(EVE)
    table.reply(EVE, "confirm")

    lessons = []
    for way, _ in WAYS:
        lessons.append(lesson(table))
        write(table, way)
    lessons.append(lesson(table))

    assert "Checkmate" in play(table, *GAME)
    assert lessons == TITLES
    assert "You won, and that was the end of the tutorial" in says(table)
    assert {email["X-Envelope-To"] for email in table.all_emails()} == {EVE}


def test_confirming_on_a_page_says_that_the_tutorial_has_started(table: Table) -> None:
    table.write_to_site(EVE, "tutorial", name="Eve")
    browser = Browser(table.app())
    browser.open(link_in(text_of(table.last_email(EVE))))

    page = browser.press("It was me")

    assert "Thank you. The tutorial has started, and its first email is on its way." in page
    assert "already confirmed" not in page
    table.run_workers()
    assert lesson(table) == TITLES[0]


@pytest.mark.parametrize("number", range(1, 3))
def test_another_move_brings_a_hint_and_the_lesson_stays(table: Table, number: int) -> None:
    at_lesson(table, number)
    before = lesson(table)

    said = write(table, WAYS[number - 1][1])

    assert lesson(table) == before
    assert SCRIPTS[number - 1].hint in said
    write(table, WAYS[number - 1][0])
    assert lesson(table) == TITLES[number]


@pytest.mark.parametrize(
    "text",
    [
        "help",
        "show",
        "rules",
        "Hello!",
        "Nf3",
        "draw?",
        "games",
        "e2e4, I think",
        "if check: e2e4",
        "ghost qd8",
        "note the king is on g8",
    ],
)
def test_an_email_without_a_move_is_answered_as_in_any_game(table: Table, text: str) -> None:
    begin(table)
    write(table, text)

    assert lesson(table) == TITLES[0]
    write(table, "e2e4")
    assert lesson(table) == TITLES[1]


@pytest.mark.parametrize("text", ["px", "any?", "g1h1, h2h1", "o-o", "N@f5"])
def test_an_impossible_order_brings_the_hint_too(table: Table, text: str) -> None:
    at_lesson(table, 3)

    assert SCRIPTS[2].hint in write(table, text)
    assert lesson(table) == TITLES[2]


def test_an_order_for_an_earlier_lesson_does_nothing_in_a_later_one(table: Table) -> None:
    at_lesson(table, 2)
    first = next(each for each in table.emails_to(EVE) if "with the tutor" in each["Subject"])
    write(table, WAYS[1][0])

    table.reply(EVE, "px", to=first)

    assert "You answered an older email" in says(table)
    assert lesson(table) == TITLES[2]


def test_the_tutorial_can_be_resigned_and_started_again(table: Table) -> None:
    at_lesson(table, 3)
    assert "The tutorial has ended early" in write(table, "resign resign")
    assert 'write "tutorial"' in write(table, "again")

    write(table, "tutorial")

    assert lesson(table) == TITLES[0]


def test_two_tutorials_cannot_run_at_once(table: Table) -> None:
    at_lesson(table, 2)
    table.write_to_site(EVE, "tutorial")
    assert "Your tutorial is still running" in table.last_text(EVE)
    assert "Your tutorial is still running" in write(table, "tutorial")
    assert lesson(table) == TITLES[1]


def by_email_to_the_site(table: Table) -> str:
    table.write_to_site(EVE, "tutorial")
    return table.last_text(EVE)


def by_email_to_a_game(table: Table) -> str:
    return write(table, "tutorial")


@pytest.mark.parametrize("ways", [*product((by_email_to_the_site, by_email_to_a_game), repeat=2)])
def test_only_a_few_tutorials_a_day_can_be_started(
    table: Table, ways: tuple[Callable[[Table], str], ...]
) -> None:
    begin(table)
    way, last = ways
    for _ in range(limits.TUTORIALS_A_DAY - 1):
        write(table, "resign resign")
        assert "The tutorial has started" in way(table) or lesson(table) == TITLES[0]
    write(table, "resign resign")

    assert "You've started enough tutorials for today" in last(table)

    table.clock.advance(days=1, hours=1)
    last(table)
    assert lesson(table) == TITLES[0]


def test_the_tutorial_can_be_resigned_and_restarted_in_one_email(table: Table) -> None:
    at_lesson(table, 3)

    write(table, "resign resign\ntutorial")

    assert lesson(table) == TITLES[0]


def test_deleting_the_pupil_ends_the_tutorial(table: Table) -> None:
    at_lesson(table, 2)
    before = len(table.all_emails())

    delete_player(table.server, "Eve", table.clock())
    table.clock.advance(days=60)
    table.sweep()

    assert len(table.all_emails()) == before


def test_tutorial_can_be_started_in_reply_to_any_game(table: Table) -> None:
    table.begin()
    table.reply(ANN, "tutorial")

    assert lesson(table, ANN) == TITLES[0]
    assert not any("with the tutor" in each["Subject"] for each in table.emails_to(BEN))


@pytest.mark.parametrize("number", range(1, 4))
def test_an_idle_pupil_gets_one_reminder_and_then_a_kind_end(table: Table, number: int) -> None:
    at_lesson(table, number)
    table.clock.advance(days=25)
    table.sweep()
    assert "This is a reminder" in says(table)
    table.clock.advance(days=6)
    table.sweep()
    assert "It doesn't count." in says(table)
    before = len(table.all_emails())
    table.clock.advance(days=60)
    table.sweep()
    assert len(table.all_emails()) == before


def test_the_tutor_cannot_be_challenged_and_its_name_is_reserved(table: Table) -> None:
    begin(table)
    table.write_to_site(EVE, "challenge the tutor wild16")
    assert "There is no player with this name" in table.last_text(EVE)
    table.write_to_site(FAY, "seek wild16", name="The Tutor")
    table.reply(FAY, "confirm")

    assert [each.name for each in players.list_players(table.server)] == ["Eve", "A player"]


def test_the_tutorial_works_on_its_page_and_does_not_count(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, EVE, "Eve")
    begin(table)
    code = last_tutorial_email(table, EVE)["Subject"][-6:-1]
    assert TITLES[0] in browser.open(f"/games/{code}")

    for way, other in WAYS:
        browser.send(other)
        said = browser.send(way)
    assert SCRIPTS[2].lesson.page in said
    said = browser.send("resign resign")

    assert "This was the tutorial; it doesn't count" in said
    assert "Replay the whole game" not in said
    assert "with the tutor" not in browser.open("/games/")


def test_one_click_leads_from_the_end_of_the_tutorial_to_a_game_with_a_bot(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.press("Learn the game")
    browser.send("resign resign")

    assert "Wild 16 with Pip (bot)" in browser.press("Play Pip")


def test_a_page_shows_the_next_task_then_the_umpires_words_then_praise(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.press("Learn the game")
    for number, (way, _) in enumerate(WAYS):
        page = browser.send(way)
        places = [
            page.index(each)
            for each in (SCRIPTS[number + 1].lesson.page, "The umpire says", SCRIPTS[number].done)
        ]

        assert places == sorted(places)


def test_a_failed_lesson_says_so_below_the_task(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.press("Learn the game")
    browser.send("e2e4")
    page = browser.send("g1f1")

    assert page.index(SCRIPTS[1].lesson.page) < page.index("so the board has been set up again.")


def test_a_lessons_page_shows_no_deadline(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.press("Learn the game")
    for text in ("e2e4", "a1a5", "e2e4"):
        browser.open(browser.path)
        page = browser.answer.get_data(as_text=True)
        assert "Your turn" in page
        assert "data-left" not in page
        assert "until" not in page
        browser.send(text)


#: Ways to solve the second lesson: a list in any order, one try after another, or the right move at once.
SOLUTIONS = {
    "a short list": ("a1a7, a1a5",),
    "one try after another": ("a1a8", "a1a6", "a1a5"),
    "a shorter way after a refusal": ("a1a6", "a1a3"),
    "at once": ("a1a5",),
}


@pytest.mark.parametrize("solution", SOLUTIONS)
def test_any_move_of_the_rook_up_its_file_solves_the_second_lesson(table: Table, solution: str) -> None:
    at_lesson(table, 2)

    for text in SOLUTIONS[solution]:
        assert lesson(table) == TITLES[1]
        write(table, text)

    assert lesson(table) == TITLES[2]


def test_the_two_lessons_can_be_skipped_and_the_game_cannot(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, EVE, "Eve")
    begin(table)
    browser.open(f"/games/{last_tutorial_email(table, EVE)['Subject'][-6:-1]}")
    for title in TITLES[1:]:
        said = browser.press("Skip this part")
        assert "You skipped that part." in said
        assert title in said

    assert "Skip this part" not in said
    assert "Only the first two parts of the tutorial can be skipped" in browser.send("skip")
    assert "Your move has been made" in browser.click("e2", "e4")


@pytest.mark.parametrize("again", ["skip", "e2e4"])
def test_an_email_about_a_skipped_lesson_does_nothing_in_the_next(table: Table, again: str) -> None:
    begin(table)
    first = last_tutorial_email(table, EVE)
    table.reply(EVE, "skip", to=first)
    table.reply(EVE, again, to=first)

    assert lesson(table) == TITLES[1]
    assert "You answered an older email" in says(table)


def test_a_move_with_skip_leads_to_the_next_lesson_once(table: Table) -> None:
    begin(table)
    said = write(table, "e2e4\nskip")

    assert lesson(table) == TITLES[1]
    assert "set up again" not in said


def test_a_pages_text_about_a_lesson_is_one_sentence_and_not_about_email() -> None:
    said = [script.lesson.page for script in SCRIPTS]
    said += [each.page for each in SCRIPTS[2].comments]
    said += [each.page for each in SCRIPTS[2].proposals]

    for each in said:
        assert re.fullmatch(r"[^.!?]+\.", each), each
        assert "mail" not in each


# ---------------------------------------------------------------- the lessons themselves


@pytest.mark.parametrize("script", SCRIPTS[:2], ids=TITLES[:2])
def test_no_move_of_a_lesson_ends_the_game(script: Script) -> None:
    umpire = find_umpire(tutorial().variant)
    truth = umpire.start(script.position).truth
    assert umpire.turn(truth) is Side.WHITE
    for move in umpire.legal(truth.board):
        order = parse_order(move)
        assert isinstance(order, Move)
        assert umpire.judge(truth, Side.WHITE, order).outcome is None


def test_ghosts_of_a_lesson_are_gone_in_the_next(table: Table) -> None:
    begin(table)
    assert "Your ghost: a queen on d8." in write(table, "ghost qd8")

    write(table, WAYS[0][0])

    assert lesson(table) == TITLES[1]
    assert "ghost" not in says(table)


@pytest.mark.parametrize("number", range(1, 4))
def test_each_wrong_move_brings_a_hint_and_costs_nothing(table: Table, number: int) -> None:
    at_lesson(table, number)
    before = lesson(table)

    for wrong in ("a1b8", "px", "e2-e9", "e4e5, h1h8", "N@f5", "e2e4\nd2d4"):
        said = write(table, wrong)
        assert SCRIPTS[number - 1].hint in said or "I did nothing" in said
        assert "Your turn" in said
        assert lesson(table) == before

    table.clock.advance(hours=1)
    said = write(table, (*WAYS, ("e2e4",))[number - 1][0])
    assert ("Your move has been made.", 'You played "a1a5".', "Your move has been made.")[number - 1] in said


@pytest.mark.parametrize(
    ("moves", "end"),
    [
        (GAME, "You won, and that was the end of the tutorial."),
        (("f2f3", "e7e5", "g2g4", "d8h4"), "The tutor won, and that was the end of the tutorial."),
        (("g1f3", "g8f6", "f3g1", "f6g8") * 2, "Nobody won, and that was the end of the tutorial."),
        (("e2e4", "resign resign"), "You won, and that was the end of the tutorial."),
        (("e2e4", "e7e5", "resign resign"), "The tutorial has ended early."),
        (("resign resign",), "The tutorial has ended early."),
    ],
)
def test_the_last_email_says_how_the_game_ended(table: Table, moves: tuple[str, ...], end: str) -> None:
    at_lesson(table, 3)

    said = play(table, *moves)

    assert "The game is over." in said
    assert end in said
    assert 'To start over, reply "tutorial".' in said
