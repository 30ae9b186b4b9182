"""A house player answers after a pause, which does not tell how long it thought."""

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
from tests.support.bot_game import challenge, newest, write
from tests.support.table import Table, flat, text_of

STEP, LOT = BOTS.span, 0.1


@pytest.fixture
def unhurried(table: Table, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """House players think, and write if their time has come: whether any did."""
    monkeypatch.setattr(random, "expovariate", lambda _rate: LOT)

    def think() -> bool:
        server = replace(table.server, bot_pace=BOTS)
        bot_turns.think_for_bots(server, 60.0, lambda _seconds: None)
        return bool(bot_turns.write_for_bots(table.server))

    return think


@pytest.fixture
def asked(table: Table) -> Table:
    """A table at which Pip is to move."""
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    return table


def moment(table: Table) -> timedelta:
    """In how long the house player is to write."""
    with table.server.store.reading() as connection:
        at = connection.execute(select(SeatRow.thinks_at).where(SeatRow.house)).scalar_one()
    assert at
    return at - table.clock()


@pytest.mark.parametrize("millis", [0, 20, 400, 600, 1_290])
@pytest.mark.usefixtures("unhurried")
def test_how_long_it_thought_is_not_told_by_when_it_answers(asked: Table, millis: int) -> None:
    came = asked.clock()

    def passing() -> datetime:
        now = asked.clock()
        asked.clock.pass_by(milliseconds=millis)
        return now

    bot_turns.think_for_bots(replace(asked.server, bot_pace=BOTS, now=passing), 60.0, lambda _seconds: None)
    assert asked.clock() + moment(asked) - came == timedelta(seconds=STEP + LOT)


@pytest.mark.parametrize("millis", [0, 20, 400, 600])
def test_how_long_others_thought_before_it_is_told_by_no_part_of_a_step(
    asked: Table, unhurried: Callable[[], bool], millis: int
) -> None:
    came = asked.clock()
    asked.clock.pass_by(milliseconds=millis)

    assert not unhurried()
    assert asked.clock() + moment(asked) - came == timedelta(seconds=STEP + LOT)


@pytest.mark.parametrize("name", ["Marlow", "Sibyl"])
def test_a_stronger_one_answers_no_later(table: Table, unhurried: Callable[[], bool], name: str) -> None:
    challenge(table, name, "wild16")
    write(table, "e2e4")

    assert not unhurried()
    assert moment(table) == timedelta(seconds=STEP + LOT)


def test_whoever_waits_to_write_waits_for_nobodys_thought(
    table: Table, unhurried: Callable[[], bool]
) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    assert not unhurried()
    table.clock.pass_by(seconds=STEP + 2 * LOT)
    challenge(table, "Marlow", "wild16")
    write(table, "e2e4")

    assert bot_turns.write_for_bots(table.server) == 1


def test_one_that_cannot_write_holds_up_no_letter(asked: Table, unhurried: Callable[[], bool]) -> None:
    assert not unhurried()
    with asked.server.store.writing() as connection:
        connection.execute(update(ThoughtRow).values(text="x" * (limits.PAGE_CHARACTERS + 1)))
    asked.clock.pass_by(seconds=STEP + 2 * LOT)

    assert bot_turns.write_for_bots(asked.server) == 0


def test_it_writes_once_its_pause_is_over_and_not_before(asked: Table, unhurried: Callable[[], bool]) -> None:
    assert not unhurried()
    asked.clock.pass_by(seconds=STEP)
    assert not unhurried()

    asked.clock.pass_by(seconds=2 * LOT)
    assert unhurried()
    assert not unhurried()

    asked.work()
    assert "Move 2. Your turn" in flat(text_of(newest(asked)))


def test_what_it_is_handed_in_its_pause_it_thinks_over_and_pauses_again(
    asked: Table, unhurried: Callable[[], bool]
) -> None:
    assert not unhurried()
    asked.clock.pass_by(seconds=0.7 * STEP)
    write(asked, "draw?")

    asked.clock.pass_by(seconds=0.4 * STEP)
    assert not unhurried()
    assert moment(asked) == timedelta(seconds=0.6 * STEP + LOT)

    asked.clock.pass_by(seconds=STEP)
    assert unhurried()
    asked.work()
    with asked.server.store.reading() as connection:
        assert connection.execute(select(GameRow.offer)).scalar_one() is None
