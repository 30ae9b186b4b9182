"""The house stands still, or its clock is set: nobody loses time by it, and both are told."""

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


def swept(table: Table) -> None:
    """The house sweeps, as it does every quarter of a minute."""
    table.sweep()
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.work()


def stand_still(table: Table, **span: float) -> None:
    """For so long nobody sweeps, or the clock is set by so much."""
    swept(table)
    table.clock.pass_by(**span)
    swept(table)


def work_for_an_hour(table: Table) -> None:
    for _ in range(15):
        table.clock.pass_by(minutes=4)
        swept(table)


def rows(table: Table, asked: InstrumentedAttribute[Any]) -> list[Any]:
    with table.server.store.reading() as connection:
        return list(connection.execute(select(asked)).scalars())


def test_a_deadline_is_put_off_by_an_outage_and_both_are_told(table: Table) -> None:
    table.begin()
    stand_still(table, hours=10)
    table.reply(ANN, "show")
    table.reply(BEN, "show")

    stood = "Our server was down from Fri 20 Nov 2026, 12:00 UTC to Fri 20 Nov 2026, 22:00 UTC, and no clocks ran."
    assert f"Your turn: reply by Mon 23 Nov 2026, 22:00 UTC. {stood}" in table.says(ANN)
    assert f"White has until Mon 23 Nov 2026, 22:00 UTC to move. {stood}" in table.says(BEN)
    table.play("e2e4")
    assert "server was down" not in table.says(BEN)


@pytest.mark.parametrize(
    "hours", [(1,), (24,), (-1,), (-24,), (24, -24), (-24, 24), (1, 1, 1), (24 * 30,)], ids=str
)
def test_nobody_loses_by_a_clock_that_jumps(table: Table, hours: tuple[int, ...]) -> None:
    table.begin_in_earnest()
    table.clock.pass_by(days=2, hours=23)
    swept(table)
    for jump in hours:
        stand_still(table, hours=jump)
    assert rows(table, GameRow.state) == ["running"]
    table.reply(ANN, "show")
    assert "Your turn: reply by" in table.says(ANN)


def test_a_clock_that_was_set_back_stood_still_for_no_time_and_nothing_is_said_of_it(table: Table) -> None:
    table.begin()
    stand_still(table, hours=-10)
    table.reply(ANN, "show")
    assert len(rows(table, OutageRow.id)) == 1
    assert "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC." in table.says(ANN)
    assert "stood still" not in table.says(ANN)


def test_a_flag_falls_an_hour_after_the_house_works_again(table: Table) -> None:
    table.begin_in_earnest()
    table.clock.pass_by(days=2, hours=23, minutes=58)
    stand_still(table, minutes=6)
    table.clock.pass_by(minutes=4)
    swept(table)
    assert rows(table, GameRow.state) == ["running"]
    work_for_an_hour(table)
    assert rows(table, GameRow.state) == ["over"]
    assert "White is out of time. Black wins." in table.says(BEN)


def test_an_operator_who_trusts_the_clock_lets_flags_fall_at_once(table: Table) -> None:
    table.begin_in_earnest()
    table.clock.pass_by(days=2, hours=23, minutes=58)
    stand_still(table, minutes=6)
    table.clock.pass_by(minutes=4, seconds=30)
    outages.trust_clock(table.server)
    with table.server.store.reading() as connection:
        (kept,) = outages.list_outages(connection, 2)
    assert kept.flags_from == kept.ended_at
    swept(table)
    assert rows(table, GameRow.state) == ["over"]


def test_a_game_is_claimed_no_sooner_than_a_flag_would_fall(table: Table) -> None:
    table.challenge(clock="3d claim")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.play("e2e4", "e7e5", "d2d4", "d7d5")
    table.clock.pass_by(days=2, hours=23, minutes=58)
    stand_still(table, minutes=6)
    table.clock.pass_by(minutes=5)
    table.reply(BEN, "claim")
    assert "There is nothing to claim" in table.says(BEN)
    outages.trust_clock(table.server)
    table.reply(BEN, "claim")
    assert "White is out of time. Black wins." in table.says(BEN)


def test_a_move_that_is_read_after_an_outage_is_in_time_though_no_sweep_has_found_it_yet(
    table: Table,
) -> None:
    table.begin()
    swept(table)
    table.clock.pass_by(days=4)
    table.reply(ANN, "e2e4")
    assert "Your move has been made." in table.says(ANN)
    assert len(rows(table, OutageRow.id)) == 1


def test_an_outage_is_kept_once_and_those_that_adjoin_are_told_as_one(table: Table) -> None:
    table.begin()
    swept(table)
    for _ in range(3):
        table.clock.pass_by(minutes=20)
        table.reply(ANN, "show")
    assert len(rows(table, OutageRow.id)) == 3
    assert (
        "was down from Fri 20 Nov 2026, 12:00 UTC to Fri 20 Nov 2026, 13:00 UTC, and no clocks ran."
        in table.says(ANN)
    )


