"""What an operator decrees stands in the log of both sides, at the move at which it was done."""

from __future__ import annotations

import pytest

from corr.service.games.moderation import DecreeKind
from tests.server.service.test_moderation import REASON, decree
from tests.server.web.test_table import rows_of_log, sit_down
from tests.support.table import ANN, BEN, Table

MOVES = ("a7a6", "a2a3", "b7b6", "b2b3", "c7c6", "c2c3", "h7h6", "h2h3", "g7g6", "g2g3", "f7f6")


@pytest.fixture
def paused(table: Table) -> Table:
    """The time stood still after White's second move, and Black has answered since."""
    table.begin()
    table.play("e2e4", "e7e5", "d2d4")
    table.clock.pass_by(hours=1)
    decree(table, DecreeKind.PAUSE)
    table.clock.pass_by(hours=1)
    decree(table, DecreeKind.RESUME)
    table.clock.pass_by(hours=1)
    table.reply(BEN, "d7d6")
    table.clock.pass_by(hours=1)
    table.reply(ANN, "g1f3")
    return table


def rows_with_decrees(table: Table, player: str) -> dict[str, str]:
    """By its number, each row of the log in which something was decreed."""
    rows = rows_of_log(sit_down(table, player))
    return {" ".join(row.split()[:2]): row for row in rows if "An admin" in row}


def test_it_stands_between_what_one_moved_and_what_the_other_side_answered(paused: Table) -> None:
    rows = rows_with_decrees(paused, ANN)

    assert [*rows] == ["Move 2"]
    moved, decreed, reason, answered = map(
        rows["Move 2"].find, ("d2d4", "An admin has paused", REASON, "White's move")
    )
    assert 0 < moved < decreed < reason < answered
    assert rows["Move 2"].count(REASON) == 2


def test_it_stands_after_what_was_heard_before_ones_own_turn_and_no_sentence_twice(paused: Table) -> None:
    rows = rows_with_decrees(paused, BEN)

    assert [*rows] == ["Move 1"]
    moved, heard, decreed = map(rows["Move 1"].find, ("e7e5", "Black's move", "An admin has paused"))
    assert 0 < moved < heard < decreed
    assert rows["Move 1"].count("An admin has paused") == 1


def test_before_the_first_move_it_stands_there(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.PAUSE)

    assert [*rows_with_decrees(table, ANN)] == ["Before the"]
    assert [*rows_with_decrees(table, BEN)] == ["Before the"]


def test_it_is_left_out_with_the_moves_of_its_time_until_the_whole_log_is_asked_for(paused: Table) -> None:
    for player, move in zip((BEN, ANN) * 6, MOVES, strict=False):
        paused.reply(player, move)
    assert rows_with_decrees(paused, ANN) == {}
    anns = sit_down(paused, ANN)
    anns.open(f"{anns.at}?log=whole")

    assert [row for row in rows_of_log(anns) if REASON in row] != []
