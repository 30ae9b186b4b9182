"""A bounced turn email: how much time is left, and how long the game waits."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from corr.game.late_notice import Wait
from corr.game.time_off import Span
from corr.game.turn_deadline import TurnTime
from corr.words.board import Pair, Side

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
EMAIL, EARLIER = 7, 3


def at(days: float) -> datetime:
    return NOON + timedelta(days=days)


def days(count: float) -> timedelta:
    return timedelta(days=count)


def running(held: float = 0, paused: float | None = None, outage: Span | None = None) -> TurnTime:
    """Return a turn of three days whose email White got at noon."""
    waits = Pair(Wait(held=days(held)), Wait())
    return TurnTime(at(3), waits=waits, paused_at=at(paused) if paused else None, outage=outage)


# The time before; when the email bounces; the days left from then on, and the days waited so far.
BOUNCED = {
    "at once": (running(), 0.0, 3.0, 0.0),
    "after a day": (running(), 1.0, 3.0, 1.0),
    "when the time was over": (running(), 4.0, 3.0, 4.0),
    "after eight days": (running(), 8.0, 2.0, 7.0),
    "in a game that has waited for six days": (running(held=6), 2.0, 2.0, 7.0),
    "in a pause": (running(paused=1.0), 2.0, 3.0, 1.0),
    "after an outage of a day": (
        replace(running(outage=Span(at(1), at(2))), deadline=at(4)),
        2.5,
        3.0,
        2.5,
    ),
}


@pytest.mark.parametrize(("time", "now", "left", "held"), BOUNCED.values(), ids=BOUNCED)
def test_a_bounce_gives_back_the_time_and_counts_it_as_waiting(
    time: TurnTime, now: float, left: float, held: float
) -> None:
    waiting = time.wait_after_bounce(Side.WHITE, EMAIL, NOON, days(3), at(now), days(14))

    since = time.clock_moment(at(now))
    assert waiting.waits_from == since
    assert waiting.deadline == since + days(left)
    assert waiting.waits.white == Wait(EMAIL, held=days(held))


UNCHANGED = {
    "no time runs": replace(running(), deadline=None),
    "it waits already": replace(running(), waits_from=NOON, waits=Pair(Wait(EARLIER), Wait())),
    "the game has waited long enough": running(held=7),
}


@pytest.mark.parametrize("time", UNCHANGED.values(), ids=UNCHANGED)
def test_a_bounce_changes_nothing(time: TurnTime) -> None:
    assert time.wait_after_bounce(Side.WHITE, EMAIL, NOON, days(3), at(1), days(14)) == time


def test_a_bounce_never_gives_more_than_the_turns_time() -> None:
    paused_meanwhile = replace(running(), deadline=at(5))

    assert paused_meanwhile.wait_after_bounce(
        Side.WHITE, EMAIL, NOON, days(3), at(4), days(14)
    ).deadline == at(7)
