"""Bots answer after a pause that doesn't show how long they thought."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select, update

from corr import limits
from corr.bot_runner import bot_turns
from corr.service.answer_timing import BOTS
from corr.store.tables import GameRow, SeatRow, ThoughtRow
from tests.support.bot_game import challenge, last_game_email, write
from tests.support.table import Table, text_of, unwrap

STEP, RANDOM_DELAY = BOTS.span, 0.1


@pytest.fixture
def think_and_write(table: Table, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Let bots think, and write if their pause is over; returns whether any wrote."""
    monkeypatch.setattr(random, "expovariate", lambda _rate: RANDOM_DELAY)

    def think() -> bool:
        server = replace(table.server, bot_pace=BOTS)
        bot_turns.think_for_bots(server, 60.0, lambda _seconds: None)
        return bool(bot_turns.write_for_bots(table.server))

    return think


@pytest.fixture
def pip_to_move(table: Table) -> Table:
    """A game in which Pip is to move."""
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    return table


def pause_left(table: Table) -> timedelta:
    """How long until the bot writes."""
    with table.server.store.reading() as connection:
        at = connection.execute(select(SeatRow.thinks_at).where(SeatRow.house)).scalar_one()
    assert at
    return at - table.clock()


@pytest.mark.parametrize("millis", [0, 20, 400, 600, 1_290])
@pytest.mark.usefixtures("think_and_write")
def test_the_time_of_an_answer_does_not_show_how_long_a_bot_thought(pip_to_move: Table, millis: int) -> None:
    came = pip_to_move.clock()

    def slow_clock() -> datetime:
        now = pip_to_move.clock()
        pip_to_move.clock.advance(milliseconds=millis)
        return now

    bot_turns.think_for_bots(
        replace(pip_to_move.server, bot_pace=BOTS, now=slow_clock), 60.0, lambda _seconds: None
    )
    assert pip_to_move.clock() + pause_left(pip_to_move) - came == timedelta(seconds=STEP + RANDOM_DELAY)


@pytest.mark.parametrize("millis", [0, 20, 400, 600])
def test_the_time_of_an_answer_does_not_show_how_long_others_thought(
    pip_to_move: Table, think_and_write: Callable[[], bool], millis: int
) -> None:
    came = pip_to_move.clock()
    pip_to_move.clock.advance(milliseconds=millis)

    assert not think_and_write()
    assert pip_to_move.clock() + pause_left(pip_to_move) - came == timedelta(seconds=STEP + RANDOM_DELAY)


@pytest.mark.parametrize("name", ["Marlow", "Sibyl"])
def test_a_stronger_bot_answers_no_later(
    table: Table, think_and_write: Callable[[], bool], name: str
) -> None:
    challenge(table, name, "wild16")
    write(table, "e2e4")

    assert not think_and_write()
    assert pause_left(table) == timedelta(seconds=STEP + RANDOM_DELAY)


def test_a_bot_writes_without_waiting_for_another_bots_thinking(
    table: Table, think_and_write: Callable[[], bool]
) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    assert not think_and_write()
    table.clock.advance(seconds=STEP + 2 * RANDOM_DELAY)
    challenge(table, "Marlow", "wild16")
    write(table, "e2e4")

    assert bot_turns.write_for_bots(table.server) == 1


def test_a_bot_whose_order_is_too_long_writes_nothing(
    pip_to_move: Table, think_and_write: Callable[[], bool]
) -> None:
    assert not think_and_write()
    with pip_to_move.server.store.writing() as connection:
        connection.execute(update(ThoughtRow).values(text="x" * (limits.PAGE_CHARACTERS + 1)))
    pip_to_move.clock.advance(seconds=STEP + 2 * RANDOM_DELAY)

    assert bot_turns.write_for_bots(pip_to_move.server) == 0


def test_a_bot_writes_once_after_its_pause(pip_to_move: Table, think_and_write: Callable[[], bool]) -> None:
    assert not think_and_write()
    pip_to_move.clock.advance(seconds=STEP)
    assert not think_and_write()

    pip_to_move.clock.advance(seconds=2 * RANDOM_DELAY)
    assert think_and_write()
    assert not think_and_write()

    pip_to_move.run_workers()
    assert "Move 2. Your turn" in unwrap(text_of(last_game_email(pip_to_move)))


def test_news_during_the_pause_makes_a_bot_think_and_pause_again(
    pip_to_move: Table, think_and_write: Callable[[], bool]
) -> None:
    assert not think_and_write()
    pip_to_move.clock.advance(seconds=0.7 * STEP)
    write(pip_to_move, "draw?")

    pip_to_move.clock.advance(seconds=0.4 * STEP)
    assert not think_and_write()
    assert pause_left(pip_to_move) == timedelta(seconds=0.6 * STEP + RANDOM_DELAY)

    pip_to_move.clock.advance(seconds=STEP)
    assert think_and_write()
    pip_to_move.run_workers()
    with pip_to_move.server.store.reading() as connection:
        assert connection.execute(select(GameRow.offer)).scalar_one() is None
