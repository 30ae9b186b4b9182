"""Every umpire says exactly what its table of positions says, with either colour."""

from __future__ import annotations

import re

import pytest

from corr.rules.core.umpire import Umpire
from corr.rules.variants import UMPIRES
from corr.words.board import Side
from corr.words.slips import Verdict
from tests.support.umpire_cases import Case, Line, cases_of, heard, judged

#: The verdict that an order's last sentence shows; any other sentence announces a move.
VERDICTS = {
    r"Impossible\.?$|^Nonsense$": Verdict.NONSENSE,
    r"[Ii]llegal( move)?$|tried: No\.$": Verdict.REFUSED,
    r"Any\?: ": Verdict.TOLD,
}


def verdict_of(key: str, line: Line) -> Verdict:
    if line.puzzled:
        return Verdict.UNREADABLE
    if key == "rbc":
        return Verdict.TOLD if len(line.heard) == 1 else Verdict.MOVED
    shown = (verdict for pattern, verdict in VERDICTS.items() if re.search(pattern, line.heard[-1]))
    return next(shown, Verdict.MOVED)


def overheard(key: str, line: Line) -> tuple[str, ...] | None:
    """Return what the other side hears: in most variants the same, unless the table says otherwise."""
    if line.puzzled or (key == "wild16" and set(line.heard) == {"Illegal move"}):
        return None
    public = tuple(text for text in line.heard if not text.startswith("Your spy"))
    return line.overheard or (None if key == "rbc" else public)


@pytest.mark.parametrize(
    ("umpire", "case"),
    [(umpire, case) for key, umpire in UMPIRES.items() for case in cases_of(key)],
    ids=lambda each: each.title if isinstance(each, Case) else each.card.key,
)
def test_the_umpire_matches_its_table(umpire: Umpire, case: Case):
    """AS-5 to AS-13, C1, D1, D3, D5, D7, D8, G1.3, G2, G6.h, G6.i, R1 to R13, W5, W16, Z1 to Z12, case by case."""
    key, ruling = umpire.card.key, umpire.start(case.fen)
    for line in case.lines:
        side, before = ruling.turn or Side.WHITE, ruling.truth
        if line.order != "start":
            assert ruling.turn
            ruling = judged(umpire, ruling.truth, side, line.order)
            assert ruling.verdict is verdict_of(key, line), line
        assert heard(ruling, side) == line.heard
        assert heard(ruling, side.other) == overheard(key, line)
        assert not line.puzzled or ruling.truth is before
        if ruling.verdict is Verdict.REFUSED:
            assert ruling.turn is side
            assert key != "wild16" or ruling.truth == before
