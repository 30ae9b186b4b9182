"""Delayed standing orders: pauses, changed deadlines, cancellation, and what the opponent can see."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import select, update

from corr.service.admin import metrics
from corr.service.games.moderation import DecreeKind
from corr.service.mail import email_contents
from corr.store.tables import GameRow, InboxRow, SeatRow
from tests.server.service.test_moderation import decree
from tests.support.broken_relay import use_broken_relay
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table, html_of
from tests.support.twin_servers import make_twins


def due_at(table: Table) -> datetime | None:
    """When the delayed orders will be tried."""
    with table.server.store.reading() as connection:
        waits = select(SeatRow.standing_due).where(SeatRow.standing_due.is_not(None))
        return connection.execute(waits).scalar_one_or_none()


def deadline(table: Table) -> datetime:
    with table.server.store.reading() as connection:
        found = connection.execute(select(GameRow.deadline)).scalar_one()
        assert found
        return found


def begin_with_delay(table: Table, delay: str = "2-8h") -> None:
    """A game in which White's standing orders wait for their delay."""
    table.begin()
    table.reply(ANN, f"e2e4\nif no capture: d2d4\ndelay {delay}")
    table.reply(BEN, "e7e5")


# ---------------------------------------------------------------- the time of the game


def test_a_pause_stops_the_delay(table: Table) -> None:
    begin_with_delay(table)
    before = due_at(table)
    table.clock.advance(hours=1)
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=5)
    assert table.sweep() == 0
    decree(table, DecreeKind.RESUME)
    after = due_at(table)

    assert before
    assert after
    assert (after - before).days == 5
    assert table.sweep() == 0
    table.clock.advance(hours=8)
    assert table.sweep() == 1
    assert "Your move has been made" in table.last_text(ANN)


def test_a_delay_set_during_a_pause_ends_before_the_deadline(table: Table) -> None:
    begin_with_delay(table)
    table.clock.advance(days=2)
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=9)
    table.reply(ANN, "delay 900h")
    table.clock.advance(days=9)
    decree(table, DecreeKind.RESUME)

    due = due_at(table)
    assert due
    assert table.clock() <= due < deadline(table)


def test_orders_are_tried_before_a_deadline_that_moved_closer(table: Table) -> None:
    """The clock waits for a late email about the turn until the player opens the page."""
    table.begin()
    use_broken_relay(table).refused = {ANN}
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2h")
    table.reply(BEN, "e7e5")
    table.sweep()
    table.run_workers()
    table.reply(ANN, "delay 240h")
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).values(opened=SeatRow.telling, opened_at=table.clock()))
    table.clock.advance(hours=1)
    table.sweep()

    due = due_at(table)
    assert due
    assert due < deadline(table)


@pytest.mark.parametrize("end", ["white", "draw", "void"])
def test_a_game_ended_by_an_operator_tries_no_more_orders(table: Table, end: str) -> None:
    begin_with_delay(table)
    decree(table, DecreeKind.ADJUDICATE, end)
    table.clock.advance(hours=9)

    assert due_at(table) is None
    assert table.sweep() == 0


def test_extra_time_does_not_lengthen_the_delay(table: Table) -> None:
    begin_with_delay(table)
    before = due_at(table)
    decree(table, DecreeKind.EXTEND, "3")

    assert due_at(table) == before


# ---------------------------------------------------------------- what the opponent sees


def test_the_opponent_cannot_tell_how_delayed_orders_went(table: Table, tmp_path: Path) -> None:
    """The email about the turn was undeliverable; the one that says that no order was a move goes out."""
    table.begin()
    table.play("e2e4")
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    game = f"/games/{str(table.emails_to(BEN)[0]['Subject'])[-6:-1]}"
    twins = make_twins(table, tmp_path / "twins", ben)
    for twin, delay in ((twins.one, "2h"), (twins.other, "40h")):
        about = [each for each in twin.table.emails_to(ANN) if "Sign in" not in str(each["Subject"])]
        twin.table.reply(ANN, f"if no capture: e1e3, a1a8\ndelay {delay}", to=about[-1])
        relay = use_broken_relay(twin.table)
        twin.app = twin.table.app_with_workers()
        relay.refused = {ANN}
        about = [each for each in twin.table.emails_to(BEN) if "Signing" not in str(each["Subject"])]
        twin.table.reply(BEN, "e7e5", to=about[-1], message_id="black@mail.example")
        twin.table.sweep()
        relay.refused = set()

    for hour in range(30):
        for twin in (twins.one, twins.other):
            twin.table.clock.advance(hours=1)
            twin.table.sweep()
            twin.table.run_workers()
        for path in (game, "/games/"):
            one, other = twins.answers(path)
            assert one == other, (hour, path)
        seen = [metrics.measure(twin.table.server, twin.table.clock()) for twin in (twins.one, twins.other)]
        assert seen[0] == seen[1], hour
    assert twins.one.emails_to(BEN) == twins.other.emails_to(BEN)
    assert "I tried your orders for this turn" in twins.one.table.last_text(ANN)
    assert deadline(twins.one.table) != deadline(twins.other.table)
    twins.close()


# ---------------------------------------------------------------- what their owner writes during the delay

STILL_WAITING = "Your orders for this turn will be tried later"
REPLACED = "This replaces your earlier orders for this turn."


@pytest.mark.parametrize(
    "text", ["N@f3", "any?", "e4e5q, N@f5", "Nf3", "e4e5\nd2d3", "help", "note a note", "Thank you!"]
)
def test_an_email_without_a_tried_move_leaves_the_orders_waiting(table: Table, text: str) -> None:
    begin_with_delay(table)
    table.reply(ANN, text)

    assert STILL_WAITING in table.last_text(ANN)
    assert REPLACED not in table.last_text(ANN)
    table.clock.advance(hours=9)
    assert table.sweep() == 1
    assert "Your move has been made" in table.last_text(ANN)


