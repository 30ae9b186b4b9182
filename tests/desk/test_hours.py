"""Reminders, deadlines and flags."""

from __future__ import annotations

from table import ANN, BEN, Table


def test_one_reminder_comes_at_four_fifths_of_the_time(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=2, hours=9)
    assert table.sweep() == 0

    table.clock.pass_by(hours=1)
    assert table.sweep() == 1
    assert table.sweep() == 0

    assert "This is the one reminder" in table.says(ANN)
    assert len(table.letters(BEN)) == 2


def test_a_move_ends_the_reminder_of_that_turn(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=2)
    table.play("e2e4")
    table.clock.pass_by(days=2)

    assert table.sweep() == 0


def test_who_runs_out_of_time_loses_and_both_are_told(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=3, minutes=3)

    assert table.sweep() == 1

    for player in (ANN, BEN):
        assert "White is out of time. Black wins." in table.says(player)
        assert "This is the whole board" in table.says(player)
    assert table.sweep() == 0


def test_the_flag_never_falls_while_a_letter_from_before_the_deadline_waits(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=2, hours=23, minutes=59)
    table.post(table.letter(ANN, "e2e4"))
    table.clock.pass_by(days=1)

    assert table.sweep() == 0
    table.work()

    assert "That is your move." in table.says(ANN)
    assert "Your turn: reply by Tue 24 Nov 2026, 11:59 UTC." not in table.says(BEN)


def test_a_letter_after_the_deadline_comes_too_late_though_nobody_has_swept(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=3, seconds=1)

    table.reply(ANN, "e2e4")

    assert "after your time for this move had run out, so nothing was tried" in table.says(ANN)
    table.clock.pass_by(minutes=3)
    table.sweep()
    assert "White is out of time. Black wins." in table.says(BEN)


def test_the_clock_stands_still_until_the_game_has_begun(table: Table) -> None:
    table.challenge()
    table.clock.pass_by(days=30)

    assert table.sweep() == 0
