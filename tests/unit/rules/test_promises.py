"""What every umpire keeps to, in the first attempts of a game; the long lane plays whole games."""

from __future__ import annotations

from itertools import islice

import pytest

from corr.rules.core.umpire import Umpire
from corr.rules.variants import UMPIRES
from tests.support.promises import attempts, broken_promises, lies

every_umpire = pytest.mark.parametrize("umpire", UMPIRES.values(), ids=UMPIRES)
MANY = 60


@every_umpire
def test_the_first_attempts_of_a_game_break_no_promise(umpire: Umpire):
    for truth, side, order, ruling in islice(attempts(umpire, 0), MANY):
        assert [*lies(umpire, ruling), *broken_promises(umpire, ruling)] == []
        before = umpire.pack(truth)
        assert umpire.judge(truth, side, order) == ruling
        assert umpire.pack(truth) == before
        assert umpire.restore(umpire.pack(ruling.truth)) == ruling.truth
