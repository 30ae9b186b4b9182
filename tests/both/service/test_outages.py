"""Outages and clock changes: nobody loses time, and both players hear why."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import InstrumentedAttribute

from corr.service import worker_rounds
from corr.service.admin import maintenance, statistics
from corr.service.games import outages
from corr.store.tables import GameRow, OutageRow, OutboxRow
from tests.support.table import ANN, BEN, Table

#: Every game begins on Friday, 20 November 2026, at noon, and White has until Monday at noon.


def sweep_and_work(table: Table) -> None:
    """Sweep as the server does every 15 seconds, and send the emails."""
    table.sweep()
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.run_workers()


def pause_sweeps(table: Table, **span: float) -> None:
    """Let time pass without a sweep, or set the clock by so much."""
    sweep_and_work(table)
    table.clock.advance(**span)
    sweep_and_work(table)


def work_for_an_hour(table: Table) -> None:
    for _ in range(15):
        table.clock.advance(minutes=4)
        sweep_and_work(table)


def rows(table: Table, column: InstrumentedAttribute[Any]) -> list[Any]:
    with table.server.store.reading() as connection:
        return list(connection.execute(select(column)).scalars())


def test_an_outage_moves_the_deadline_and_both_players_are_told(table: Table) -> None:
    table.begin()
    pause_sweeps(table, hours=10)
    table.reply(ANN, "show")
    table.reply(BEN, "show")

    outage = "Our server was down from Fri 20 Nov 2026, 12:00 UTC to Fri 20 Nov 2026, 22:00 UTC, and no clocks ran."
    assert f"Your turn: reply by Mon 23 Nov 2026, 22:00 UTC. {outage}" in table.last_text(ANN)
    assert f"White has until Mon 23 Nov 2026, 22:00 UTC to move. {outage}" in table.last_text(BEN)
    table.play("e2e4")
    assert "server was down" not in table.last_text(BEN)


@pytest.mark.parametrize(
    "hours", [(1,), (24,), (-1,), (-24,), (24, -24), (-24, 24), (1, 1, 1), (24 * 30,)], ids=str
)
def test_nobody_loses_time_if_the_clock_jumps(table: Table, hours: tuple[int, ...]) -> None:
    table.begin_with_moves()
    table.clock.advance(days=2, hours=23)
    sweep_and_work(table)
    for jump in hours:
        pause_sweeps(table, hours=jump)
    assert rows(table, GameRow.state) == ["running"]
    table.reply(ANN, "show")
    assert "Your turn: reply by" in table.last_text(ANN)


def test_setting_the_clock_back_moves_no_deadline_and_is_not_mentioned(table: Table) -> None:
    table.begin()
    pause_sweeps(table, hours=-10)
    table.reply(ANN, "show")
    assert len(rows(table, OutageRow.id)) == 1
    assert "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC." in table.last_text(ANN)
    assert "stood still" not in table.last_text(ANN)


def test_a_flag_falls_an_hour_after_the_server_is_back(table: Table) -> None:
    table.begin_with_moves()
    table.clock.advance(days=2, hours=23, minutes=58)
    pause_sweeps(table, minutes=6)
    table.clock.advance(minutes=4)
    sweep_and_work(table)
    assert rows(table, GameRow.state) == ["running"]
    work_for_an_hour(table)
    assert rows(table, GameRow.state) == ["over"]
    assert "White is out of time. Black wins." in table.last_text(BEN)


def test_flags_fall_at_once_if_an_operator_trusts_the_clock(table: Table) -> None:
    table.begin_with_moves()
    table.clock.advance(days=2, hours=23, minutes=58)
    pause_sweeps(table, minutes=6)
    table.clock.advance(minutes=4, seconds=30)
    outages.trust_clock(table.server)
    with table.server.store.reading() as connection:
        (outage,) = outages.list_outages(connection, 2)
    assert outage.flags_from == outage.ended_at
    sweep_and_work(table)
    assert rows(table, GameRow.state) == ["over"]


def test_a_game_can_be_claimed_no_sooner_than_a_flag_would_fall(table: Table) -> None:
    table.challenge(clock="3d claim")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.play("e2e4", "e7e5", "d2d4", "d7d5")
    table.clock.advance(days=2, hours=23, minutes=58)
    pause_sweeps(table, minutes=6)
    table.clock.advance(minutes=5)
    table.reply(BEN, "claim")
    assert "There is nothing to claim" in table.last_text(BEN)
    outages.trust_clock(table.server)
    table.reply(BEN, "claim")
    assert "White is out of time. Black wins." in table.last_text(BEN)


def test_a_move_read_after_an_outage_and_before_any_sweep_is_in_time(
    table: Table,
) -> None:
    table.begin()
    sweep_and_work(table)
    table.clock.advance(days=4)
    table.reply(ANN, "e2e4")
    assert "Your move has been made." in table.last_text(ANN)
    assert len(rows(table, OutageRow.id)) == 1


def test_adjoining_outages_are_stored_apart_and_told_as_one(table: Table) -> None:
    table.begin()
    sweep_and_work(table)
    for _ in range(3):
        table.clock.advance(minutes=20)
        table.reply(ANN, "show")
    assert len(rows(table, OutageRow.id)) == 3
    assert (
        "was down from Fri 20 Nov 2026, 12:00 UTC to Fri 20 Nov 2026, 13:00 UTC, and no clocks ran."
        in table.last_text(ANN)
    )


def test_five_minutes_are_no_outage(table: Table) -> None:
    table.begin()
    pause_sweeps(table, minutes=5)
    table.reply(ANN, "show")
    assert rows(table, OutageRow.id) == []
    assert "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC." in table.last_text(ANN)
    assert "stood still" not in table.last_text(ANN)


def test_an_outage_gives_no_time_to_a_later_game(table: Table) -> None:
    sweep_and_work(table)
    pause_sweeps(table, hours=10)
    table.begin()
    sweep_and_work(table)
    table.reply(ANN, "show")
    assert "Your turn: reply by Mon 23 Nov 2026, 22:00 UTC." in table.last_text(ANN)
    assert "stood still" not in table.last_text(ANN)


def test_an_outage_adds_nothing_to_a_pause(table: Table) -> None:
    table.begin()
    sweep_and_work(table)
    table.reply(ANN, "pause?")
    table.reply(BEN, "pause?")
    pause_sweeps(table, days=2)
    table.reply(BEN, "resume")
    table.reply(ANN, "show")
    assert "Your turn: reply by Wed 25 Nov 2026, 12:00 UTC." in table.last_text(ANN)


def test_a_move_unread_during_an_outage_costs_only_the_thinking_time(table: Table) -> None:
    table.challenge(clock="10d+1d/15d")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.clock.advance(days=2)
    sweep_and_work(table)
    table.clock.advance(hours=12)
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.clock.advance(hours=12)
    sweep_and_work(table)
    assert "Time banks: White 9 d 0 h" in table.last_text(BEN)


def test_an_outage_moves_reminders_with_the_deadline(table: Table) -> None:
    table.begin()
    table.clock.advance(days=1)
    pause_sweeps(table, hours=20)
    assert "This is a reminder" not in table.last_text(ANN)
    assert reminder_times(table) == ["Sun 20:00"]


def reminder_times(table: Table) -> list[str]:
    """When White is reminded in the next 15 hours; half an hour between sweeps is no outage here."""
    table.server = replace(table.server, outage=timedelta(hours=1))
    letters, moments = len(table.emails_to(ANN)), list[str]()
    for _ in range(15 * 2):
        table.clock.advance(minutes=30)
        sweep_and_work(table)
        moments += [f"{table.clock():%a %H:%M}"] * (len(table.emails_to(ANN)) - letters)
        letters = len(table.emails_to(ANN))
    return moments


def test_a_moved_reminder_does_not_come_early_when_quiet_hours_end(table: Table) -> None:
    table.begin()
    table.reply(ANN, "remind 14h\nquiet 0-9")
    table.clock.advance(days=2, hours=9)
    pause_sweeps(table, hours=11, minutes=30)

    assert reminder_times(table) == ["Mon 09:30"]


def test_an_email_does_not_bring_a_reminder_in_quiet_hours(table: Table) -> None:
    table.begin()
    table.reply(ANN, "remind 12h\nquiet 20-8")
    table.clock.advance(days=2, hours=7)
    pause_sweeps(table, hours=2)
    table.reply(BEN, "show")

    assert reminder_times(table) == ["Mon 08:00"]


def test_a_player_not_told_before_an_outage_gets_the_whole_turn(table: Table) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    for hours in (2, 94):
        table.clock.advance(hours=hours)
        worker_rounds.sweep(table.server, table.clock())
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.clock.advance(days=1)
    sweep_and_work(table)

    table.reply(BEN, "show")
    assert "Your turn: reply by Sat 28 Nov 2026, 12:00 UTC." in table.last_text(BEN)


def test_a_game_whose_deadline_cannot_be_moved_delays_no_other(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.begin()
    with table.server.store.writing() as connection:
        connection.execute(update(GameRow).values(clock="sundial"))
    table.begin_by_email()
    pause_sweeps(table, hours=10)
    assert "could not apply new hours to a game; will try again" in caplog.messages
    table.reply(ANN, "show")
    assert "Your turn: reply by Mon 23 Nov 2026, 22:00 UTC." in table.last_text(ANN)


def test_a_preview_of_a_sweep_changes_nothing(table: Table) -> None:
    table.begin_with_moves()
    (code,), letters = rows(table, GameRow.code), rows(table, OutboxRow.id)
    at = table.clock()
    table.clock.advance(days=2)
    assert maintenance.preview_sweep(table.server, table.clock()) == [(code, "reminded", None)]
    table.clock.advance(days=2)
    assert maintenance.preview_sweep(table.server, table.clock()) == [(code, "flagged", "time")]
    assert maintenance.preview_sweep(table.server, at) == []
    assert rows(table, OutboxRow.id) == letters
    assert rows(table, GameRow.state) == ["running"]
