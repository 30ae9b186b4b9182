"""Lists of tries: which ones are tried, one after another, and what each side hears."""

from __future__ import annotations

from textwrap import dedent

import pytest

from corr.orders import UnclearLine, parse_order
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Side
from corr.words.orders import Tries
from corr.words.slips import Slip
from tests.support.random_games import begin_game, impossible_tries
from tests.support.work_counter import count_calls

#: A variant and its moves so far; an order of the side to move; each try, what its side hears, and what the other.
CASES = """
wild16: e2e4 d7d5
e4f5, e1e3, e4d5, a2a3
  e4f5: Illegal move / nobody
  e1e3: Illegal move / nobody
  e4d5: Pawn at d5 captured. Black's move. 0 pawn tries / both

wild16: e2e4 d7d5
e4f5, e4f5, d1d4
  e4f5: Illegal move / nobody
  d1d4: Illegal move / nobody

wild16: e2e4 d7d5
e1e3, e4d5q
  e1e3, e4d5q: Only a pawn of yours that reaches the last rank can become another piece / nobody

cincinnati: e2e4 e7e5
e4d5, d1h5, g1e2, e1e2
  e4d5: Not tried: you could have seen it's impossible / nobody
  d1h5: Black's move / both

cincinnati: e2e4 d7d5
e4f5, d1d8, g1f3
  e4f5: Illegal / both
  d1d8: Not tried: you could have seen it's impossible / nobody
  g1f3: Black's move. Pawn capture / both

classic: e2e4 d7d5
e4f5, e4d5
  e4f5: White attempted an illegal move / both
  e4d5: White has moved. White has captured on d5. Black's move / both

classic: e2e4 d7d5
any? yes: g1f3, e4f5, e4d5 / no: a2a3
  any?: White asked Any?: Try! / both
  g1f3: Not tried: you could have seen it's impossible / nobody
  e4f5: White attempted an illegal move / both
  e4d5: White has moved. White has captured on d5. Black's move / both

classic: e2e4 e7e5
any? yes: e4d5, e4f5 / no: e4d5, d1g4, a2a3
  any?: White asked Any?: No / both
  e4d5: Not tried: you could have seen it's impossible / nobody
  d1g4: White has moved. Black's move / both

crazykrieg: e2e4 d7d5
N@f5, e4d5
  N@f5: Not tried: you could have seen it's impossible / nobody
  e4d5: White has moved. Pawn captured on d5. White's reserve: a pawn. Black's reserve: nothing. Black's move / both

rbc:
e2e4, d2d4
  e2e4, d2d4: A move that doesn't succeed ends your turn, so there are no lists here. Please write one move / nobody
"""


def sections() -> list[list[str]]:
    return [dedent(text).strip().splitlines() for text in CASES.strip().split("\n\n")]


def tries_of(variant: str, before: list[str], text: str) -> list[str]:
    """Return the tries of a list as the table writes them."""
    umpire = find_umpire(variant)
    ruling = umpire.start()
    for move in before:
        assert ruling.turn
        order = parse_order(move)
        assert not isinstance(order, UnclearLine)
        ruling = umpire.judge(ruling.truth, ruling.turn, order)
    side, order = ruling.turn, parse_order(text)
    assert side
    assert not isinstance(order, UnclearLine)
    return [
        f"{tried}: {heard(ruled.slips[side])} / {overheard(*(ruled.slips[each] for each in (side, side.other)))}"
        for tried, ruled in try_one_by_one(umpire, ruling.truth, side, order)
    ]


def heard(slip: Slip | None) -> str:
    return ". ".join(fact.text.rstrip(".") for fact in slip.facts if fact.text) if slip else ""


def overheard(own: Slip | None, others: Slip | None) -> str:
    return "both" if heard(own) == heard(others) else heard(others) or "nobody"


@pytest.mark.parametrize("case", sections(), ids=lambda case: f"{case[0]} {case[1]}")
def test_the_moves_of_a_list_are_tried_until_one_is_made(case: list[str]) -> None:
    head, order, *tries = case
    variant, _, before = head.partition(":")

    assert tries_of(variant, before.split(), order) == [each.removeprefix("  ") for each in tries]


def test_a_list_out_of_turn_tries_nothing() -> None:
    umpire = find_umpire("wild16")
    order = parse_order("e7e5, d7d5")
    assert not isinstance(order, UnclearLine)

    ((_, ruling),) = try_one_by_one(umpire, umpire.start().truth, Side.BLACK, order)

    assert heard(ruling.slips.black) == "It is White's turn"
    assert ruling.slips.white is None


@pytest.mark.parametrize("variant", [key for key in UMPIRES if key != "rbc"])
def test_judging_a_list_takes_linear_time(variant: str) -> None:
    umpire = find_umpire(variant)
    truth = begin_game(umpire).last.truth
    never = impossible_tries(umpire, truth).steps
    few, many = (Tries(never[:count]) for count in (50, 200))
    work = [
        count_calls(lambda tries=tries: list(try_one_by_one(umpire, truth, Side.WHITE, tries)))
        for tries in (few, many)
    ]
    assert len(never) == 200
    assert work[1] < 4.4 * work[0]
