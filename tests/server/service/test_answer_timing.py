"""When an answer is sent reveals nothing about the opponent's standing orders."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from corr.rules.variants import find_umpire
from corr.service import worker_rounds
from corr.service.answer_timing import EMAILS
from corr.store.tables import OrderRow, OutboxRow
from corr.words.board import Side
from corr.words.orders import Move
from tests.support.random_games import impossible_tries
from tests.support.table import ANN, BEN, Table

REFUSED = (0, 1, 200)


def standing_orders(count: int) -> str:
    """Ben's standing orders for the turn after White's first move; the umpire refuses them all."""
    umpire = find_umpire("wild16")
    opening = umpire.judge(umpire.start().truth, Side.WHITE, Move(8, 16)).truth
    return (
        f"if no capture: {', '.join(map(str, impossible_tries(umpire, opening).steps[:count]))}"
        if count
        else "show"
    )


def delays(table: Table, *, millis: float) -> list[timedelta]:
    """How long the emails after Ann's move wait if the work on it takes this many milliseconds."""
    arrived = table.clock()
    table.deliver(table.reply_email(ANN, "e2e4"))
    server = replace(table.server, pace=EMAILS)
    table.clock.advance(milliseconds=millis / 2)
    while worker_rounds.read_some(server, table.clock()):
        pass
    table.clock.advance(milliseconds=millis / 2)
    while worker_rounds.send_some(server, table.clock()):
        pass
    unsent = select(OutboxRow.due_at).where(OutboxRow.sent_at.is_(None)).order_by(OutboxRow.id)
    with server.store.reading() as connection:
        return [moment - arrived for moment in connection.execute(unsent).scalars()]


@pytest.mark.parametrize("refused", REFUSED)
@pytest.mark.parametrize("millis", [0, 15, 27, 99])
def test_answers_leave_at_the_same_moment_whatever_was_ordered_and_however_long_it_took(
    table: Table, monkeypatch: pytest.MonkeyPatch, refused: int, millis: int
) -> None:
    table.begin()
    table.reply(BEN, standing_orders(refused))
    monkeypatch.setattr(random, "expovariate", lambda _rate: 0.003)

    found = delays(table, millis=millis)

    with table.server.store.reading() as connection:
        tries = connection.execute(select(OrderRow.origin).where(OrderRow.origin == "standing")).all()
    assert len(tries) == refused
    assert found == [timedelta(milliseconds=103)] * 2


def test_work_that_outlasts_a_step_is_answered_at_the_end_of_the_next(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    monkeypatch.setattr(random, "expovariate", lambda _rate: 0.003)

    assert delays(table, millis=130) == [timedelta(milliseconds=203)] * 2
