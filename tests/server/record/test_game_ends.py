"""The record of every kind of beginning and end can be verified by both sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from corr.proof.proof import Proof, prove
from corr.service.admin import game_decisions
from corr.service.games import game_records, moderation
from corr.service.games.moderation import DecreeKind, DecreeRequest
from corr.words.board import Side
from tests.support.random_records import reseal_with_lie
from tests.support.table import ANN, BEN, Table


def _mated(table: Table) -> None:
    table.play("f2f3", "e7e5", "g2g4", "d8h4")


def _resigned(table: Table) -> None:
    table.play("e2e4")
    table.reply(ANN, "resign resign")


def _drawn(table: Table) -> None:
    table.play("e2e4\ndraw?")
    table.reply(BEN, "accept")


def _out_of_time(table: Table) -> None:
    table.play("a2a3", "a7a6", "b2b3", "b7b6")
    table.clock.advance(days=4)
    table.sweep()


def _never_begun(table: Table) -> None:
    table.clock.advance(days=4)
    table.sweep()


def _adjudicated(end: str) -> Callable[[Table], None]:
    def decree(table: Table) -> None:
        table.play("e2e4")
        wish = DecreeRequest(DecreeKind.ADJUDICATE, end, "They have agreed elsewhere.")
        moderation.decree(table.server, "olga@o.example", 1, "1", wish, table.clock())
        game_decisions.enforce_some(table.server, table.clock())

    return decree


ENDS = {
    "mate": (_mated, "checkmate"),
    "resignation": (_resigned, "resignation"),
    "a draw": (_drawn, "agreement"),
    "time": (_out_of_time, "time"),
    "time before anyone moved": (_never_begun, "void"),
    "adjudication for White": (_adjudicated("white"), "adjudication"),
    "adjudication as a draw": (_adjudicated("draw"), "adjudication"),
    "adjudication as void": (_adjudicated("void"), "void"),
}


@pytest.mark.parametrize(("end", "reason"), list(ENDS.values()), ids=list(ENDS))
def test_both_sides_can_verify_the_end(table: Table, end: Callable[[Table], None], reason: str) -> None:
    table.begin()
    end(table)
    for side in Side:
        assert proof(table, side).holds
        assert f'"reason":"{reason}"' in record(table, side)


def record(table: Table, side: Side) -> str:
    with table.server.store.reading() as connection:
        return game_records.write_record(connection, 1, side)


def proof(table: Table, side: Side) -> Proof:
    return prove(line.encode() for line in record(table, side).splitlines(keepends=True))


#: Emails of both sides until the game begins.
SET_UPS = {
    "White first": ((ANN, "deploy home"), (BEN, "deploy corner")),
    "Black first": ((BEN, "deploy home"), (ANN, "deploy corner")),
    "changed by White": ((ANN, "deploy home"), (ANN, "deploy corner"), (BEN, "deploy home")),
    "changed twice by Black": (
        (BEN, "deploy home"),
        (BEN, "deploy corner"),
        (BEN, "deploy spread"),
        (ANN, "deploy upturned"),
    ),
    "changed into a list of choices": (
        (ANN, "deploy home"),
        (ANN, "deploy corner\ndeploy vanguard"),
        (BEN, "deploy spread"),
    ),
    "refused and sent again": ((ANN, "deploy Ke1 Qd1"), (ANN, "deploy home"), (BEN, "deploy corner")),
    "refused after an accepted one": (
        (BEN, "deploy home"),
        (BEN, "deploy Ke8"),
        (ANN, "deploy Ke1"),
        (ANN, "deploy corner"),
    ),
    "changed before and after a clash": (
        (ANN, "deploy corner"),
        (ANN, "deploy Ke1 Qd1 Ra1 Rh1 Ba3 Bf1 Nb1 Ng1 a2 b2 c2 d2 e2 f2 g2 h2"),
        (BEN, "deploy Kf8 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 a7 b7 c7 d7 e6 f7 g7 h7"),
        (BEN, "deploy home"),
        (BEN, "deploy corner"),
        (ANN, "deploy home"),
    ),
}


@pytest.mark.parametrize("variant", ["assassin", "welbeck"])
@pytest.mark.parametrize("minutes", [0, 10], ids=["at one moment", "one after another"])
@pytest.mark.parametrize("set_ups", list(SET_UPS.values()), ids=list(SET_UPS))
def test_both_sides_can_verify_every_set_up(
    table: Table, set_ups: tuple[tuple[str, str], ...], minutes: int, variant: str
) -> None:
    table.begin(variant)
    for player, written in set_ups:
        table.reply(player, written)
        table.clock.advance(minutes=minutes)
    table.play("a2a3", "a7a6")
    table.reply(ANN, "resign resign")

    assert [proof(table, side).sentence for side in Side if not proof(table, side).holds] == []


@pytest.mark.parametrize("side", list(Side))
def test_a_replaced_set_up_cannot_pass_as_the_final_one(table: Table, side: Side) -> None:
    """Both set-ups are sealed, so leaving out the change is detected."""
    table.begin("welbeck")
    for player, written in SET_UPS["changed by White"]:
        table.reply(player, written)
        table.clock.advance(minutes=10)
    table.reply(ANN, "resign resign")

    lines = [line.encode() for line in record(table, side).splitlines(keepends=True)]
    assert not prove(reseal_with_lie(lines, _leave_out_the_change)).holds


def _leave_out_the_change(turns: dict[str, Any]) -> None:
    set_ups = turns["0.1"]
    if set_ups["white"]:
        del set_ups["white"]["part"]["orders"][1]
    else:
        set_ups["line"]["moves"][0]["move"] = "deploy home"