def test_who_has_not_stood_still_long_loses_nothing(table: Table) -> None:
    table.begin()
    stand_still(table, minutes=5)
    table.reply(ANN, "show")
    assert rows(table, OutageRow.id) == []
    assert "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC." in table.says(ANN)
    assert "stood still" not in table.says(ANN)


def test_a_game_that_begins_after_an_outage_has_the_time_of_any_other(table: Table) -> None:
    swept(table)
    stand_still(table, hours=10)
    table.begin()
    swept(table)
    table.reply(ANN, "show")
    assert "Your turn: reply by Mon 23 Nov 2026, 22:00 UTC." in table.says(ANN)
    assert "stood still" not in table.says(ANN)


def test_time_that_stood_still_anyway_is_not_put_off_twice(table: Table) -> None:
    table.begin()
    swept(table)
    table.reply(ANN, "pause?")
    table.reply(BEN, "pause?")
    stand_still(table, days=2)
    table.reply(BEN, "resume")
    table.reply(ANN, "show")
    assert "Your turn: reply by Wed 25 Nov 2026, 12:00 UTC." in table.says(ANN)


def test_what_lay_unread_during_an_outage_takes_from_the_bank_what_was_thought(table: Table) -> None:
    table.challenge(clock="10d+1d/15d")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.clock.pass_by(days=2)
    swept(table)
    table.clock.pass_by(hours=12)
    table.post(table.letter(ANN, "e2e4"))
    table.clock.pass_by(hours=12)
    swept(table)
    assert "Time banks: White 9 d 0 h" in table.says(BEN)


def test_reminders_go_by_the_time_that_was_put_off(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=1)
    stand_still(table, hours=20)
    assert "This is a reminder" not in table.says(ANN)
    assert reminders(table) == ["Sun 20:00"]


def reminders(table: Table) -> list[str]:
    """When White is reminded in the next fifteen hours, in which half an hour between two sweeps is no outage."""
    table.server = replace(table.server, outage=timedelta(hours=1))
    letters, moments = len(table.letters(ANN)), list[str]()
    for _ in range(15 * 2):
        table.clock.pass_by(minutes=30)
        swept(table)
        moments += [f"{table.clock():%a %H:%M}"] * (len(table.letters(ANN)) - letters)
        letters = len(table.letters(ANN))
    return moments


def test_a_reminder_that_was_put_off_does_not_come_before_its_time_as_quiet_hours_end(table: Table) -> None:
    table.begin()
    table.reply(ANN, "remind 14h\nquiet 0-9")
    table.clock.pass_by(days=2, hours=9)
    stand_still(table, hours=11, minutes=30)

    assert reminders(table) == ["Mon 09:30"]


def test_a_reminder_waits_for_the_end_of_quiet_hours_whatever_is_written_meanwhile(table: Table) -> None:
    table.begin()
    table.reply(ANN, "remind 12h\nquiet 20-8")
    table.clock.pass_by(days=2, hours=7)
    stand_still(table, hours=2)
    table.reply(BEN, "show")

    assert reminders(table) == ["Mon 08:00"]


def test_who_was_not_told_before_the_house_stood_still_has_the_time_of_any_turn(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "e2e4"))
    table.read()
    for hours in (2, 94):
        table.clock.pass_by(hours=hours)
        worker_rounds.sweep(table.server, table.clock())
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.clock.pass_by(days=1)
    swept(table)

    table.reply(BEN, "show")
    assert "Your turn: reply by Sat 28 Nov 2026, 12:00 UTC." in table.says(BEN)


def test_a_game_that_cannot_be_put_off_holds_up_no_other(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.begin()
    with table.server.store.writing() as connection:
        connection.execute(update(GameRow).values(clock="sundial"))
    table.begin_anew()
    stand_still(table, hours=10)
    assert "could not apply new hours to a game; will try again" in caplog.messages
    table.reply(ANN, "show")
    assert "Your turn: reply by Mon 23 Nov 2026, 22:00 UTC." in table.says(ANN)


def test_what_a_sweep_would_do_is_told_and_not_done(table: Table) -> None:
    table.begin_in_earnest()
    (code,), letters = rows(table, GameRow.code), rows(table, OutboxRow.id)
    at = table.clock()
    table.clock.pass_by(days=2)
    assert maintenance.preview_sweep(table.server, table.clock()) == [(code, "reminded", None)]
    table.clock.pass_by(days=2)
    assert maintenance.preview_sweep(table.server, table.clock()) == [(code, "flagged", "time")]
    assert maintenance.preview_sweep(table.server, at) == []
    assert rows(table, OutboxRow.id) == letters
    assert rows(table, GameRow.state) == ["running"]
