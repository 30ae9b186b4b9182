"""Time in whole games: weekends, vacations, pauses, claims, time banks and reminders."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from corr.service import worker_rounds
from corr.store.tables import GameRow, PlayerRow
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, EVE, Table

#: Every game begins on Friday, 20 November 2026, at noon.


def begin(table: Table, clock: str) -> None:
    table.challenge(clock=clock)
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")


def advance(table: Table, **span: float) -> None:
    """Let time pass, sweep, and send the emails."""
    table.clock.advance(**span)
    table.sweep()
    table.run_workers()


def state_of(table: Table) -> str:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.state)).scalar_one()


# ---------------------------------------------------------------- weekends and vacations


def test_weekends_off_count_from_the_next_sweep_on(table: Table) -> None:
    begin(table, "3d")
    table.reply(ANN, "weekends off")
    assert "Your clocks stop on Saturdays and Sundays in UTC" in table.last_text(ANN)
    advance(table)
    table.reply(ANN, "show")

    assert "Your turn: reply by Wed 25 Nov 2026, 12:00 UTC." in table.last_text(ANN)
    table.reply(BEN, "show")
    assert "White has until Wed 25 Nov 2026, 12:00 UTC to move." in table.last_text(BEN)


def test_a_vacation_moves_the_deadline_and_can_be_cancelled(table: Table) -> None:
    begin(table, "3d")
    table.reply(ANN, "vacation 2026-11-21 2026-11-30")
    assert "Days booked: 10" in table.last_text(ANN)
    assert "Days left in 2026: 20." in table.last_text(ANN)
    advance(table)
    table.reply(ANN, "show")
    assert "Your turn: reply by Thu 3 Dec 2026, 12:00 UTC." in table.last_text(ANN)

    advance(table, days=3)
    table.reply(ANN, "vacation off")
    advance(table)
    table.reply(ANN, "show")
    assert "Your turn: reply by Thu 26 Nov 2026, 00:00 UTC." in table.last_text(ANN)


@pytest.mark.parametrize(
    ("words", "booked"),
    [
        ("vacation 24 Dec - 2 Jan", "vacation 24 Dec - 2 Jan\nYour vacation is booked"),
        ("vacation Dec 1st to Dec 3rd", "Days booked: 3."),
        ("vacation 1 Feb until 3 Feb", "in 2027"),
        ("vacation 29 Feb - 2 Mar", "up to twelve months ahead"),
        ("vacation 3 June - 10 June", "That day is in the past"),
        ("vacation 3 May - 10 May", "in 2027"),
    ],
)
def test_a_vacation_without_a_year_is_the_next_one(table: Table, words: str, booked: str) -> None:
    table.begin()
    table.reply(ANN, words)

    assert booked in table.last_text(ANN)


@pytest.mark.parametrize("word", ["weekends off", "vacation 2026-11-21 2026-11-30"])
def test_nothing_stops_a_steady_clock(table: Table, word: str) -> None:
    begin(table, "3d steady")
    table.reply(ANN, word)
    advance(table)
    table.reply(ANN, "show\npause?")

    assert "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC." in table.last_text(ANN)
    assert "This game has no pauses." in table.last_text(ANN)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "vacation 2026-11-19 2026-11-25",
            "That day is in the past. A vacation can begin today, 2026-11-20, at the earliest.",
        ),
        ("vacation 2026-11-25 2026-11-22", "The vacation would end before it begins."),
        ("vacation 2027-12-01 2027-12-05", "You can book a vacation up to twelve months ahead"),
        (
            "vacation 2026-11-21 2026-12-21",
            "You don't have that many vacation days. Days left in 2026: 30.",
        ),
        ("vacation off", "You have no vacation"),
        ("vacation 24 December", 'After "vacation" write its first and last day'),
        ("quiet 25-7", '"25-7" isn\'t a range of hours'),
        ("quiet 7-7", '"7-7" is too short or too long'),
        ("remind yesterday", 'After "remind" write how long before a deadline'),
        ("remind 1m", "A reminder must come between 30 minutes and 30 days"),
        ("zone Mars/Olympus", "There is no such time zone."),
        ("zone Mars/Olympus Mons", 'After "zone" write the name of a time zone'),
    ],
)
def test_a_setting_that_is_refused_gets_its_own_sentence(table: Table, line: str, why: str) -> None:
    begin(table, "3d")
    table.reply(ANN, line)

    assert why in table.last_text(ANN)


def test_vacations_cannot_overlap_and_each_year_has_its_days(table: Table) -> None:
    begin(table, "none")
    table.reply(ANN, "vacation 2026-12-20 2027-01-05")
    assert "Days left in 2026: 18." in table.last_text(ANN)
    table.reply(ANN, "vacation 2027-01-05 2027-01-06")
    assert "You've already booked a vacation" in table.last_text(ANN)
    table.reply(ANN, "vacation 2027-02-01 2027-02-26")
    assert "Days left in 2027: 25." in table.last_text(ANN)
    table.reply(ANN, "vacation 2027-02-01 2027-02-25")
    assert "Days left in 2027: 0." in table.last_text(ANN)


def test_hours_can_be_set_in_an_email_to_the_site(table: Table) -> None:
    eve = Browser(table.app())
    eve.sign_in_by_email(table, EVE)
    eve.press("Save name", name="Eve")
    table.reply(EVE, "quiet 22-7\nremind 2d 6h")

    assert "no reminders between 22:00 and 7:00 (UTC)" in table.last_text(EVE)
    with table.server.store.reading() as connection:
        settings = connection.execute(select(PlayerRow.quiet, PlayerRow.remind)).one()
    assert settings == ("22-7", "2d 6h")


def test_a_player_who_chose_so_goes_on_vacation_instead_of_losing_on_time(table: Table) -> None:
    begin(table, "3d")
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.address == ANN).values(goes_on_leave=True))
    advance(table, days=3, minutes=5)

    assert "Your time ran out, so we put you on vacation" in table.last_text(ANN)
    assert "White's time ran out, and ann has gone on vacation" in table.last_text(BEN)
    assert "reply by Thu 26 Nov 2026, 01:00 UTC" in table.last_text(ANN)
    table.reply(ANN, "vacation off")
    advance(table)
    table.reply(ANN, "show")
    assert "reply by Mon 23 Nov 2026, 13:0" in table.last_text(ANN)
    advance(table, hours=2)
    assert "The game has no result." not in table.last_text(ANN)  # vacation days are left
    advance(table, days=40)
    assert state_of(table) == "running"


# ---------------------------------------------------------------- pauses


def test_both_players_agree_to_a_pause_and_either_ends_it(table: Table) -> None:
    begin(table, "3d")
    table.reply(BEN, "pause?")
    assert "Black asks for a pause." in table.last_text(ANN)
    table.reply(ANN, "pause?")
    assert "You have both agreed to a pause." in table.last_text(BEN)
    assert "You have both agreed to a pause" in table.last_text(BEN)

    advance(table, days=10)
    assert state_of(table) == "running"
    table.reply(BEN, "resume")
    assert "Black has ended the pause." in table.last_text(ANN)
    assert "Your turn: reply by Thu 3 Dec 2026, 12:00 UTC." in table.last_text(ANN)


def test_a_pause_can_be_accepted_or_declined(table: Table) -> None:
    begin(table, "3d")
    table.reply(BEN, "pause?")
    table.reply(ANN, "decline")
    assert "White doesn't want a pause." in table.last_text(BEN)
    table.reply(BEN, "pause?")
    table.reply(ANN, "accept")
    assert "You have both agreed to a pause." in table.last_text(BEN)


def test_a_pause_ends_after_thirty_days_and_leaves_the_same_time(table: Table) -> None:
    begin(table, "3d")
    table.reply(BEN, "pause?")
    table.reply(ANN, "pause?")
    advance(table, days=30, minutes=1)

    assert "The pause is over." in table.last_text(ANN)
    assert "Your turn: reply by Wed 23 Dec 2026, 12:01 UTC." in table.last_text(ANN)


def test_a_move_withdraws_the_opponents_request_for_a_pause(table: Table) -> None:
    begin(table, "3d")
    table.reply(BEN, "pause?")
    table.reply(ANN, "e2e4")
    table.reply(ANN, "accept")

    assert "no open offer to answer" in table.last_text(ANN)


@pytest.mark.parametrize("word", ["resume", "pause?"])
def test_a_game_without_a_clock_has_no_pauses(table: Table, word: str) -> None:
    begin(table, "none")
    table.reply(ANN, word)

    assert {"resume": "so there is no pause to end", "pause?": "This game has no pauses"}[
        word
    ] in table.last_text(ANN)


# ---------------------------------------------------------------- claims and abandoned games


def test_a_game_with_claims_goes_on_until_it_is_claimed(table: Table) -> None:
    begin(table, "3d claim")
    table.play("e2e4", "e7e5", "d2d4", "d7d5")
    table.reply(BEN, "claim")
    assert "There is nothing to claim" in table.last_text(BEN)
    advance(table, days=3, minutes=5)
    assert 'reply "claim" to win the game, or wait.' in table.last_text(BEN)
    assert "you can still move until ben claims the game." in table.last_text(ANN)
    assert state_of(table) == "running"

    table.reply(BEN, "claim")
    assert "White is out of time. Black wins." in table.last_text(ANN)
    assert "White is out of time. Black wins." in table.last_text(BEN)


def test_a_late_player_may_move_until_the_game_is_claimed(table: Table) -> None:
    begin(table, "3d claim")
    advance(table, days=5)
    table.reply(ANN, "e2e4")

    assert "Your move has been made." in table.last_text(ANN)


def test_a_game_that_nobody_claims_ends_without_a_result(table: Table) -> None:
    begin(table, "3d claim")
    table.play("e2e4", "e7e5", "d2d4", "d7d5")
    advance(table, days=3, minutes=5)
    letters = len(table.all_emails())
    advance(table, days=20)
    assert len(table.all_emails()) == letters
    advance(table, days=10)

    assert "White has not moved in time. The game has no result." in table.last_text(BEN)


def test_a_game_without_a_clock_ends_after_half_a_year_and_a_warning(table: Table) -> None:
    begin(table, "none")
    assert "Your turn. This game has no clock." in table.last_text(ANN)
    advance(table, days=165)
    letters = len(table.all_emails())
    advance(table, days=2)
    assert "Nobody has moved in this game for a long time." in table.last_text(ANN)
    assert len(table.all_emails()) == letters + 2
    advance(table, days=15)
    assert "The game has no result." in table.last_text(BEN)


# ---------------------------------------------------------------- banks and reminders


def test_both_players_see_both_time_banks(table: Table) -> None:
    begin(table, "10d+1d/15d")
    assert "Time banks: White 10 d 0 h, Black 10 d 0 h." in table.last_text(ANN)
    advance(table, days=4)
    table.reply(ANN, "e2e4")

    for player in (ANN, BEN):
        assert "Time banks: White 7 d 0 h, Black 10 d 0 h." in table.last_text(player)


def test_reminders_come_as_set_and_never_in_quiet_hours(table: Table) -> None:
    begin(table, "5d")
    table.reply(ANN, "remind 2d 14h\nquiet 20-8")
    advance(table, minutes=50)
    letters = len(table.emails_to(ANN))
    sent = []
    for _ in range(5 * 24 - 1):
        advance(table, hours=1)
        if len(table.emails_to(ANN)) > letters:
            letters = len(table.emails_to(ANN))
            sent.append(f"{table.clock():%a %H}")

    # Two days before the deadline is noon. Fourteen hours before it is 22:00, so that reminder comes before 20:00.
    assert sent == ["Mon 12", "Tue 19"]


def test_a_player_told_half_an_hour_late_is_reminded_once_and_half_an_hour_later(table: Table) -> None:
    begin(table, "3d")
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    table.clock.advance(minutes=30)
    table.send_emails()
    letters = len(table.emails_to(BEN))

    advance(table, days=1, hours=11, minutes=30)
    assert len(table.emails_to(BEN)) == letters
    for _ in range(12):
        advance(table, minutes=30)
    assert len(table.emails_to(BEN)) == letters + 1


def test_setting_weekends_off_before_the_turn_email_costs_no_time(table: Table) -> None:
    begin(table, "3d")
    letter = table.reply_email(BEN, "weekends off")
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    for span in (2, 70):
        table.clock.advance(hours=span)
        worker_rounds.sweep(table.server, table.clock())
    table.deliver(letter)
    worker_rounds.sweep(table.server, table.clock())
    advance(table, hours=48)

    table.reply(BEN, "show")
    assert "Your turn: reply by Mon 30 Nov 2026, 12:00 UTC." in table.last_text(BEN)
