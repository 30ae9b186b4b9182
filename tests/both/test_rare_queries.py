"""Rarely used queries, each run on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from corr import limits
from corr.config import Config
from corr.doctor import database
from corr.mail.outward import compose
from corr.mail.outward.missing_parts import MissingPart
from corr.proof.proof import prove
from corr.service.admin import statistics
from corr.service.admin.maintenance import delete_player
from corr.service.games import finished, game_records, moderation, notice_times
from corr.service.games.notice_times import PageVisit
from corr.service.mail import compose_failures
from corr.service.players import addresses, authentication, mailboxes, passkeys, players, settings
from corr.store import locks
from corr.store.tables import GameRow, OutboxRow, PlayerRow, SeatRow
from corr.words.board import Side
from corr.words.view import Stage
from tests.support.broken_parts import break_part
from tests.support.browser import Browser, link_in
from tests.support.table import ANN, BEN, DOMAIN, EVE, FAY, Table, text_of


def eve(table: Table) -> Browser:
    """Eve's browser, signed in."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    return browser


def finish_game(table: Table, order: str) -> str:
    """A game with one order of White's, resigned by Black; its code."""
    code = table.challenge()
    for player, text in ((ANN, "accept"), (BEN, "accept"), (ANN, order), (BEN, "resign resign")):
        table.reply(player, text)
    return code


def test_an_email_part_missing_again_is_listed_once(table: Table) -> None:
    for _ in range(2):
        table.clock.advance(days=2)
        with table.server.store.writing() as connection:
            compose_failures.record_alerts(connection, [MissingPart("picture", "KeyError")], table.clock())

    lacked = compose_failures.list_recent(table.server, table.clock())

    assert [(each.part, each.fault) for each in lacked] == [("picture", "KeyError")]


def test_a_run_can_be_recorded_again(table: Table) -> None:
    for _ in range(2):
        statistics.record_run(table.server, "a sweep", table.clock())

    assert statistics.is_idle(table.server)


def test_a_server_with_an_unread_email_is_not_idle(table: Table) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "e2e4"))

    assert not statistics.is_idle(table.server)


def test_a_friends_first_move_also_accepts_the_challenge(table: Table) -> None:
    table.write_to_site(EVE, f"challenge {FAY} wild16 black")
    table.reply(EVE, "confirm")
    table.reply(FAY, "e2e4")

    with table.server.store.reading() as connection:
        assert connection.execute(select(GameRow.ply)).scalar_one() == 1


def test_a_player_with_an_open_challenge_can_be_deleted(table: Table) -> None:
    eve(table).press("Challenge", whom=FAY)
    table.run_workers()

    delete_player(table.server, "Eve", table.clock())

    assert [each.name for each in players.list_players(table.server)] == ["Somebody"]


def test_deleting_a_player_ends_their_tutorial_game(table: Table) -> None:
    table.write_to_site(EVE, "tutorial", name="Eve")
    table.reply(EVE, "confirm")

    delete_player(table.server, "Eve", table.clock())

    with table.server.store.reading() as connection:
        assert list(connection.execute(select(GameRow.state)).scalars()) == [Stage.OVER]


def test_a_deleted_strangers_address_is_not_stored_again(table: Table) -> None:
    eve(table).press("Challenge", whom=FAY)
    table.run_workers()
    table.clock.advance(days=31)

    assert mailboxes.forget_strangers(table.server, table.clock()) == 1
    with table.server.store.writing() as connection:
        assert mailboxes.find_or_create(connection, FAY, table.clock()).address is None


def test_queries_about_nothing_find_nothing(table: Table) -> None:
    eve(table)

    assert passkeys.remove_lost(table.server, "Eve", table.clock()) == 0
    assert players.list_reserved_names(table.server) == []
    with table.server.store.reading() as connection:
        assert addresses._find_added(connection, "never asked", 1) is None
        assert moderation.list_public_decrees(connection, 1) == ()


def test_an_unanswered_passkey_challenge_expires(table: Table) -> None:
    with table.server.store.writing() as connection:
        passkeys.create_challenge(connection, "browser", "deed", table.clock())
    table.clock.advance(days=1)

    assert passkeys.delete_expired_challenges(table.server, table.clock()) == 1
    assert passkeys.delete_expired_challenges(table.server, table.clock()) == 0


