"""Cincinnati says exactly what a table of positions says it says, to both, with either colour."""

from __future__ import annotations

import pytest

from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.slips import Verdict
from tests.support.umpire_cases import Case, cases_of, heard, judged, order_of

UMPIRE = find_umpire("cincinnati")
SAID = {("Illegal",): Verdict.REFUSED, ("Nonsense",): Verdict.NONSENSE}


@pytest.mark.parametrize("case", cases_of("cincinnati"), ids=lambda case: case.title)
def test_the_umpire_says_what_the_table_says_and_both_hear_it(case: Case):
    ruling = UMPIRE.start(case.fen)
    for line in case.lines:
        side, before = ruling.turn, ruling.truth
        assert side is not None
        if line.order != "start":
            ruling = judged(UMPIRE, ruling.truth, side, line.order)
        assert heard(ruling, side) == line.heard
        if line.puzzled:
            assert ruling.verdict is Verdict.UNREADABLE
            assert heard(ruling, side.other) is None
            assert ruling.truth is before
        else:
            assert heard(ruling, side.other) == (line.overheard or line.heard)
            assert ruling.verdict is SAID.get(line.heard, ruling.verdict)


def test_a_refusal_names_whose_it_was_and_never_the_attempt():
    """Ci3: the attempt itself is not disclosed."""
    ruling = UMPIRE.judge(UMPIRE.start().truth, Side.WHITE, order_of("a1a5"))
    assert ruling.slips.black.facts == ruling.slips.white.facts
    assert dict(ruling.slips.black.facts[0].data) == {"side": "white"}


def test_what_was_refused_is_forgotten_with_the_next_move_and_kept_over_a_restart():
    """G6.f: within one turn: G6.f: in this turn."""
    ruling = UMPIRE.start("4k3/8/8/p7/8/8/8/R3K3 w - - 0 1")
    for text in ("a1a6", "e1d1", "e8d8"):
        assert ruling.turn
        ruling = UMPIRE.judge(UMPIRE.restore(UMPIRE.pack(ruling.truth)), ruling.turn, order_of(text))
    again = UMPIRE.judge(ruling.truth, Side.WHITE, order_of("a1a6"))
    assert again.verdict is Verdict.REFUSED
    restored = UMPIRE.restore(UMPIRE.pack(again.truth))
    assert UMPIRE.judge(restored, Side.WHITE, order_of("a1a6")).verdict is Verdict.NONSENSE
