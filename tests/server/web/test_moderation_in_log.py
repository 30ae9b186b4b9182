"""An operator's decision appears in both sides' logs, at the move when it was made."""

from __future__ import annotations

import pytest

from corr.service.games.moderation import DecreeKind
from tests.server.service.test_moderation import REASON, decree
from tests.server.web.test_table import rows_of_log, sit_down
from tests.support.table import ANN, BEN, Table

MOVES = ("a7a6", "a2a3", "b7b6", "b2b3", "c7c6", "c2c3", "h7h6", "h2h3", "g7g6", "g2g3", "f7f6")


@pytest.fixture
def paused(table: Table) -> Table:
    """A game paused and resumed after White's second move; Black and White have moved since."""
    table.begin()
    table.play("e2e4", "e7e5", "d2d4")
    table.clock.advance(hours=1)
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(hours=1)
    decree(table, DecreeKind.RESUME)
    table.clock.advance(hours=1)
    table.reply(BEN, "d7d6")
    table.clock.advance(hours=1)
    table.reply(ANN, "g1f3")
    return table


def rows_with_decisions(table: Table, player: str) -> dict[str, str]:
    """The log rows that mention an admin, by move number."""
    rows = rows_of_log(sit_down(table, player))
    return {" ".join(row.split()[:2]): row for row in rows if "An admin" in row}


def test_a_decision_appears_between_ones_move_and_the_reply(paused: Table) -> None:
    rows = rows_with_decisions(paused, ANN)

    assert [*rows] == ["Move 2"]
    moved, decided, reason, answered = map(
        rows["Move 2"].find, ("d2d4", "An admin has paused", REASON, "White's move")
    )
    assert 0 < moved < decided < reason < answered
    assert rows["Move 2"].count(REASON) == 2


def test_a_decision_appears_once_after_the_opponents_move(paused: Table) -> None:
    rows = rows_with_decisions(paused, BEN)

    assert [*rows] == ["Move 1"]
    moved, heard, decided = map(rows["Move 1"].find, ("e7e5", "Black's move", "An admin has paused"))
    assert 0 < moved < heard < decided
    assert rows["Move 1"].count("An admin has paused") == 1


def test_a_decision_before_the_first_move_comes_first(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.PAUSE)

    assert [*rows_with_decisions(table, ANN)] == ["Before the"]
    assert [*rows_with_decisions(table, BEN)] == ["Before the"]


def test_an_old_decision_is_hidden_with_its_moves_until_the_whole_log_is_opened(paused: Table) -> None:
    for player, move in zip((BEN, ANN) * 6, MOVES, strict=False):
        paused.reply(player, move)
    assert rows_with_decisions(paused, ANN) == {}
    ann = sit_down(paused, ANN)
    ann.open(f"{ann.path}?log=whole")

    assert [row for row in rows_of_log(ann) if REASON in row] != []
