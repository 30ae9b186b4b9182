"""The tutorial's whole game against the tutor, by email and on the page, to its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, func, select

from corr.bot_runner import bot_memory, bot_turns
from corr.mail.outward.compose import compose
from corr.rules.variants import find_umpire
from corr.service.admin import statistics
from corr.service.admin.maintenance import delete_player
from corr.service.answer_timing import BOTS
from corr.service.mail import game_emails
from corr.service.players import house_bots
from corr.store.tables import OrderRow, ThoughtRow
from corr.text.lessons import tutorial
from tests.support.bot_game import let_bots_think
from tests.support.browser import Browser
from tests.support.gallery import SECRETS
from tests.support.table import EVE, Table, make_table, parse_message, text_of, unwrap
from tests.support.tutorial import (
    SCRIPTS,
    TITLES,
    WAYS,
    Pupil,
    at_lesson,
    begin,
    fix_random_draws,
    handed,
    is_over,
    last_tutorial_email,
    lesson,
    let_tutor_think,
    newest_seat,
    play,
    says,
    write,
)

GAME = SCRIPTS[2]
NO_BOT_WORKERS = "Right now the tutor (bot) can't move"


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Table]:
    """Another, untouched server."""
    (tmp_path / "twin").mkdir()
    other = make_table(tmp_path / "twin")
    yield other
    other.server.store.close()


def start_the_game(table: Table) -> None:
    """Start the whole game, with a fixed seed for the tutor's random choices."""
    at_lesson(table, 3)
    fix_random_draws(table)


def page_of_the_game(table: Table) -> str:
    return f"/games/{last_tutorial_email(table, EVE)['Subject'][-6:-1]}"


def open_the_game_as_eve(table: Table) -> Browser:
    """Start the whole game and open its page as Eve."""
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, EVE, "Eve")
    start_the_game(table)
    browser.open(page_of_the_game(table))
    return browser


def random_tries(table: Table, rng: Random) -> str:
    """Some moves that look possible to the pupil."""
    options = find_umpire(tutorial().variant).possible_tries(handed(table)[-1].sight)
    return ", ".join(rng.sample(options, min(len(options), 12)))


def count_comments(pages: list[str]) -> tuple[list[int], list[int]]:
    """How often each comment and each proposal occurs in these texts."""
    return (
        [sum(each.text[0] in page for page in pages) for each in GAME.comments],
        [sum(each.text[0] in page for page in pages) for each in GAME.proposals],
    )


def tutors_tries(table: Table) -> list[str]:
    seat = OrderRow.seat_id == newest_seat(table, is_tutor=True)
    with table.server.store.reading() as connection:
        return list(connection.execute(select(OrderRow.text).where(seat).order_by(OrderRow.id)).scalars())


def count_thoughts(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(ThoughtRow)).scalar_one()


# ---------------------------------------------------------------- to its end


def test_the_game_by_email_reaches_its_end_and_each_comment_comes_once(table: Table) -> None:
    start_the_game(table)
    rng = Random(1)
    while not is_over(table):
        write(table, random_tries(table, rng))
        let_tutor_think(table)
        assert "Your turn" in says(table) or "The game is over." in says(table)

    comments, proposals = count_comments([unwrap(text_of(each)) for each in table.emails_to(EVE)])
    *before, _end = handed(table)
    assert comments == [comment.first(before) is not None for comment in GAME.comments]
    assert sum(comments) >= 4
    assert proposals == [1] * len(GAME.proposals)
    with table.server.store.reading() as connection:
        rows = connection.execute(select(*game_emails.OUTBOX.columns)).all()
        worded = game_emails.prepare(connection, table.server, rows, rows).worded
        assert count_thoughts(connection) == 0
    again = [text_of(parse_message(compose(worded[row.id]()).message)) for row in rows]
    assert again == [text_of(each) for each in table.emails_to(EVE) if "with the tutor" in each["Subject"]]


def test_the_last_email_lists_what_came_up_and_what_did_not(table: Table) -> None:
    at_lesson(table, 3)

    said = play(table, "e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")

    assert "In this game you saw your own capture and a check you gave." in said
    unmet = "a capture by the tutor, a check to your king and pawn tries."
    assert f'Reply "rules wild16" for what didn\'t come up: {unmet}' in said
    assert "pawn tries" in write(table, "rules wild16").partition("The umpire's last announcement")[0]


def test_resigning_at_once_lists_nothing_that_came_up(table: Table) -> None:
    at_lesson(table, 3)

    said = write(table, "resign resign")

    assert "The tutorial has ended early." in said
    assert "you saw" not in said


def test_the_game_on_the_page_reaches_its_end(table: Table) -> None:
    browser = open_the_game_as_eve(table)
    place, pupil, pages = page_of_the_game(table), Pupil(table), list[str]()
    while not is_over(table):
        browser.send(pupil.orders())
        let_tutor_think(table)
        pages.append(browser.open(place))

    comments = [any(comment.page in page for page in pages) for comment in GAME.comments]
    *before, _end = handed(table)
    assert all(comments[n] or comment.first(before) is None for n, comment in enumerate(GAME.comments))
    assert "In this game you saw" in pages[-1]
    assert "This was the tutorial; it doesn't count" in pages[-1]
    assert "Replay the whole game" not in pages[-1]


