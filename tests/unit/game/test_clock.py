"""How long a player may think, given what came before the turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from corr.game.clock import DaysPerMove, Used, clock_of
from corr.game.state import State
from corr.words.board import Side
from corr.words.errors import Refused

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)
WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.mark.parametrize(
    ("used", "days"), [(Used(), 4), (Used(moves=30), 4), (Used(clashes=1), 2), (Used(clashes=3), 0.5)]
)
def test_days_for_each_move_are_the_same_for_each_and_half_as_many_after_each_clash(used: Used, days: float):
    assert DaysPerMove(4).deadline(NOON, used) == NOON + days * DAY
    assert DaysPerMove(4).reminder(NOON, used) == NOON + days * DAY * 0.8


@pytest.mark.parametrize("text", ["1d", "3d", "99d"])
def test_a_clock_is_read_as_it_is_written(text: str):
    assert str(clock_of(text)) == text


@pytest.mark.parametrize("text", ["", "0d", "100d", "3", "3 d", "3h"])
def test_what_is_no_clock_is_refused(text: str):
    with pytest.raises(Refused, match="is no clock"):
        clock_of(text)


@pytest.mark.parametrize(
    ("days", "sentence", "time_control"),
    [(1, "one day for each move", "1/86400"), (3, "3 days for each move", "1/259200")],
)
def test_how_a_person_and_a_program_read_a_clock(days: int, sentence: str, time_control: str):
    assert (DaysPerMove(days).sentence, DaysPerMove(days).time_control) == (sentence, time_control)


@dataclass(frozen=True, slots=True)
class Listening(DaysPerMove):
    """A clock that keeps what it is told."""

    used: list[Used] = field(default_factory=list)

    def deadline(self, since: datetime, used: Used) -> datetime:
        self.used.append(used)
        return DaysPerMove.deadline(self, since, used)


def test_a_clock_is_told_what_came_before_each_turn():
    clock = Listening(3)
    state = State(clock).deploy(NOON).deploy(NOON).play(WHITE, NOON)
    for side in (WHITE, BLACK, WHITE, BLACK):
        state = state.move(side, side.other, NOON)
    assert clock.used == [Used(), Used(clashes=1), *(Used(moves=moves) for moves in (0, 0, 1, 1, 2))]