@pytest.mark.parametrize("text", ["e1e3", "e4e5, a1a8"])
def test_a_refused_try_replaces_the_orders(table: Table, text: str) -> None:
    begin_with_delay(table)
    table.reply(ANN, text)

    assert REPLACED in table.last_text(ANN)
    assert STILL_WAITING not in table.last_text(ANN)
    table.clock.advance(hours=9)
    assert table.sweep() == 0


def test_a_move_replaces_the_orders_without_mentioning_it(table: Table) -> None:
    begin_with_delay(table)
    table.reply(ANN, "g1f3")

    assert "Your move has been made" in table.last_text(ANN)
    assert REPLACED not in table.last_text(ANN)
    assert due_at(table) is None


def test_an_unreadable_email_deletes_the_orders_and_says_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The email may have cancelled them; it delays nothing once it is set aside."""
    begin_with_delay(table)
    table.clock.advance(hours=9)
    with monkeypatch.context() as broken:
        broken.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
        table.deliver(table.reply_email(ANN, "cancel"))
        for _ in range(5):
            assert table.sweep() == 0
            table.clock.advance(minutes=10)

    assert "it's our fault. I did nothing" in table.last_text(ANN)
    deleted = "I deleted the orders you gave in advance, in case you meant to take them back:"
    assert f"{deleted}\n| if no capture: d2d4" in table.last_text(ANN)
    assert due_at(table) is None
    assert table.sweep() == 0


def test_an_email_on_which_workers_keep_dying_does_not_delay_the_orders(table: Table) -> None:
    begin_with_delay(table)
    table.deliver(table.reply_email(ANN, "cancel"))
    with table.server.store.writing() as connection:
        unread_rows = update(InboxRow).where(InboxRow.read_at.is_(None))
        connection.execute(unread_rows.values(tries=99))
    table.clock.advance(hours=9)

    assert table.sweep() == 1
    assert "Your move has been made" in table.last_text(ANN)


# ---------------------------------------------------------------- orders saved by an older release


def make_orders_unreadable(table: Table) -> None:
    with table.server.store.writing() as connection:
        orders = update(SeatRow).where(SeatRow.standing.is_not(None))
        assert connection.execute(orders.values(standing="when captured, retake")).rowcount == 1


UNREADABLE = (
    "because an older version of corr saved these orders and I can't read them:\n| when captured, retake"
)


def test_unreadable_orders_end_when_the_turn_comes_and_their_owner_hears_of_it(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    make_orders_unreadable(table)
    table.reply(BEN, "e7e5")

    assert UNREADABLE in table.last_text(ANN)
    table.reply(ANN, "d2d4")
    assert "Your move has been made" in table.last_text(ANN)


def test_unreadable_delayed_orders_end_when_they_are_due(table: Table) -> None:
    begin_with_delay(table)
    make_orders_unreadable(table)
    table.reply(ANN, "show")
    table.clock.advance(hours=9)

    assert table.sweep() == 1
    assert UNREADABLE in table.last_text(ANN)
    assert due_at(table) is None
    assert table.sweep() == 0


@pytest.mark.parametrize("text", ["cancel", "if check: e1e2"])
def test_unreadable_orders_can_be_cancelled_and_replaced(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    make_orders_unreadable(table)
    table.reply(ANN, text)
    table.reply(BEN, "e7e5")

    assert "when captured" not in table.last_text(ANN)


def test_unreadable_orders_are_not_reported_before_they_are_tried(table: Table) -> None:
    """The time of such an email would reveal that the opponent has tried something."""
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    make_orders_unreadable(table)
    emails = len(table.emails_to(ANN))
    table.reply(BEN, "show")
    table.reply(BEN, "e7e4")

    assert len(table.emails_to(ANN)) == emails


# ---------------------------------------------------------------- emails that crossed the opponent's move


@pytest.mark.parametrize("text", ["d2d4", "d2d4, g1f3", "d2d4.", "o-o"])
def test_a_move_that_crossed_the_opponents_is_offered_for_sending_again(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    waits = table.last_email(ANN)
    table.reply(BEN, "e7e5")
    table.deliver(table.reply_email(ANN, text, to=waits))
    table.run_workers()

    said = table.last_text(ANN)
    assert "ben moved before this arrived, so I did nothing" in said
    assert "If you still want this, send it again in reply to this email" in said
    assert quote(text.removesuffix(".")) in html_of(table.last_email(ANN))
    table.reply(ANN, text)
    assert "The umpire says: Black's move" in table.last_text(ANN) or "Illegal move" in table.last_text(ANN)


def test_conditional_orders_that_crossed_the_move_are_not_saved(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    waits = table.last_email(ANN)
    table.reply(BEN, "e7e5")
    table.deliver(table.reply_email(ANN, "if capture: d2d4; else g1f3", to=waits))
    table.run_workers()

    assert "moved before this arrived, so I did nothing" in table.last_text(ANN)
    assert "reply to this email with the move you want" in table.last_text(ANN)


def test_a_reply_to_an_email_of_an_earlier_turn_is_outdated(table: Table) -> None:
    table.begin()
    first = table.last_email(ANN)
    table.play("e2e4", "e7e5")
    table.deliver(table.reply_email(ANN, "d2d4", to=first))
    table.run_workers()

    assert "You answered an older email: a move has been made since" in table.last_text(ANN)
