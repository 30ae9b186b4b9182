"""Every umpire says exactly what its table of positions says, with either colour."""

from __future__ import annotations

import pytest

from corr.rules.core.umpire import Umpire
from corr.rules.variants import UMPIRES
from corr.words.board import Side
from corr.words.slips import Verdict
from tests.support.umpire_cases import Case, cases_of, heard, judged


@pytest.mark.parametrize(
    ("umpire", "case"),
    [(umpire, case) for key, umpire in UMPIRES.items() for case in cases_of(key)],
    ids=lambda each: each.title if isinstance(each, Case) else each.card.key,
)
def test_the_umpire_says_what_its_table_says(umpire: Umpire, case: Case):
    """A test of the variant's own says which verdict this is, and what its other side doesn't hear."""
    ruling = umpire.start(case.fen)
    for line in case.lines:
        side, before = ruling.turn or Side.WHITE, ruling.truth
        if line.order != "start":
            ruling = judged(umpire, ruling.truth, side, line.order)
            assert (ruling.verdict is Verdict.UNREADABLE) is line.puzzled
        assert heard(ruling, side) == line.heard
        assert {*(heard(ruling, side.other) or ())} <= {*(line.overheard or line.heard)}
        assert not line.overheard or heard(ruling, side.other) == line.overheard
        assert not line.puzzled or ruling.truth is before
