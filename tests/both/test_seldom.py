"""What the house asks its database only now and then, asked of both: the other tests of this lane do not come by."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from corr.config import Config
from corr.doctor import database
from corr.mail.outward import compose
from corr.mail.outward.missing_parts import Lack
from corr.proof.proof import prove
from corr.service.admin import health
from corr.service.admin.deletion import forget
from corr.service.games import finished, game_records, moderation, page_visits
from corr.service.games.page_visits import Unheard
from corr.service.mail import alerts
from corr.service.players import (
    addresses,
    authentication,
    mailboxes,
    passkey_challenges,
    passkeys,
    players,
    settings,
)
from corr.store import leases
from corr.store.tables import Game, OutboxRow, Player, SeatRow
from corr.words.board import Side
from corr.words.view import Stage
from tests.support.broken import breaks
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, DOMAIN, EVE, FAY, Table


def test_what_letters_lack_again_is_noted_once_and_of_today(table: Table) -> None:
    for _ in range(2):
        table.clock.pass_by(days=2)
        with table.house.store.writing() as connection:
            alerts.note(connection, [Lack("picture", "KeyError")], table.clock())

    lacked = alerts.lately(table.house, table.clock())

    assert [(each.part, each.fault) for each in lacked] == [("picture", "KeyError")]


def test_a_sign_of_life_is_left_again_and_again(table: Table) -> None:
    for _ in range(2):
        health.leave_sign(table.house, "a sweep", table.clock())

    assert health.is_idle(table.house)


def test_a_house_that_has_something_to_do_is_not_idle(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "e2e4"))

    assert not health.is_idle(table.house)


def test_who_is_forgotten_is_named_in_no_letter_that_waits(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.press("Challenge", whom=FAY)
    table.work()

    forget(table.house, "Eve", table.clock())

    assert [each.name for each in players.listed(table.house)] == ["Somebody"]


def test_who_is_forgotten_in_the_midst_of_the_tutorial_leaves_no_game_that_goes_on(table: Table) -> None:
    table.write(EVE, "tutorial", name="Eve")
    table.reply(EVE, "confirm")

    forget(table.house, "Eve", table.clock())

    with table.house.store.reading() as connection:
        assert list(connection.execute(select(Game.state)).scalars()) == [Stage.OVER]


def test_an_address_that_was_forgotten_stays_so_where_no_letter_may_go(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.press("Challenge", whom=FAY)
    table.work()
    table.clock.pass_by(days=31)

    assert mailboxes.forget_some(table.house, table.clock()) == 1
    with table.house.store.writing() as connection:
        assert mailboxes.known_or_new(connection, FAY, table.clock()).address is None


def test_nobodys_passkeys_and_titles_and_addresses_and_decrees_are_none(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")

    assert passkeys.remove_lost(table.house, "Eve", table.clock()) == 0
    assert players.titled(table.house) == []
    with table.house.store.reading() as connection:
        assert addresses._added_before(connection, "never asked", 1) is None
        assert moderation.of_game(connection, 1) == ()


def test_a_question_that_nobody_answered_is_forgotten(table: Table) -> None:
    with table.house.store.writing() as connection:
        passkey_challenges.ask(connection, "browser", "deed", table.clock())
    table.clock.pass_by(days=1)

    assert passkey_challenges.forget_some(table.house, table.clock()) == 1
    assert passkey_challenges.forget_some(table.house, table.clock()) == 0


def test_a_mark_that_is_switched_off_stays_off(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    with browser.client.session_transaction() as session:
        secret = session["in"]

    visitor = authentication.visitor(table.house, secret, table.clock())
    assert visitor
    settings.switch(table.house, visitor, "last off")

    with table.house.store.reading() as connection:
        assert connection.execute(select(Player.switched)).scalar_one() == "last"


def test_the_doctor_sees_whether_the_pages_can_read_the_truths(table: Table) -> None:
    url = table.house.store.engine.url
    named = url.render_as_string(hide_password=False)
    config = Config(named, DOMAIN, web_database_url=named)

    assert next(database.findings(table.house)).is_well
    assert [each.says for each in database.findings_by_the_web(config)] == [
        f"{url.username} can read hidden positions."
    ]


def test_who_signs_out_is_out(table: Table) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    with browser.client.session_transaction() as session:
        secret = session["in"]

    authentication.sign_out(table.house, secret, table.clock())

    assert authentication.visitor(table.house, secret, table.clock()) is None


def test_a_page_that_is_opened_before_its_letter_is_noted(table: Table) -> None:
    table.begin()

    page_visits.note(table.house, Unheard(1, 1_000, table.clock()))
    page_visits.note(table.house, Unheard(1, 1, table.clock()))


def test_what_was_taken_and_not_begun_is_given_back(table: Table) -> None:
    table.begin()

    leases.give_back(table.house.store, OutboxRow, [1])


def test_a_game_that_is_over_is_found_by_its_code(table: Table) -> None:
    code = table.challenge()
    for player, text in ((ANN, "accept"), (BEN, "accept"), (ANN, "e2e4"), (BEN, "resign resign")):
        table.reply(player, text)

    assert "1. e4" in finished.pgn(table.house, f" {code.upper()}")


@pytest.mark.parametrize(("tells", "told"), [(True, "Try 2 of a list."), (False, "From a list.")])
def test_what_was_written_in_a_game_that_is_over_is_told_as_its_seats_say(
    table: Table, *, tells: bool, told: str
) -> None:
    code = table.challenge()
    for player, text in ((ANN, "accept"), (BEN, "accept"), (ANN, "e2e5, e2e4"), (BEN, "resign resign")):
        table.reply(player, text)
    with table.house.store.writing() as connection:
        connection.execute(update(SeatRow).values(tells_tries=tells))

    written = finished.pgn(table.house, code)
    assert f"1. e4 {{{told}}}" in written
    assert ('{White tried "e2e5": Illegal move.}' in written) == tells


def test_a_plain_letter_tells_the_least(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.begin()
    breaks(monkeypatch, compose, "render")

    table.reply(ANN, "e2e4")

    assert "This email is plainer than usual" in table.says(ANN)


def test_an_operator_has_the_record_of_a_finished_game_by_its_code(table: Table) -> None:
    code = table.challenge()
    for player, text in ((ANN, "accept"), (BEN, "accept"), (ANN, "e2e4"), (BEN, "resign resign")):
        table.reply(player, text)

    record = game_records.of_code(table.house, f" {code.upper()}", Side.BLACK)

    assert prove([line.encode() for line in record.splitlines()]).holds
