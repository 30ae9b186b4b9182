"""A letter about a turn that came back: what is left of the turn's time then, and for how long the game waits."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from corr.game.late_notice import Wait
from corr.game.time_off import Span
from corr.game.turn_deadline import TurnTime
from corr.words.board import Pair, Side

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LETTER, EARLIER = 7, 3


def at(days: float) -> datetime:
    return NOON + timedelta(days=days)


def days(count: float) -> timedelta:
    return timedelta(days=count)


def running(held: float = 0, paused: float | None = None, outage: Span | None = None) -> TurnTime:
    """A turn of three days, of which White was told at noon."""
    waits = Pair(Wait(held=days(held)), Wait())
    return TurnTime(at(3), waits=waits, paused_at=at(paused) if paused else None, outage=outage)


# What was before, when the letter comes back; how much is left from then on, and for how long the game has waited.
CAME_BACK = {
    "at once": (running(), 0.0, 3.0, 0.0),
    "after a day": (running(), 1.0, 3.0, 1.0),
    "when the time was over": (running(), 4.0, 3.0, 4.0),
    "after eight days": (running(), 8.0, 2.0, 7.0),
    "where the game has waited for six days": (running(held=6), 2.0, 2.0, 7.0),
    "in a pause": (running(paused=1.0), 2.0, 3.0, 1.0),
    "after the house stood still for a day": (
        replace(running(outage=Span(at(1), at(2))), deadline=at(4)),
        2.5,
        3.0,
        2.5,
    ),
}


@pytest.mark.parametrize(("time", "now", "left", "held"), CAME_BACK.values(), ids=CAME_BACK)
def test_what_was_lost_untold_is_left_again_and_is_counted_as_waiting(
    time: TurnTime, now: float, left: float, held: float
) -> None:
    untold = time.wait_after_bounce(Side.WHITE, LETTER, NOON, days(3), at(now), days(14))

    since = time.clock_moment(at(now))
    assert untold.waits_from == since
    assert untold.deadline == since + days(left)
    assert untold.waits.white == Wait(LETTER, held=days(held))


STAYS = {
    "no time runs": replace(running(), deadline=None),
    "it waits already": replace(running(), waits_from=NOON, waits=Pair(Wait(EARLIER), Wait())),
    "the game has waited long enough": running(held=7),
}


@pytest.mark.parametrize("time", STAYS.values(), ids=STAYS)
def test_there_is_nothing_to_wait_for_where(time: TurnTime) -> None:
    assert time.wait_after_bounce(Side.WHITE, LETTER, NOON, days(3), at(1), days(14)) == time


def test_no_more_is_left_than_the_turn_had() -> None:
    paused_meanwhile = replace(running(), deadline=at(5))

    assert paused_meanwhile.wait_after_bounce(
        Side.WHITE, LETTER, NOON, days(3), at(4), days(14)
    ).deadline == at(7)
