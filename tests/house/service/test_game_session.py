"""What a sitting keeps of a match is what the next one finds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from corr.game.calendar import Calendar, Leave, Span
from corr.game.clock import clock_of
from corr.game.match import Match
from corr.game.state import State
from corr.game.turn_notice import Time, Wait
from corr.service.games.game_session import sit_down
from corr.store.tables import Game
from corr.words.board import Pair, Side
from corr.words.slips import Outcome
from corr.words.view import Stage
from tests.support.table import NOON, Table

OFFERED = State(clock_of("3d"))
BEGUN = OFFERED.play(Side.WHITE, NOON)
AWAY = Span(NOON + timedelta(days=1), NOON + timedelta(days=9))


@pytest.mark.parametrize(
    "state",
    [
        OFFERED.accept(Side.BLACK),
        OFFERED.deploy(NOON).seal(Side.BLACK, NOON),
        BEGUN.move(Side.WHITE, Side.BLACK, NOON, NOON).offer(Match(Side.WHITE, Pair(1, 0)), 4),
        BEGUN.pause_time(NOON),
        replace(
            BEGUN,
            time=Time(
                deadline=NOON + timedelta(days=3),
                earliest=NOON + timedelta(days=2),
                waits_from=NOON + timedelta(hours=1),
                calendar=Calendar(
                    (Leave(ZoneInfo("Europe/Paris"), weekends=True, vacations=(AWAY,)), Leave())
                ),
                waits=Pair(Wait(5, NOON, timedelta(hours=7)), Wait(held=timedelta(hours=8))),
            ),
        ),
        replace(BEGUN, banks=Pair(timedelta(days=9), timedelta()), reminded=Pair(timedelta(days=1), None)),
        BEGUN.end(Outcome(Side.BLACK, "resignation"), NOON).ask_again(Side.WHITE),
        BEGUN.end(Outcome(None, "agreement"), NOON).ask_again(Side.WHITE).ask_again(Side.BLACK),
    ],
    ids=lambda state: str(state.stage),
)
def test_a_match_is_found_as_it_was_left(table: Table, state: State) -> None:
    table.challenge()
    with table.house.store.writing() as connection:
        game = connection.execute(select(Game.id)).scalar_one()
        sitting = sit_down(connection, game, NOON)
        sitting.state = state
        sitting.close()
    with table.house.store.writing() as connection:
        found = sit_down(connection, game, NOON).state

    assert found == replace(state, time=replace(state.time, is_new=False)).with_reminders(NOON)
    assert type(found.stage) is Stage
