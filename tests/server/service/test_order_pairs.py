"""Any two orders in one email, at every stage of a game, always get exactly one answer."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from tests.support.table import ANN, BEN, Table

#: A short run tries every tenth pair, a long run all of them.
STEP = 1 if os.environ.get("CORR_TEST_LONG") else 10
ORDERS = (
    *("e2e4", "e7e5", "e2e5", "px", "o-o", "e2e4, d2d4", "N@f5", "any?", "sense e4", "pass"),
    *("resign", "resign resign", "draw?", "accept", "decline", "claim", "cancel", "confirm", "again"),
    *("show", "help", "rules", "rules chess960", "ghost q d8", "note him", "if check: e2e4"),
)


def offered(table: Table) -> None:
    table.challenge()


def half_accepted(table: Table) -> None:
    table.challenge()
    table.reply(BEN, "accept")


def running(table: Table) -> None:
    table.begin()


def draw_offered(table: Table) -> None:
    table.begin()
    table.reply(BEN, "draw?")


def over(table: Table) -> None:
    table.begin()
    table.reply(BEN, "resign resign")


@pytest.mark.parametrize("stage", [offered, half_accepted, running, draw_offered, over])
@pytest.mark.parametrize("first", ORDERS if STEP == 1 else ORDERS[::3])
def test_every_pair_of_orders_is_answered_once(
    table: Table, stage: Callable[[Table], None], first: str
) -> None:
    stage(table)
    start = len(table.emails_to(ANN))
    answered = table.last_email(ANN)

    seconds = ORDERS[ORDERS.index(first) % STEP :: STEP]

    for number, second in enumerate(seconds, start=1):
        table.deliver(table.reply_email(ANN, f"{first}\n{second}", to=answered))
        table.run_workers()
        answers = [email for email in table.emails_to(ANN)[start:] if "reply-" in str(email["In-Reply-To"])]
        assert len(answers) == number


@pytest.mark.parametrize("second", ["e2e4", "draw?", "show"])
def test_an_email_that_starts_the_game_does_nothing_else_in_it(table: Table, second: str) -> None:
    half_accepted(table)

    table.reply(ANN, f"accept\n{second}")

    assert "The game has started." in table.last_text(ANN)
    assert "White's move. 0 pawn tries." in table.last_text(BEN)
    table.reply(ANN, "d2d4")
    assert "Your move has been made." in table.last_text(ANN)
