"""Clocks: their notation, the time for a turn, and what stays in the bank."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from corr.game.clock import DeploymentStatus, parse_clock, parse_new_clock
from corr.game.late_notice import Wait
from corr.game.state import State
from corr.game.turn_deadline import TurnTime
from corr.words.board import Pair, Side
from corr.words.errors import Refused

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.mark.parametrize(
    ("text", "sentence", "time_control"),
    [
        ("1d", "one day for each move", "1/86400"),
        ("3d", "3 days for each move", "1/259200"),
        ("60d", "60 days for each move", "1/5184000"),
        (
            "30d+1d/45d",
            "30 days for all moves, plus 1 day for each move (a clock never holds more than 45 days)",
            "2592000+86400",
        ),
        (
            "10d+12h/10d",
            "10 days for all moves, plus 12 hours for each move (a clock never holds more than 10 days)",
            "864000+43200",
        ),
        (
            "10d+0d/10d",
            "10 days for all moves, plus nothing for each move (a clock never holds more than 10 days)",
            "864000+0",
        ),
        ("3d+bank10d", "3 days for each move, plus a time bank of 10 days", "1/259200"),
        (
            "live",
            (
                "15 minutes for all moves, plus 5 seconds for each move (a clock never holds more than 15 minutes), "
                "played live on the site"
            ),
            "900+5",
        ),
        ("none", "no clock", "-"),
        ("3d claim", "3 days for each move, no win on time unless claimed", "1/259200"),
        ("3d steady", "3 days for each move, no weekends off, vacations or pauses", "1/259200"),
        (
            "3d claim steady",
            "3 days for each move, no win on time unless claimed, no weekends off, vacations or pauses",
            "1/259200",
        ),
    ],
)
def test_a_clock_as_an_order_a_sentence_and_a_pgn_tag(text: str, sentence: str, time_control: str):
    clock = parse_new_clock(text)
    assert (str(clock), clock.sentence, clock.time_control) == (text, sentence, time_control)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("30d+1d", "30d+1d/45d"),
        ("48h+12h/72h", "2d+12h/3d"),
        ("15m+5s", "live"),
        ("3d steady claim", "3d claim steady"),
    ],
)
def test_other_notations_give_the_same_clock(text: str, written: str):
    assert str(parse_new_clock(text)) == written


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "isn't a clock"),
        ("0d", "isn't a clock"),
        ("3", "isn't a clock"),
        ("3h", "isn't a clock"),
        ("0d+1d/5d", "isn't a clock"),
        ("61d", "a move can have at most 60 days"),
        ("99d+bank3d", "a move can have at most 60 days"),
        ("3d+bank91d", "a bank can have at most 90 days"),
        ("12h+1h/20h", 'the bank needs at least one day; for live games write "live"'),
        ("30d+1d/20d", "starts with more than its maximum"),
        ("30d+1d/91d", "a bank can have at most 90 days"),
        ("30d+8d/45d", "a move can add at most 7 days"),
        ("3d fast", '"fast" isn\'t an option of a clock'),
    ],
)
def test_an_invalid_clock_is_refused(text: str, why: str):
    with pytest.raises(Refused, match=why):
        parse_new_clock(text)


def test_an_old_game_keeps_a_clock_that_is_too_long_today():
    assert parse_clock("99d").time(None, DeploymentStatus()) == 99 * DAY


@pytest.mark.parametrize(
    ("text", "clashes", "days"),
    [
        ("4d", 0, 4),
        ("4d", 1, 2),
        ("4d", 3, 0.5),
        ("30d+1d", 0, 7),
        ("30d+1d", 1, 3.5),
        ("2d+0d/2d", 0, 2),
        ("3d+bank9d", 0, 7),
    ],
)
def test_the_time_to_deploy(text: str, clashes: int, days: float):
    clock = parse_clock(text)
    assert clock.time(clock.pace.bank, DeploymentStatus(deploys=True, clashes=clashes)) == days * DAY


# ---------------------------------------------------------------- banks


def begun(text: str, **otherwise: object) -> State:
    """Return a game with this clock that begins at noon."""
    clock = parse_clock(text)
    banks = Pair(clock.pace.bank, clock.pace.bank)
    return replace(State(clock, banks=banks), **otherwise).play(WHITE, NOON)


@pytest.mark.parametrize(
    ("text", "after", "left"),
    [
        ("10d+1d/15d", 4 * DAY, 7 * DAY),
        ("10d+1d/15d", timedelta(), 11 * DAY),
        ("10d+6d/15d", timedelta(), 15 * DAY),  # never over the cap
        ("10d+1d/15d", 10 * DAY, DAY),
        ("3d+bank10d", 2 * DAY, 10 * DAY),
        ("3d+bank10d", 5 * DAY, 8 * DAY),
        ("3d+bank10d", 13 * DAY, timedelta()),
        ("live", timedelta(minutes=5), timedelta(minutes=10, seconds=5)),
        ("3d", DAY, None),
        ("none", DAY, None),
    ],
)
def test_the_bank_after_a_move(text: str, after: timedelta, left: timedelta | None):
    moved = begun(text).move(WHITE, BLACK, NOON + after + HOUR, NOON + after)
    assert moved.banks == Pair(left, parse_clock(text).pace.bank)


@pytest.mark.parametrize("arrived", [5 * DAY, 30 * DAY])
def test_a_move_in_a_pause_leaves_the_bank_as_when_the_pause_began(arrived: timedelta):
    moved = begun("10d+1d/15d").stop_clock(NOON + 4 * DAY).move(WHITE, BLACK, NOON + arrived, NOON + arrived)
    assert moved.banks.white == 7 * DAY


def test_a_move_that_arrived_before_its_turn_saves_no_extra_time():
    moved = begun("10d+1d/15d").move(WHITE, BLACK, NOON + HOUR, NOON - 4 * HOUR)
    assert moved.banks.white == 11 * DAY


def test_time_gained_when_the_system_clock_is_set_back_is_kept():
    moved = begun("10d+1d/15d").move(WHITE, BLACK, NOON - 23 * HOUR, NOON - DAY)
    assert moved.banks.white == 12 * DAY - HOUR


def test_a_move_that_arrived_before_a_pause_counts_from_its_arrival():
    paused = begun("10d+1d/15d").stop_clock(NOON + 4 * DAY)
    assert paused.move(WHITE, BLACK, NOON + 5 * DAY, NOON + 3 * DAY).banks.white == 8 * DAY


def test_a_move_ends_at_its_arrival_and_the_next_turn_begins_when_it_is_read():
    moved = begun("10d+1d/15d").move(WHITE, BLACK, NOON + DAY + HOUR, NOON + DAY)
    assert moved.banks.white == 10 * DAY
    assert moved.time.deadline == NOON + 11 * DAY + HOUR


def test_a_turn_lasts_as_long_as_its_sides_bank():
    state = begun("10d+1d/15d")
    for side in (WHITE, BLACK, WHITE):
        state = state.move(side, side.other, state.time.deadline, state.time.deadline - 3 * DAY)
    assert state.banks == Pair(4 * DAY, 4 * DAY)
    assert state.whole == 4 * DAY


def test_a_pause_takes_nothing_from_the_bank():
    paused = begun("10d+1d/15d").stop_clock(NOON + DAY).resume(NOON + 5 * DAY)
    assert paused.move(WHITE, BLACK, NOON + 6 * DAY, NOON + 6 * DAY).banks.white == 9 * DAY


@pytest.mark.parametrize(
    ("wait", "delivered", "moved", "left"),
    [
        # Delivered after two days, and both know: three of the five days were used.
        (Wait(None, NOON + 2 * DAY, 2 * DAY), None, NOON + 5 * DAY, 8 * DAY),
        # The same, and nobody knows yet.
        (Wait(7, NOON), NOON + 2 * DAY, NOON + 5 * DAY, 8 * DAY),
        # Not delivered yet when its reader, who had opened the page, moved.
        (Wait(7, NOON), None, NOON + 5 * DAY, 11 * DAY),
        # A game waits for a week at most.
        (Wait(7, NOON), None, NOON + 9 * DAY, 9 * DAY),
    ],
)
def test_after_a_late_email_the_bank_reveals_only_what_both_know(
    wait: Wait, delivered: datetime | None, moved: datetime, left: timedelta
):
    opened = TurnTime(NOON + 11 * DAY, earliest=NOON + 10 * DAY, waits=Pair(wait, Wait()))
    state = replace(begun("10d+1d/15d"), time=opened)
    assert state.move(WHITE, BLACK, moved, moved, delivered).banks.white == left
