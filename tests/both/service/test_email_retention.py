"""How long emails are kept: until a month after the game's end, and bounces for three months."""

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
from tests.support.moody_transport import ScriptedMailer, send_all_due
from tests.support.table import ANN, BEN, EVE, FAY, Table


def end_game(table: Table) -> None:
    """Play a game that Black resigns."""
    table.begin()
    table.play("e2e4", "d7d5", "e4d5")
    table.reply(BEN, "resign resign")


def begin_without_clock(table: Table) -> None:
    table.challenge(clock="none")
    for player in (ANN, BEN):
        table.reply(player, "accept")


def game_texts(table: Table) -> list[str]:
    """The stored texts of emails about games: what players wrote, and what a reply to ours may quote."""
    with table.server.store.reading() as connection:
        ours = connection.execute(select(QuotableRow.text)).scalars()
        theirs = connection.execute(select(IncomingTextRow.raw).order_by(IncomingTextRow.letter_id)).scalars()
        return [*ours, *(raw.decode() for raw in theirs if raw)]


def count_words(table: Table) -> int:
    """How many emails we still have the words of."""
    with table.server.store.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(EmailWordsRow)).scalar_one())


def site_texts(table: Table) -> list[str]:
    """The same for emails about no game."""
    with table.server.store.reading() as connection:
        ours = connection.execute(select(SiteQuotableRow.text))
        theirs = connection.execute(select(SiteInboxRow.raw)).scalars()
        return [*ours.scalars(), *(raw.decode() for raw in theirs if raw)]


def advance(table: Table, **span: float) -> None:
    table.clock.advance(**span)
    table.sweep()


def test_texts_are_kept_for_a_month_after_the_games_end(table: Table) -> None:
    end_game(table)
    kept = game_texts(table)
    assert len(kept) > 12

    advance(table, days=29)
    assert game_texts(table) == kept

    advance(table, days=1, seconds=1)
    assert game_texts(table) == []


def test_an_emails_words_are_deleted_with_its_text(table: Table) -> None:
    end_game(table)
    advance(table, days=30, seconds=1)
    assert count_words(table) == 0

    table.reply(BEN, "resign resign")
    assert "is over" in table.last_text(BEN)
    assert count_words(table) == 1


def test_texts_of_a_running_game_are_kept(table: Table) -> None:
    begin_without_clock(table)
    advance(table, days=80)
    kept = game_texts(table)
    table.reply(ANN, "e2e4")

    advance(table, days=80)

    assert set(kept) < set(game_texts(table))


def test_everything_else_of_a_cleaned_up_game_stays(table: Table) -> None:
    end_game(table)
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
    table.clock.advance(days=31)
    assert worker_rounds.sweep(table.server, table.clock()) > 0

    assert seen() == before


def test_a_repeated_email_to_a_cleaned_up_game_is_recognised(table: Table) -> None:
    table.begin()
    old = table.reply_email(ANN, "show")
    table.deliver(old)
    table.run_workers()
    table.reply(ANN, "resign resign")
    advance(table, days=31)
    before = len(table.all_emails())

    table.deliver(old)
    table.run_workers()

    assert len(table.all_emails()) == before
    assert game_texts(table) == []


def test_an_email_to_a_cleaned_up_game_is_answered_and_deleted_a_month_later(table: Table) -> None:
    end_game(table)
    advance(table, days=31)

    table.reply(ANN, "show")
    assert "Here is your board." in table.last_text(ANN)
    advance(table, days=20)
    table.reply(ANN, "show")
    assert len(game_texts(table)) == 4

    advance(table, days=11)
    assert game_texts(table) == []


def test_an_automatic_email_to_a_cleaned_up_game_is_deleted_too(table: Table) -> None:
    end_game(table)
    advance(table, days=31)

    table.reply(ANN, "I am away", headers="Auto-Submitted: auto-replied")
    assert len(game_texts(table)) == 1
    advance(table, days=31)

    assert game_texts(table) == []


