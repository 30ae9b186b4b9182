"""However a game ends, its record says so, and both sides prove it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from corr.desk.operator import enforce
from corr.desk.table import decrees, recorded
from corr.desk.table.decrees import Deed, Wish
from corr.proof.proving import prove
from corr.words.board import Side
from tests.support.table import ANN, BEN, Table


def _mated(table: Table) -> None:
    table.play("f2f3", "e7e5", "g2g4", "d8h4")


def _given_up(table: Table) -> None:
    table.play("e2e4")
    table.reply(ANN, "resign resign")


def _agreed(table: Table) -> None:
    table.play("e2e4\ndraw?")
    table.reply(BEN, "accept")


def _out_of_time(table: Table) -> None:
    table.play("a2a3", "a7a6", "b2b3", "b7b6")
    table.clock.pass_by(days=4)
    table.sweep()


def _hardly_begun(table: Table) -> None:
    table.clock.pass_by(days=4)
    table.sweep()


def _decreed(end: str) -> Callable[[Table], None]:
    def decree(table: Table) -> None:
        table.play("e2e4")
        wish = Wish(Deed.ADJUDICATE, end, "They have agreed elsewhere.")
        decrees.decree(table.house, "olga@o.example", 1, "1", wish, table.clock())
        enforce.enforce_some(table.house, table.clock())

    return decree


ENDS = {
    "mate": (_mated, "checkmate"),
    "giving up": (_given_up, "resignation"),
    "a draw": (_agreed, "agreement"),
    "time": (_out_of_time, "time"),
    "time before the game had begun in earnest": (_hardly_begun, "void"),
    "the operator, for White": (_decreed("white"), "adjudication"),
    "the operator, a draw": (_decreed("draw"), "adjudication"),
    "the operator, void": (_decreed("void"), "void"),
}


@pytest.mark.parametrize(("end", "reason"), list(ENDS.values()), ids=list(ENDS))
def test_both_sides_prove_it(table: Table, end: Callable[[Table], None], reason: str) -> None:
    table.begin()
    end(table)
    for side in Side:
        with table.house.store.reading() as connection:
            record = recorded.record(connection, 1, side)

        assert prove(line.encode() for line in record.splitlines(keepends=True)).holds
        assert f'"reason":"{reason}"' in record
