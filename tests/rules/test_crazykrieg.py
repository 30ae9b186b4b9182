"""CrazyKrieg says exactly what a table of positions says it says, to both, with either colour."""

from __future__ import annotations

import pytest
from cases import Case, cases_of, heard, order_of

from corr.rules import umpire_of
from corr.words import Side, Verdict

UMPIRE = umpire_of("crazykrieg")


def verdict_of(sentences: tuple[str, ...]) -> Verdict:
    last = sentences[-1]
    if "tried" in last:
        return Verdict.NONSENSE if "Impossible" in last else Verdict.REFUSED
    return Verdict.TOLD if "Any?" in last else Verdict.MOVED


@pytest.mark.parametrize("case", cases_of("crazykrieg"), ids=lambda case: case.title)
def test_the_umpire_says_what_the_table_says_and_both_hear_it(case: Case):
    """Z1 to Z12, case by case."""
    ruling = UMPIRE.start(case.fen)
    for line in case.lines:
        side, before = ruling.turn or Side.WHITE, ruling.truth
        if line.order != "start":
            ruling = UMPIRE.judge(ruling.truth, side, order_of(line.order))
            assert ruling.verdict is (Verdict.UNREADABLE if line.puzzled else verdict_of(line.heard))
        assert heard(ruling, side) == line.heard
        assert heard(ruling, side.other) == (None if line.puzzled else line.heard)
        assert not line.puzzled or ruling.truth is before