def test_a_board_mark_that_is_switched_off_stays_off(table: Table) -> None:
    with eve(table).client.session_transaction() as session:
        secret = session["in"]

    visitor = authentication.find_visitor(table.server, secret, table.clock())
    assert visitor
    settings.set_switch(table.server, visitor, "last off")

    with table.server.store.reading() as connection:
        assert connection.execute(select(PlayerRow.switched)).scalar_one() == "last"


def test_a_theme_is_saved(table: Table) -> None:
    browser = eve(table)
    browser.open("/settings/")
    browser.press("Save appearance", theme="dark")

    assert 'data-theme="dark"' in browser.answer.get_data(as_text=True)


def test_the_doctor_notices_a_web_role_that_can_read_truths(table: Table) -> None:
    url = table.server.store.engine.url
    named = url.render_as_string(hide_password=False)
    config = Config(named, DOMAIN, web_database_url=named)

    assert next(database.findings(table.server)).is_well
    assert [each.says for each in database.check_web_role(config)] == [
        f"{url.username} can read hidden positions."
    ]


def test_signing_out_ends_the_session(table: Table) -> None:
    with eve(table).client.session_transaction() as session:
        secret = session["in"]

    authentication.sign_out(table.server, secret, table.clock())

    assert authentication.find_visitor(table.server, secret, table.clock()) is None


def test_a_page_opened_before_its_email_is_recorded(table: Table) -> None:
    table.begin()

    notice_times.record_visit(table.server, PageVisit(1, 1_000, table.clock()))
    notice_times.record_visit(table.server, PageVisit(1, 1, table.clock()))


def test_claimed_rows_can_be_released(table: Table) -> None:
    table.begin()

    locks.release_rows(table.server.store, OutboxRow, [1])


def test_a_finished_game_is_found_by_its_code(table: Table) -> None:
    code = finish_game(table, "e2e4")

    assert "1. e4" in finished.pgn(table.server, f" {code.upper()}")


@pytest.mark.parametrize(("shares_tries", "comment"), [(True, "Try 2 of a list."), (False, "From a list.")])
def test_a_finished_game_shows_tries_only_if_its_players_allow_it(
    table: Table, *, shares_tries: bool, comment: str
) -> None:
    code = finish_game(table, "e2e5, e2e4")
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).values(tells_tries=shares_tries))

    written = finished.pgn(table.server, code)
    assert f"1. e4 {{{comment}}}" in written
    assert ('{White tried "e2e5": Illegal move.}' in written) == shares_tries


def test_an_email_that_cannot_be_rendered_goes_as_plain_text(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    break_part(monkeypatch, compose, "render")

    table.reply(ANN, "e2e4")

    assert "This email is plainer than usual" in table.last_text(ANN)


def test_an_operator_gets_a_finished_games_record_by_its_code(table: Table) -> None:
    code = finish_game(table, "e2e4")

    record = game_records.load_by_code(table.server, f" {code.upper()}", Side.BLACK)

    assert prove([line.encode() for line in record.splitlines()]).holds


def test_a_guest_who_asked_to_sign_in_before_playing_keeps_the_game(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.open("/sign-in")
    browser.press("Email me a code", address=EVE)
    browser.open("/play")
    browser.press("Play now")
    browser.open(link_in(text_of(table.last_email(EVE))))
    browser.press("Sign in")

    assert "Pip (bot)" in browser.open("/games/")


def test_a_guest_idle_for_a_week_is_deleted_and_the_game_ends(table: Table) -> None:
    guest = Browser(table.app_with_workers())
    guest.press("Play now")
    game = guest.path
    table.clock.advance(days=limits.GUEST_IDLE / timedelta(days=1) + 1.5)
    table.sweep()

    with table.server.store.reading() as connection:
        assert list(connection.execute(select(GameRow.state)).scalars()) == [Stage.OVER]
    assert "Sign in" in guest.open(game)


@pytest.mark.parametrize("page", ["/games/", "/games/{code}/"])
def test_an_open_page_gets_news_of_the_opponents_move(table: Table, page: str) -> None:
    code = table.challenge()
    for player in (ANN, BEN):
        table.reply(player, "accept")
    browser = Browser(table.app())
    browser.sign_in(table, BEN)
    events = iter(browser.client.get(f"{page.format(code=code)}news").response)
    messages = [next(events)]
    table.reply(ANN, "e2e4")
    messages.append(next(events))

    assert messages == [b": \n\n", b"data: news\n\n"]
