"""Codes of facts: a fact must have its code's data, and stored facts stay readable."""

from __future__ import annotations

import subprocess
import sys

import pytest

from corr.words.board import Side
from corr.words.codes import MOVE, SIDE, SQUARE, Audience, Code, Common, Contract, Data, find_code
from corr.words.slips import Fact


@pytest.mark.parametrize(
    ("code", "data", "fault"),
    [
        (Common.CAPTURE, (), 'It needs "square", a square like "e4", or None for untold; it has nothing.'),
        (
            Common.ANY,
            (("side", Side.WHITE),),
            'It needs "answer", True or False; it has "side".',
        ),
        (Common.KING, (("square", "e9"),), 'Its "square" must be a square like "e4", but is \'e9\'.'),
        (Common.TRIES, (("count", True),), 'Its "count" must be a count, but is True.'),
        (Common.TURN, (("side", "green"),), "Its \"side\" must be a Side, but is 'green'."),
        (
            Common.MOVED,
            (("side", Side.WHITE), ("move", "Nf3")),
            'Its "move" must be a move like "e2e4", "N@f5" or "pass", or None for untold, but is \'Nf3\'.',
        ),
        (
            Common.SENSED,
            (("squares", ("e4",)),),
            "Its \"squares\" must be the Contents of squares, but is ('e4',).",
        ),
        (
            Common.ILLEGAL,
            (("move", "e2e4"),),
            '"move" isn\'t data of this code, which can have "side".',
        ),
    ],
)
def test_a_fact_with_wrong_data_is_refused(code: Code, data: Data, fault: str):
    with pytest.raises(ValueError, match="is wrong") as refused:
        Fact(code, "Something", data)
    assert str(refused.value) == f'The fact "{code}" is wrong. {fault}'


def test_a_fact_with_an_undeclared_code_is_refused():
    with pytest.raises(TypeError, match='No variant declares the code "rumour"'):
        Fact("rumour", "A man is gone")  # type: ignore[arg-type]


def test_a_code_for_moves_needs_side_and_move():
    with pytest.raises(ValueError, match='needs its "side" and its "move"'):
        Contract(Audience.MOVE, {"side": SIDE})
    assert Contract(Audience.MOVE, {"side": SIDE, "move": MOVE}).owes


def test_a_score_may_name_only_data_of_its_code():
    with pytest.raises(ValueError, match='names data that the code doesn\'t have: "where"'):
        Contract(Audience.BOTH, {"square": SQUARE}, score="?x{where}")


def test_a_stored_fact_is_read_even_if_its_code_has_changed():
    stored = Fact.from_stored(Common.CAPTURE, "A man is gone", (("where", "e4"),))
    assert (stored.code, stored["where"], stored.get("square")) == (Common.CAPTURE, "e4", None)


def test_a_code_no_longer_declared_keeps_its_name_and_is_not_public():
    code = find_code("rumour")
    fact = Fact.from_stored(code, "A man is gone", ())
    assert (str(code), code == find_code("rumour")) == ("rumour", True)
    assert not fact.is_public


def test_a_code_declared_after_it_was_read_is_found():
    assert not isinstance(find_code("late"), Common)

    class Late(Code):
        LATE = "late", Contract(Audience.BOTH)

    assert find_code("late") is Late.LATE


@pytest.mark.parametrize("code", [code for codes in Code.__subclasses__() for code in codes])
def test_every_code_is_found_by_name_and_declared_once(code: Code):
    assert find_code(code.value) is code
    assert [each for codes in Code.__subclasses__() for each in codes if each == code.value] == [code]


@pytest.mark.parametrize("process", ["corr.web", "worker.tasks"])
def test_every_process_that_reads_slips_loads_all_variants(process: str):
    program = f"import sys, {process}; assert 'corr.rules.variants' in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