def test_the_same_seed_gives_the_same_emails(table: Table, twin: Table) -> None:
    written = []
    for each in (table, twin):
        start_the_game(each)
        pupil = Pupil(each)
        for _ in range(8):
            write(each, pupil.orders())
            let_tutor_think(each)
        written.append([SECRETS.sub("", text_of(email)) for email in each.emails_to(EVE)])

    assert written[0] == written[1]


def test_another_seed_gives_another_game(table: Table, twin: Table) -> None:
    """The tutor's moves aren't scripted."""
    made = []
    for each, seed in ((table, b"one lot of all"), (twin, b"another of them")):
        at_lesson(each, 3)
        fix_random_draws(each, seed)
        pupil = Pupil(each)
        for _ in range(5):
            write(each, pupil.orders())
            let_tutor_think(each)
        made.append(tutors_tries(each))

    assert made[0] != made[1]


def test_the_pupil_hears_nothing_of_the_tutors_refused_tries(table: Table, twin: Table) -> None:
    heard = []
    for each, tried in ((table, "d7d5"), (twin, "d7d3, d7d4, d7e6, d7d5")):
        at_lesson(each, 3)
        play(each, "e2e4", tried, "e4d5", "d8d5", "b1c3", "d5e5")
        heard.append([SECRETS.sub("", text_of(email)) for email in each.emails_to(EVE)])

    assert heard[0] == heard[1]


# ---------------------------------------------------------------- a draw


def test_the_tutor_answers_an_offer_of_a_draw(table: Table) -> None:
    start_the_game(table)
    assert "You've offered a draw." in write(table, "draw?")

    let_tutor_think(table)

    assert "Black declines the draw." in says(table)
    assert "Your turn" in says(table)


def test_the_pupil_may_accept_a_draw_from_the_tutor(table: Table) -> None:
    at_lesson(table, 3)
    assert 'Black offers a draw.\nTo answer the offer, reply "accept"' in play(table, "e2e4", "e7e5\ndraw?")

    said = write(table, "accept")

    assert "Nobody won, and that was the end of the tutorial." in said


# ---------------------------------------------------------------- the tutor's thinking


def test_the_tutor_answers_at_once_and_thinks_only_of_this_game(table: Table) -> None:
    start_the_game(table)
    assert let_bots_think(table) == 0
    write(table, "e2e4")

    server = replace(table.server, bot_pace=BOTS)
    assert bot_turns.think_for_bots(server, 60.0, lambda _seconds: None) == 1
    assert bot_turns.write_for_bots(server) == 1
    table.run_workers()

    with table.server.store.reading() as connection:
        belief = bot_memory.load_belief(connection, newest_seat(table, is_tutor=True))
    assert belief
    assert belief.heard == 2
    assert lesson(table) == TITLES[2]
    assert "Your turn" in says(table)


def test_the_tutor_does_not_think_in_the_lessons(table: Table) -> None:
    begin(table)
    for way, other in WAYS:
        write(table, other)
        write(table, way)
        assert let_bots_think(table) == 0


def test_deleting_the_pupil_deletes_the_tutors_thoughts(table: Table) -> None:
    start_the_game(table)
    write(table, "e2e4")
    let_bots_think(table)

    delete_player(table.server, "Eve", table.clock())
    let_bots_think(table)

    with table.server.store.reading() as connection:
        assert count_thoughts(connection) == 0


def test_without_bot_workers_the_page_says_so(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, EVE, "Eve")
    begin(table)
    place = page_of_the_game(table)
    browser.open(place)
    for way, _ in WAYS:
        assert NO_BOT_WORKERS not in browser.send(way)

    page = browser.send("e2e4")

    assert page.count(NO_BOT_WORKERS) == 1
    assert "It will move as soon as they're running." in page
    statistics.record_run(table.server, house_bots.THINKING_SIGN, table.clock())
    assert NO_BOT_WORKERS not in browser.open(place)


def test_without_bot_workers_the_answer_says_so_and_what_comes_next(table: Table) -> None:
    start_the_game(table)

    said = write(table, "e2e4")

    assert NO_BOT_WORKERS in said
    assert "We'll email you when it has moved." in said
    let_tutor_think(table)
    assert "Your turn" in says(table)
    statistics.record_run(table.server, house_bots.THINKING_SIGN, table.clock())
    assert NO_BOT_WORKERS not in write(table, "d2d4")


def test_without_bot_workers_a_move_is_still_explained(table: Table) -> None:
    at_lesson(table, 3)

    said = play(table, "e2e4", "d7d5", "e4d5")

    assert GAME.comments[0].text[0] in said
    assert NO_BOT_WORKERS in said
    assert said.count("Pawn at d5 captured") == 1


def test_without_bot_workers_the_tutor_never_loses_on_time(table: Table) -> None:
    start_the_game(table)
    write(table, "e2e4")
    before = len(table.all_emails())
    for _ in range(5):
        table.clock.advance(days=40)
        table.sweep()
        table.run_workers()
    assert len(table.all_emails()) == before

    let_tutor_think(table)

    assert "Your turn" in says(table)


def test_on_the_page_a_comment_stays_until_the_next_move(table: Table) -> None:
    captures, _, captured, *_ = (comment.page for comment in GAME.comments)
    browser = open_the_game_as_eve(table)

    play(table, "e2e4", "d7d5", "e4d5", "d8d5")

    page = browser.open(page_of_the_game(table))
    assert captures in page
    assert captured in page
    page = browser.send("b1c3")
    assert captures not in page
    assert "Play on" in page
