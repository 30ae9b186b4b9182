"""Classic "Any?": rulings that its table of positions can't show."""

from __future__ import annotations

import pytest

from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Ruling
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Ask, Order, Tries
from corr.words.slips import Losses, Verdict
from tests.support.umpire_cases import heard, order_of

UMPIRE = find_umpire("classic")
TRY = "4k3/8/8/3p4/4P3/8/P7/4K3 w - - 0 1"
NO = "4k3/8/8/8/4P3/8/P7/4K3 w - - 0 1"
HELD = "Not tried: you could have seen it's impossible"


def ruling_on(fen: str, order: Order) -> Ruling:
    return UMPIRE.judge(UMPIRE.start(fen).truth, Side.WHITE, order)


def branches(yes: str = "", no: str = "") -> Ask:
    """Return `any?` with what to try after either answer."""
    tries = [Tries((order_of(text),)) if text else None for text in (yes, no)]
    return Ask(*tries)


def rulings_on(fen: str, order: Order) -> list[Ruling]:
    """Return the rulings on a question and on each move tried after it."""
    return [ruling for _, ruling in try_one_by_one(UMPIRE, UMPIRE.start(fen).truth, Side.WHITE, order)]


def all_sentences(rulings: list[Ruling], side: Side) -> tuple[str, ...]:
    return tuple(text for ruling in rulings for text in heard(ruling, side) or ())


def test_the_move_given_for_the_answer_is_made():
    """C16: in one email."""
    rulings = rulings_on(TRY, branches(yes="e4d5", no="a2a3"))
    assert all_sentences(rulings, Side.BLACK) == (
        "White asked Any?: Try!",
        "White has moved",
        "White has captured on d5",
        "Black's move",
    )
    assert rulings[-1].verdict is Verdict.MOVED
    assert all_sentences(rulings_on(NO, branches(yes="e4d5", no="a2a3")), Side.BLACK) == (
        "White asked Any?: No",
        "White has moved",
        "Black's move",
    )


@pytest.mark.parametrize(("fen", "answer", "move"), [(TRY, "Try!", "a2a3"), (NO, "No", "e4d5")])
def test_a_move_that_the_answer_rules_out_is_held_back_in_private(fen: str, answer: str, move: str):
    """C16: an "Impossible" that both hear must be the player's own fault."""
    rulings = rulings_on(fen, branches(yes=move, no=move))

    assert all_sentences(rulings, Side.BLACK) == (f"White asked Any?: {answer}",)
    assert all_sentences(rulings, Side.WHITE) == (f"White asked Any?: {answer}", HELD)
    assert (rulings[-1].verdict, rulings[-1].turn) == (Verdict.HELD, Side.WHITE)


def test_nothing_is_asked_if_a_move_is_unreadable():
    (ruling,) = rulings_on(TRY, branches(yes="e4d5n"))
    assert ruling.verdict is Verdict.UNREADABLE
    assert ruling.slips.black is None


def test_questions_and_refusals_survive_a_restart():
    """C7, G6.f: in another process too."""
    ruling = ruling_on(TRY, Ask())
    for text, verdict in (("a2a3", Verdict.NONSENSE), ("e4f5", Verdict.REFUSED), ("e4f5", Verdict.NONSENSE)):
        ruling = UMPIRE.judge(UMPIRE.restore(UMPIRE.pack(ruling.truth)), Side.WHITE, order_of(text))
        assert ruling.verdict is verdict
    restored = UMPIRE.restore(UMPIRE.pack(ruling.truth))
    assert UMPIRE.judge(restored, Side.WHITE, order_of("a2a3")).verdict is Verdict.MOVED


def test_a_side_knows_its_losses_but_only_the_number_of_its_captures():
    """C15: the kinds of captured pieces stay unknown."""
    ruling = ruling_on(TRY, order_of("e4d5"))
    assert ruling.slips.white.sight.lost.black == Losses(1, None)
    assert ruling.slips.black.sight.lost.black == Losses(1, 1)


def test_the_opponent_learns_neither_the_move_nor_the_attempt():
    """C2: the attempt itself isn't disclosed."""
    refused, made = ruling_on(TRY, order_of("e4f5")), ruling_on(TRY, order_of("a2a3"))
    assert [dict(fact.data) for fact in refused.slips.black.facts] == [{"side": "white"}]
    assert dict(made.slips.black.facts[0].data) == {"side": "white", "move": None}
    assert dict(made.slips.white.facts[0].data) == {"side": "white", "move": "a2a3"}


def test_moves_after_an_impossible_question_are_not_tried():
    """C10, C16: both hear the same "Impossible"."""
    once = ruling_on(NO, Ask())
    rulings = [
        ruling
        for _, ruling in try_one_by_one(UMPIRE, once.truth, Side.WHITE, branches(yes="a2a3", no="a2a3"))
    ]
    assert all_sentences(rulings, Side.BLACK) == ("White: Impossible",)
    assert all_sentences(rulings, Side.WHITE) == (
        "White: Impossible",
        "Not tried: the question before it was impossible",
    )
    assert (rulings[-1].verdict, rulings[-1].turn) == (Verdict.HELD, Side.WHITE)
