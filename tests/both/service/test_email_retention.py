"""What is kept of letters, and for how long: until a month past a game's end, and what came back three months."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from corr.mail.outward.transport import DeliveryFate
from corr.service import worker_rounds
from corr.service.admin.maintenance import delete_player
from corr.service.mail import retention
from corr.service.mail.arrivals import Arrival
from corr.service.mail.inbox import store_email
from corr.service.players import players
from corr.service.players.own_data_rows import export
from corr.store.tables import (
    EmailWordsRow,
    GameRow,
    InboxRow,
    IncomingTextRow,
    OrderRow,
    OutboxRow,
    QuotableRow,
    SiteInboxRow,
    SiteQuotableRow,
    SlipRow,
)
from corr.store.texts import store_incoming
from tests.support.browser import Browser
from tests.support.moody_transport import Moody, drain
from tests.support.table import ANN, BEN, EVE, FAY, Table


def ended(table: Table) -> None:
    """A game that Black has given up."""
    table.begin()
    table.play("e2e4", "d7d5", "e4d5")
    table.reply(BEN, "resign resign")


def texts(table: Table) -> list[str]:
    """What is kept of letters in games: what they wrote, and what a reply to ours may repeat."""
    with table.server.store.reading() as connection:
        ours = connection.execute(select(QuotableRow.text)).scalars()
        theirs = connection.execute(select(IncomingTextRow.raw).order_by(IncomingTextRow.letter_id)).scalars()
        return [*ours, *(raw.decode() for raw in theirs if raw)]


def words(table: Table) -> int:
    """Of how many letters is kept what they are made of."""
    with table.server.store.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(EmailWordsRow)).scalar_one())


def site_texts(table: Table) -> list[str]:
    """The same of letters about no game."""
    with table.server.store.reading() as connection:
        ours = connection.execute(select(SiteQuotableRow.text))
        theirs = connection.execute(select(SiteInboxRow.raw)).scalars()
        return [*ours.scalars(), *(raw.decode() for raw in theirs if raw)]


def pass_by(table: Table, **span: float) -> None:
    table.clock.pass_by(**span)
    table.sweep()


def test_letters_are_kept_for_a_month_past_the_games_end_and_no_longer(table: Table) -> None:
    ended(table)
    kept = texts(table)
    assert len(kept) > 12

    pass_by(table, days=29)
    assert texts(table) == kept

    pass_by(table, days=1, seconds=1)
    assert texts(table) == []


def test_what_a_letter_was_made_of_goes_with_its_text_and_is_not_asked_for_any_more(table: Table) -> None:
    ended(table)
    pass_by(table, days=30, seconds=1)
    assert words(table) == 0

    table.reply(BEN, "resign resign")
    assert "is over" in table.says(BEN)
    assert words(table) == 1


def test_letters_of_a_game_that_goes_on_are_kept_however_long_it_takes(table: Table) -> None:
    table.challenge(clock="none")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    pass_by(table, days=80)
    kept = texts(table)
    table.reply(ANN, "e2e4")

    pass_by(table, days=80)

    assert set(kept) < set(texts(table))


def test_of_a_cleared_game_everything_else_is_as_it_was(table: Table) -> None:
    ended(table)
    kinds = (SlipRow, OrderRow, OutboxRow, InboxRow)

    def seen() -> object:
        with table.server.store.reading() as connection:
            code = connection.execute(select(GameRow.code)).scalar_one()
            counts = [
                connection.execute(select(func.count()).select_from(kind)).scalar_one() for kind in kinds
            ]
        page = Browser(table.app())
        page.sign_in(table, ANN)
        return page.open(f"/games/{code}"), counts

    before = seen()
    table.clock.pass_by(days=31)
    assert worker_rounds.sweep(table.server, table.clock()) > 0

    assert seen() == before


def test_what_came_before_is_known_when_it_comes_again_to_a_cleared_game(table: Table) -> None:
    table.begin()
    old = table.letter(ANN, "show")
    table.post(old)
    table.work()
    table.reply(ANN, "resign resign")
    pass_by(table, days=31)
    before = len(table.all_letters())

    table.post(old)
    table.work()

    assert len(table.all_letters()) == before
    assert texts(table) == []


def test_a_letter_to_a_cleared_game_is_answered_and_goes_a_month_later(table: Table) -> None:
    ended(table)
    pass_by(table, days=31)

    table.reply(ANN, "show")
    assert "Here is your board." in table.says(ANN)
    pass_by(table, days=20)
    table.reply(ANN, "show")
    assert len(texts(table)) == 4

    pass_by(table, days=11)
    assert texts(table) == []


def test_what_no_person_wrote_to_a_cleared_game_goes_too(table: Table) -> None:
    ended(table)
    pass_by(table, days=31)

    table.reply(ANN, "I am away", headers="Auto-Submitted: auto-replied")
    assert len(texts(table)) == 1
    pass_by(table, days=31)

    assert texts(table) == []


def test_what_was_not_read_yet_is_kept_whatever_its_age(table: Table) -> None:
    ended(table)
    unread = table.letter(ANN, "show")
    table.post(unread)

    table.clock.pass_by(days=31)
    assert retention.delete_expired(table.server, table.clock()) == 1
    assert texts(table) == [unread.decode()]

    table.work()
    assert "Here is your board." in table.says(ANN)
    pass_by(table, days=31)
    assert texts(table) == []


def test_what_waits_to_be_sent_when_a_game_is_cleared_goes_another_day(table: Table) -> None:
    ended(table)
    table.clock.pass_by(days=29)
    table.post(table.letter(ANN, "show"))
    table.read()
    table.clock.pass_by(days=2)

    assert retention.delete_expired(table.server, table.clock()) == 1
    table.send()
    assert len(texts(table)) == 1

    pass_by(table, days=1)
    assert texts(table) == []


def test_a_dead_letter_of_a_cleared_game_is_sent_again_with_its_own_bytes(table: Table) -> None:
    ended(table)
    table.post(table.letter(ANN, "show"))
    table.read()
    post = Moody([DeliveryFate.NEVER])
    drain(table, post)
    pass_by(table, days=31)

    assert worker_rounds.revive(table.server, table.clock()) == 1
    drain(table, post)

    assert post.given[1] == post.given[0]


def test_what_came_back_is_kept_for_three_months_while_a_game_goes_on(table: Table) -> None:
    table.challenge(clock="none")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    bounce = b"Message-ID: <b@mx.example>\r\n\r\nno such box"
    table.post(bounce, table.newest(ANN)["X-Envelope-From"])
    table.work()

    pass_by(table, days=89)
    assert bounce.decode() in texts(table)

    pass_by(table, days=2)
    assert bounce.decode() not in texts(table)
    assert len(texts(table)) > 5


def test_however_much_came_back_it_is_cleared_some_at_a_time(table: Table) -> None:
    table.begin()
    row = {
        "seat_id": 1,
        "slip": 0,
        "bounce": True,
        "received_at": table.clock(),
        "tries": 1,
        "read_at": table.clock(),
    }
    with table.server.store.writing() as connection:
        for number in range(450):
            store_incoming(connection, b"no", "[]", message_key=f"b{number}", **row)
    table.clock.pass_by(days=91)
    table.sweep()  # flags, and what goes with it

    cleared = [worker_rounds.sweep(table.server, table.clock()) for _ in range(3)]

    assert cleared == [200, 50, 0]


def test_letters_about_no_game_are_kept_for_a_month_and_what_came_back_for_three(table: Table) -> None:
    table.write(EVE, "help")
    table.write(FAY, "seeks")
    store_email(
        table.server,
        Arrival(
            b"Message-ID: <b@mx>\r\n\r\nno",
            (table.newest(EVE)["X-Envelope-From"],),
            table.clock(),
            from_nobody=True,
        ),
    )
    table.work()
    assert len(site_texts(table)) == 5

    pass_by(table, days=29)
    assert len(site_texts(table)) == 5
    pass_by(table, days=2)
    assert len(site_texts(table)) == 1
    pass_by(table, days=60)
    assert site_texts(table) == []


def test_what_is_cleared_is_not_among_what_a_player_is_given_of_themselves(table: Table) -> None:
    ended(table)
    name = players.list_players(table.server)[0].name
    assert len(export(table.server, name)["letters"]) == 3

    pass_by(table, days=31)

    assert export(table.server, name)["letters"] == []


def test_whoever_is_forgotten_before_is_forgotten_still(table: Table) -> None:
    ended(table)
    delete_player(table.server, players.list_players(table.server)[0].name, table.clock())

    pass_by(table, days=31)

    assert texts(table) == []


@pytest.mark.databases("sqlite")
def test_what_beat_looks_for_is_found_by_indexes_that_hold_no_more_than_is_kept(table: Table) -> None:
    due = (retention._GAMES_DUE, *(shelf.due for shelf in retention._EXPIRY_RULES))
    dialect = table.server.store.engine.dialect
    with table.server.store.reading() as connection:
        plans = [
            " ".join(
                row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", (0, 1, 0))
            )
            for said in (str(each.compile(dialect=dialect)) for each in due)
        ]

    assert ["TEMP B-TREE" not in plan for plan in plans] == [True] * len(due), plans
    assert ["_kept" in plan or "SEARCH site_quotables" in plan for plan in plans] == [True] * len(due), plans
