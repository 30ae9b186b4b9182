"""What every umpire must keep to, in the first attempts of a game; the long tests play whole games."""

from __future__ import annotations

from itertools import islice

import pytest

from corr.rules.core.umpire import Umpire
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import SQUARE_NUMBER, Pair, Side
from corr.words.codes import Common
from corr.words.orders import Move
from corr.words.slips import Fact
from tests.support.umpire_promises import attempts, broken_promises, sight_errors

every_umpire = pytest.mark.parametrize("umpire", UMPIRES.values(), ids=UMPIRES)
MANY = 60


@every_umpire
def test_the_first_attempts_break_no_promise(umpire: Umpire):
    for truth, side, order, ruling in islice(attempts(umpire, 0), MANY):
        assert [*sight_errors(umpire, ruling), *broken_promises(umpire, ruling)] == []
        before = umpire.pack(truth)
        assert umpire.judge(truth, side, order) == ruling
        assert umpire.pack(truth) == before
        assert umpire.restore(umpire.pack(ruling.truth)) == ruling.truth


def without_square(fact: Fact) -> Fact:
    """Return a capture without its square, as in a variant that doesn't announce squares."""
    data = tuple((key, None if key == "square" else datum) for key, datum in fact.data)
    return Fact(fact.code, "Something was captured", data) if fact.code == Common.CAPTURE else fact


def test_a_missing_capture_square_breaks_the_cards_promise():
    umpire = find_umpire("wild16")
    order = Move(SQUARE_NUMBER["e4"], SQUARE_NUMBER["d5"])
    ruling = umpire.judge(umpire.start("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").truth, Side.WHITE, order)
    both = filter(None, (ruling.slips.white, ruling.slips.black))
    slips = [slip._replace(facts=tuple(map(without_square, slip.facts))) for slip in both]

    broken = [*broken_promises(umpire, ruling._replace(slips=Pair(*slips)))]

    assert [each.partition(" has no square: ")[2] for each in broken] == 2 * [
        "leave capture square out of what the card says is told."
    ]
