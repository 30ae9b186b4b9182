"""Classic "Any?" says exactly what a table of positions says it says, to both, with either colour."""

from __future__ import annotations

import pytest

from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Ruling
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Ask, Order, Tries
from corr.words.slips import Losses, Verdict
from tests.support.umpire_cases import Case, cases_of, heard, judged, order_of

UMPIRE = find_umpire("classic")
TRY = "4k3/8/8/3p4/4P3/8/P7/4K3 w - - 0 1"
NO = "4k3/8/8/8/4P3/8/P7/4K3 w - - 0 1"
HELD = "Not tried: you could have seen it's impossible"


def verdict_of(sentences: tuple[str, ...]) -> Verdict:
    last = sentences[-1]
    if last.endswith("Impossible"):
        return Verdict.NONSENSE
    if last.endswith("illegal move"):
        return Verdict.REFUSED
    return Verdict.TOLD if "Any?" in last else Verdict.MOVED


@pytest.mark.parametrize("case", cases_of("classic"), ids=lambda case: case.title)
def test_the_umpire_says_what_the_table_says_and_both_hear_it(case: Case):
    """C1, D3, D7, D8, G1.3, G6.h, G6.i: case by case."""
    ruling = UMPIRE.start(case.fen)
    for line in case.lines:
        side, before = ruling.turn, ruling.truth
        assert side is not None
        if line.order != "start":
            ruling = judged(UMPIRE, ruling.truth, side, line.order)
            assert ruling.verdict is (Verdict.UNREADABLE if line.puzzled else verdict_of(line.heard))
        assert heard(ruling, side) == line.heard
        assert heard(ruling, side.other) == (None if line.puzzled else line.overheard or line.heard)
        assert not line.puzzled or ruling.truth is before


def asked(fen: str, order: Order) -> Ruling:
    return UMPIRE.judge(UMPIRE.start(fen).truth, Side.WHITE, order)


def branches(yes: str = "", no: str = "") -> Ask:
    """`any?` with what to try after either answer."""
    tries = [Tries((order_of(text),)) if text else None for text in (yes, no)]
    return Ask(*tries)


def tried(fen: str, order: Order) -> list[Ruling]:
    """What becomes of a question and of each move that is tried after it."""
    return [ruling for _, ruling in try_one_by_one(UMPIRE, UMPIRE.start(fen).truth, Side.WHITE, order)]


def all_heard(rulings: list[Ruling], side: Side) -> tuple[str, ...]:
    return tuple(text for ruling in rulings for text in heard(ruling, side) or ())


def test_after_the_answer_the_move_that_is_written_for_it_is_made():
    """C16: in one letter."""
    rulings = tried(TRY, branches(yes="e4d5", no="a2a3"))
    assert all_heard(rulings, Side.BLACK) == (
        "White asked Any?: Try!",
        "White has moved",
        "White has captured on d5",
        "Black's move",
    )
    assert rulings[-1].verdict is Verdict.MOVED
    assert all_heard(tried(NO, branches(yes="e4d5", no="a2a3")), Side.BLACK) == (
        "White asked Any?: No",
        "White has moved",
        "Black's move",
    )


@pytest.mark.parametrize(("fen", "answer", "move"), [(TRY, "Try!", "a2a3"), (NO, "No", "e4d5")])
def test_a_move_that_the_answer_rules_out_is_held_back_and_only_its_player_is_told(
    fen: str, answer: str, move: str
):
    """C16: an Impossible that both hear must be the player's own doing."""
    rulings = tried(fen, branches(yes=move, no=move))

    assert all_heard(rulings, Side.BLACK) == (f"White asked Any?: {answer}",)
    assert all_heard(rulings, Side.WHITE) == (f"White asked Any?: {answer}", HELD)
    assert (rulings[-1].verdict, rulings[-1].turn) == (Verdict.HELD, Side.WHITE)


def test_nothing_is_asked_beside_a_move_that_cannot_be_read():
    (ruling,) = tried(TRY, branches(yes="e4d5n"))
    assert ruling.verdict is Verdict.UNREADABLE
    assert ruling.slips.black is None


def test_what_was_asked_and_refused_is_kept_over_a_restart():
    """C7, G6.f: in another process too."""
    ruling = asked(TRY, Ask())
    for text, verdict in (("a2a3", Verdict.NONSENSE), ("e4f5", Verdict.REFUSED), ("e4f5", Verdict.NONSENSE)):
        ruling = UMPIRE.judge(UMPIRE.restore(UMPIRE.pack(ruling.truth)), Side.WHITE, order_of(text))
        assert ruling.verdict is verdict
    restored = UMPIRE.restore(UMPIRE.pack(ruling.truth))
    assert UMPIRE.judge(restored, Side.WHITE, order_of("a2a3")).verdict is Verdict.MOVED


def test_a_side_knows_what_it_has_lost_and_only_how_many_it_has_taken():
    """C15: the types of the captured men are not known."""
    ruling = asked(TRY, order_of("e4d5"))
    assert ruling.slips.white.sight.lost.black == Losses(1, None)
    assert ruling.slips.black.sight.lost.black == Losses(1, 1)


def test_the_opponent_learns_neither_the_move_nor_the_attempt():
    """C2: the attempt itself is not disclosed."""
    refused, made = asked(TRY, order_of("e4f5")), asked(TRY, order_of("a2a3"))
    assert [dict(fact.data) for fact in refused.slips.black.facts] == [{"side": "white"}]
    assert dict(made.slips.black.facts[0].data) == {"side": "white", "move": None}
    assert dict(made.slips.white.facts[0].data) == {"side": "white", "move": "a2a3"}


def test_what_stands_beside_an_impossible_question_is_not_tried_and_its_player_is_told():
    """C10, C16: both hear the same Impossible."""
    once = asked(NO, Ask())
    rulings = [
        ruling
        for _, ruling in try_one_by_one(UMPIRE, once.truth, Side.WHITE, branches(yes="a2a3", no="a2a3"))
    ]
    assert all_heard(rulings, Side.BLACK) == ("White: Impossible",)
    assert all_heard(rulings, Side.WHITE) == (
        "White: Impossible",
        "Not tried: the question before it was impossible",
    )
    assert (rulings[-1].verdict, rulings[-1].turn) == (Verdict.HELD, Side.WHITE)
