"""A game session stores the match so that the next session loads the same state."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from corr.game.clock import parse_clock
from corr.game.late_notice import Wait
from corr.game.resign_and_draw import DrawOffer
from corr.game.state import State
from corr.game.time_off import Calendar, Span, TimeOff
from corr.game.turn_deadline import TurnTime
from corr.game.turn_reminders import with_reminders
from corr.service.games.game_session import open_session
from corr.store.tables import GameRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome
from corr.words.view import Stage
from tests.support.table import NOON, Table

OFFERED = State(parse_clock("3d"))
BEGUN = OFFERED.play(Side.WHITE, NOON)
AWAY = Span(NOON + timedelta(days=1), NOON + timedelta(days=9))


@pytest.mark.parametrize(
    "state",
    [
        OFFERED.accept(Side.BLACK),
        OFFERED.deploy(NOON).seal(Side.BLACK, NOON),
        BEGUN.move(Side.WHITE, Side.BLACK, NOON, NOON).offer(DrawOffer(Side.WHITE, Pair(1, 0)), 4),
        BEGUN.stop_clock(NOON),
        replace(
            BEGUN,
            time=TurnTime(
                deadline=NOON + timedelta(days=3),
                earliest=NOON + timedelta(days=2),
                waits_from=NOON + timedelta(hours=1),
                calendar=Calendar(
                    (TimeOff(ZoneInfo("Europe/Paris"), weekends=True, vacations=(AWAY,)), TimeOff())
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
def test_a_match_is_loaded_as_it_was_stored(table: Table, state: State) -> None:
    table.challenge()
    with table.server.store.writing() as connection:
        game = connection.execute(select(GameRow.id)).scalar_one()
        session = open_session(connection, game, NOON)
        session.state = state
        session.close()
    with table.server.store.writing() as connection:
        found = open_session(connection, game, NOON).state

    assert found == with_reminders(replace(state, time=replace(state.time, is_new=False)), NOON)
    assert type(found.stage) is Stage
