"""Cincinnati: rulings that its table of positions can't show."""

from __future__ import annotations

from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.slips import Verdict
from tests.support.umpire_cases import order_of

UMPIRE = find_umpire("cincinnati")


def test_a_refusal_names_the_side_but_not_the_attempt():
    """Ci3: the attempt itself isn't disclosed."""
    ruling = UMPIRE.judge(UMPIRE.start().truth, Side.WHITE, order_of("a1a5"))
    assert ruling.slips.black.facts == ruling.slips.white.facts
    assert dict(ruling.slips.black.facts[0].data) == {"side": "white"}


def test_a_refusal_is_forgotten_after_the_next_move_but_survives_a_restart():
    """G6.f: within one turn."""
    ruling = UMPIRE.start("4k3/8/8/p7/8/8/8/R3K3 w - - 0 1")
    for text in ("a1a6", "e1d1", "e8d8"):
        assert ruling.turn
        ruling = UMPIRE.judge(UMPIRE.restore(UMPIRE.pack(ruling.truth)), ruling.turn, order_of(text))
    again = UMPIRE.judge(ruling.truth, Side.WHITE, order_of("a1a6"))
    assert again.verdict is Verdict.REFUSED
    restored = UMPIRE.restore(UMPIRE.pack(again.truth))
    assert UMPIRE.judge(restored, Side.WHITE, order_of("a1a6")).verdict is Verdict.NONSENSE
