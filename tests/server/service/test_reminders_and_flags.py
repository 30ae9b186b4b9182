"""Reminders, deadlines and flags."""

from __future__ import annotations

from datetime import datetime

import pytest
from sqlalchemy import event, select

from corr.service.games import due_actions
from corr.service.mail import email_contents
from corr.store import truths
from corr.store.tables import GameRow
from tests.support.table import ANN, BEN, Table


def test_reminders_come_at_half_and_at_four_fifths_of_the_time(table: Table) -> None:
    table.begin()
    before = len(table.emails_to(ANN))
    for reminders, hours in enumerate((35, 20.5)):
        table.clock.advance(hours=hours)
        assert table.sweep() == 0
        table.clock.advance(hours=1.5)
        assert table.sweep() == 1
        assert table.sweep() == 0
        assert "This is a reminder" in table.last_text(ANN)
        assert len(table.emails_to(ANN)) == before + reminders + 1

    assert len(table.emails_to(BEN)) == 2


def test_a_reminder_that_moves_with_a_late_email_comes_once(table: Table) -> None:
    """The first reminder would be before the turn; the second moves by the five minutes of delay."""
    table.begin()
    table.reply(BEN, "remind 3d 1d")
    table.sweep()
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    table.clock.advance(minutes=5)
    table.send_emails()
    before = len(table.emails_to(BEN))

    table.clock.advance(days=1, hours=23, minutes=56)
    table.sweep()
    assert len(table.emails_to(BEN)) == before
    for _ in range(2):
        table.clock.advance(minutes=5)
        table.sweep()
        assert len(table.emails_to(BEN)) == before + 1
    assert "This is a reminder" in table.last_text(BEN)


@pytest.mark.parametrize("moves", [(), ("e2e4",), ("e2e4", "e7e5"), ("e2e4", "e7e5", "d2d4")])
def test_running_out_of_time_before_a_second_move_is_no_loss(table: Table, moves: tuple[str, ...]) -> None:
    table.begin()
    table.play(*moves)
    table.clock.advance(days=4)

    assert table.sweep() == 1

    mover = "Black" if len(moves) % 2 else "White"
    for player in (ANN, BEN):
        assert f"{mover} has not moved in time. The game has no result." in table.last_text(player)


def test_a_sweep_without_anything_due_takes_one_query(table: Table) -> None:
    table.begin()
    table.run_workers()
    statements: list[str] = []
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))

    assert due_actions.sweep(table.server, table.clock()) == 0

    assert len(statements) == 1


def test_a_move_cancels_the_reminder_of_its_turn(table: Table) -> None:
    table.begin()
    table.clock.advance(days=1)
    table.play("e2e4")
    table.clock.advance(days=1, hours=11)

    assert table.sweep() == 0


def test_running_out_of_time_loses_and_both_are_emailed(table: Table) -> None:
    table.begin_with_moves()
    table.clock.advance(days=3, minutes=3)

    assert table.sweep() == 1

    for player in (ANN, BEN):
        assert "White is out of time. Black wins." in table.last_text(player)
        assert "Here is the whole board" in table.last_text(player)
    assert table.sweep() == 0


def test_no_flag_falls_while_an_email_from_before_the_deadline_waits(table: Table) -> None:
    table.begin()
    table.clock.advance(days=2, hours=23, minutes=59)
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.clock.advance(days=1)

    assert table.sweep() == 0
    table.run_workers()

    assert "Your move has been made." in table.last_text(ANN)
    assert "Your turn: reply by Tue 24 Nov 2026, 11:59 UTC." not in table.last_text(BEN)


def test_an_email_after_the_deadline_is_too_late_even_before_the_sweep(table: Table) -> None:
    table.begin_with_moves()
    table.clock.advance(days=3, seconds=1)

    table.reply(ANN, "e2e4")

    assert "after your time for this move had run out, so I did nothing" in table.last_text(ANN)
    table.clock.advance(minutes=3)
    table.sweep()
    assert "White is out of time. Black wins." in table.last_text(BEN)


def test_no_clock_runs_before_the_game_starts(table: Table) -> None:
    table.challenge()
    table.clock.advance(days=30)

    assert table.sweep() == 0


@pytest.mark.parametrize("order", ["accept", "resign resign"])
def test_the_opponents_email_in_time_is_read_before_the_flag_falls(table: Table, order: str) -> None:
    table.begin()
    table.reply(ANN, "draw?")
    table.clock.advance(days=2, hours=23)
    table.deliver(table.reply_email(BEN, order))
    table.clock.advance(days=1)

    assert table.sweep() == 0
    table.run_workers()

    assert "out of time" not in table.last_text(ANN)
    assert {"accept": "Draw: agreement.", "resign resign": "Black resigns."}[order] in table.last_text(ANN)


def test_one_game_that_cannot_be_judged_does_not_hold_up_the_others(table: Table) -> None:
    table.begin()
    with table.server.store.writing() as connection:
        truths.update_truth(connection, 1, b"not a truth")
    table.begin()
    table.clock.advance(days=4)

    assert table.sweep() == 1
    assert "White has not moved in time." in table.last_text(ANN)


def leave_email_unreadable(table: Table, monkeypatch: pytest.MonkeyPatch, player: str) -> None:
    """Post an email of a player that our reader fails on at its first attempt."""
    table.deliver(table.reply_email(player, "show"))
    with monkeypatch.context() as broken:
        broken.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
        table.read_emails()


def test_an_unreadable_email_of_the_opponent_delays_no_reminder(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    table.clock.advance(days=2, hours=10)
    leave_email_unreadable(table, monkeypatch, BEN)

    assert table.sweep() == 1

    assert "This is a reminder" in table.last_text(ANN)
    assert table.last_email(ANN)["Date"] == "Sun, 22 Nov 2026 22:00:00 +0000"


def test_an_unreadable_email_of_the_opponent_delays_no_flag(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin_with_moves()
    table.clock.advance(days=2, hours=23, minutes=59, seconds=59)
    leave_email_unreadable(table, monkeypatch, BEN)
    monkeypatch.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
    table.clock.advance(minutes=2, seconds=5)

    assert table.sweep() == 1

    assert "White is out of time. Black wins." in table.last_text(BEN)


def test_during_deployment_an_unreadable_email_delays_no_reminder(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin("assassin")
    table.clock.advance(days=2, hours=10)
    leave_email_unreadable(table, monkeypatch, BEN)

    assert table.sweep() == 1

    for player in (ANN, BEN):
        assert "This is a reminder: deploy before your time runs out" in table.last_text(player)


def deadline(table: Table) -> datetime | None:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.deadline)).scalar_one()


def test_unreadable_emails_give_time_back_once_a_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time, the opponent sees a new deadline without knowing why."""
    table.begin()
    deadlines = [deadline(table)]
    for _ in range(3):
        with monkeypatch.context() as broken:
            broken.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
            table.deliver(table.reply_email(ANN, "e2e4"))
            for _ in range(5):
                table.run_workers()
                table.clock.advance(minutes=10)
        assert "it's our fault. I did nothing" in table.last_text(ANN)
        deadlines.append(deadline(table))

    assert len(set(deadlines)) == 2
    assert deadlines[0] != deadlines[1]