def test_an_unread_email_is_kept_whatever_its_age(table: Table) -> None:
    end_game(table)
    unread = table.reply_email(ANN, "show")
    table.deliver(unread)

    table.clock.advance(days=31)
    assert retention.delete_expired(table.server, table.clock()) == 1
    assert game_texts(table) == [unread.decode()]

    table.run_workers()
    assert "Here is your board." in table.last_text(ANN)
    advance(table, days=31)
    assert game_texts(table) == []


def test_an_unsent_email_is_kept_until_it_was_sent(table: Table) -> None:
    end_game(table)
    table.clock.advance(days=29)
    table.deliver(table.reply_email(ANN, "show"))
    table.read_emails()
    table.clock.advance(days=2)

    assert retention.delete_expired(table.server, table.clock()) == 1
    table.send_emails()
    assert len(game_texts(table)) == 1

    advance(table, days=1)
    assert game_texts(table) == []


def test_a_dead_letter_of_a_cleaned_up_game_is_resent_with_the_same_bytes(table: Table) -> None:
    end_game(table)
    table.deliver(table.reply_email(ANN, "show"))
    table.read_emails()
    post = ScriptedMailer([DeliveryFate.NEVER])
    send_all_due(table, post)
    advance(table, days=31)

    assert worker_rounds.revive(table.server, table.clock()) == 1
    send_all_due(table, post)

    assert post.envelopes[1] == post.envelopes[0]


def test_a_bounce_is_kept_for_three_months_while_the_game_runs(table: Table) -> None:
    begin_without_clock(table)
    bounce = b"Message-ID: <b@mx.example>\r\n\r\nno such box"
    table.deliver(bounce, table.last_email(ANN)["X-Envelope-From"])
    table.run_workers()

    advance(table, days=89)
    assert bounce.decode() in game_texts(table)

    advance(table, days=2)
    assert bounce.decode() not in game_texts(table)
    assert len(game_texts(table)) > 5


def test_many_bounces_are_deleted_in_batches(table: Table) -> None:
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
    table.clock.advance(days=91)
    table.sweep()  # ends the game on time first

    cleared = [worker_rounds.sweep(table.server, table.clock()) for _ in range(3)]

    assert cleared == [200, 50, 0]


def test_emails_to_the_site_are_kept_for_a_month_and_bounces_for_three(table: Table) -> None:
    table.write_to_site(EVE, "help")
    table.write_to_site(FAY, "seeks")
    store_email(
        table.server,
        Arrival(
            b"Message-ID: <b@mx>\r\n\r\nno",
            (table.last_email(EVE)["X-Envelope-From"],),
            table.clock(),
            from_nobody=True,
        ),
    )
    table.run_workers()
    assert len(site_texts(table)) == 5

    advance(table, days=29)
    assert len(site_texts(table)) == 5
    advance(table, days=2)
    assert len(site_texts(table)) == 1
    advance(table, days=60)
    assert site_texts(table) == []


def test_deleted_texts_are_not_in_the_exported_data(table: Table) -> None:
    end_game(table)
    name = players.list_players(table.server)[0].name
    assert len(export(table.server, name)["letters"]) == 3

    advance(table, days=31)

    assert export(table.server, name)["letters"] == []


def test_texts_of_a_deleted_player_are_deleted_too(table: Table) -> None:
    end_game(table)
    delete_player(table.server, players.list_players(table.server)[0].name, table.clock())

    advance(table, days=31)

    assert game_texts(table) == []


@pytest.mark.databases("sqlite")
def test_expired_texts_are_found_by_partial_indexes(table: Table) -> None:
    due = (retention._GAMES_DUE, *(rule.due for rule in retention._EXPIRY_RULES))
    dialect = table.server.store.engine.dialect
    with table.server.store.reading() as connection:
        plans = [
            " ".join(
                row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", (0, 1, 0))
            )
            for query in (str(each.compile(dialect=dialect)) for each in due)
        ]

    assert ["TEMP B-TREE" not in plan for plan in plans] == [True] * len(due), plans
    assert ["_kept" in plan or "SEARCH site_quotables" in plan for plan in plans] == [True] * len(due), plans
