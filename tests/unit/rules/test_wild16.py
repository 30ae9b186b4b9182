"""Wild 16: rulings that its table of positions can't show."""

from __future__ import annotations

import re

import pytest

from corr.rules.core.umpire import Ruling
from corr.rules.variants import find_umpire
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.orders import Castle
from corr.words.slips import Losses, Outcome, Verdict
from tests.support.umpire_cases import cases_of, heard, order_of

UMPIRE = find_umpire("wild16")
CASES = cases_of("wild16")


def test_the_table_has_every_case_of_the_rulings():
    numbers = {case.title.split(" ")[0].rstrip(":") for case in CASES}
    assert {f"T{number}" for number in range(1, 24)} <= numbers


def ruling_after(*orders: str, fen: str | None = None) -> Ruling:
    """Return the ruling on the last of these orders of the side to move."""
    ruling = UMPIRE.start(fen)
    for text in orders:
        assert ruling.turn
        ruling = UMPIRE.judge(ruling.truth, ruling.turn, order_of(text))
    return ruling


def test_the_start_announces_the_turn_and_no_pawn_tries():
    """W1: from the normal array."""
    ruling = UMPIRE.start()
    assert heard(ruling, Side.WHITE) == heard(ruling, Side.BLACK) == ("White's move", "0 pawn tries")
    assert (ruling.verdict, ruling.turn) == (Verdict.TOLD, Side.WHITE)


def test_only_the_mover_is_told_the_move():
    """W2, G1.5: a legal attempt is the move."""
    ruling = ruling_after("e2e4")
    assert ruling.slips.white.facts[0].data == (("side", "white"), ("move", "e2e4"))
    assert ruling.slips.black.facts[0].data == (("side", "white"), ("move", None))


def test_an_en_passant_capture_has_the_data_of_any_capture():
    ruling = ruling_after("e2e4", "a7a6", "e4e5", "d7d5", "e5d6")
    capture = next(fact for fact in ruling.slips.black.facts if fact.code == "capture")
    assert dict(capture.data) == {"square": "d5", "man": "pawn", "en_passant": False}


def test_a_side_sees_its_own_pieces_and_at_the_end_everything():
    """G9."""
    ruling = ruling_after("f2f3", "e7e5", "g2g4")
    assert ruling.slips.black.sight.letters() == (
        "????????????????????????????????????p???????????pppp?ppprnbqkbnr"
    )
    over = UMPIRE.judge(ruling.truth, Side.BLACK, order_of("d8h4"))
    assert over.outcome == Outcome(Side.BLACK, "checkmate")
    assert (
        over.slips.white.sight.letters()
        == over.slips.black.sight.letters()
        == ("RNBQKBNRPPPPP..P.....P........Pq....p...........pppp.ppprnb.kbnr")
    )


def test_a_sight_counts_lost_pieces_and_pawns():
    ruling = ruling_after("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "a7a6", "c3d5")
    for slip in (ruling.slips.white, ruling.slips.black):
        assert slip.sight.lost == Pair(Losses(1, 1), Losses(2, 1))


def test_a_sight_has_only_own_castling_rights():
    ruling = ruling_after("e2e4", "e7e5", "e1e2")
    assert ruling.slips.white.sight.castling == ()
    assert ruling.slips.black.sight.castling == (Castle.SHORT, Castle.LONG)


def test_a_rook_captured_at_home_loses_its_castling_right():
    ruling = ruling_after("a1a8", fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert ruling.slips.white.sight.castling == (Castle.SHORT,)
    assert ruling.slips.black.sight.castling == (Castle.SHORT,)


def test_an_order_out_of_turn_is_not_tried():
    """G1.2."""
    ruling = UMPIRE.judge(UMPIRE.start().truth, Side.BLACK, order_of("e7e5"))
    assert ruling.verdict is Verdict.UNREADABLE
    assert heard(ruling, Side.BLACK) == ("It is White's turn.",)
    assert heard(ruling, Side.WHITE) is None


def test_after_the_end_only_the_sender_of_an_order_gets_an_answer():
    truth = ruling_after("f2f3", "e7e5", "g2g4", "d8h4").truth
    ruling = UMPIRE.judge(truth, Side.WHITE, order_of("e2e4"))
    assert (ruling.verdict, ruling.turn) == (Verdict.OVER, None)
    assert heard(ruling, Side.WHITE) == ("The game is over.",)
    assert heard(ruling, Side.BLACK) is None


ENDS = [
    (
        lambda truth: UMPIRE.resigned(truth, Side.WHITE),
        "White resigns. Black wins.",
        Side.BLACK,
        "resignation",
    ),
    (UMPIRE.agreed, "Draw: agreement.", None, "agreement"),
    (
        lambda truth: UMPIRE.flagged(truth, Side.BLACK),
        "Black is out of time. White wins.",
        Side.WHITE,
        "time",
    ),
]


@pytest.mark.parametrize(("end", "sentence", "winner", "reason"), ENDS)
def test_an_end_off_the_board_shows_both_the_whole_board(end, sentence, winner, reason):
    ruling = end(ruling_after("e2e4").truth)
    assert heard(ruling, Side.WHITE) == heard(ruling, Side.BLACK) == (sentence,)
    assert (ruling.outcome, ruling.turn) == (Outcome(winner, reason), None)
    assert "?" not in ruling.slips.white.sight.letters() + ruling.slips.black.sight.letters()
    assert UMPIRE.judge(ruling.truth, Side.BLACK, order_of("e7e5")).verdict is Verdict.OVER


@pytest.mark.parametrize(
    ("fen", "winner", "sentence"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", Side.WHITE, "Black is out of time. White wins."),
        ("4k3/7p/8/8/8/8/8/N3K3 b - - 0 1", Side.WHITE, "Black is out of time. White wins."),
        (
            "3qk3/8/8/8/8/8/8/4K3 b - - 0 1",
            None,
            "Black is out of time. Draw: White has insufficient material.",
        ),
        (
            "3qk3/8/8/8/8/8/8/B3K3 b - - 0 1",
            None,
            "Black is out of time. Draw: White has insufficient material.",
        ),
    ],
)
def test_out_of_time_is_a_draw_if_the_other_side_cannot_mate(fen, winner, sentence):
    ruling = UMPIRE.flagged(UMPIRE.start(fen).truth, Side.BLACK)
    assert heard(ruling, Side.BLACK) == (sentence,)
    assert ruling.outcome == Outcome(winner, "time")


@pytest.mark.parametrize(
    ("fen", "sentence"),
    [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "This position can't be played: White has no king."),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "This position can't be played: Black has no king."),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "This position can't be played: a side has two kings."),
        (
            "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            "This position can't be played: the side that isn't to move is in check.",
        ),
        (
            "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "This position can't be played: a pawn is on the first or last rank.",
        ),
        (
            "4k3/8/8/8/8/8/P7/4K3 w - - 0 99999",
            "This position can't be played: its move numbers are too large.",
        ),
    ],
)
def test_an_impossible_position_is_refused(fen, sentence):
    with pytest.raises(Refused, match=re.escape(sentence)):
        UMPIRE.start(fen)


def test_an_unreadable_fen_is_refused():
    with pytest.raises(Refused, match=r"^We can't read this FEN: "):
        UMPIRE.start("one board, please")


@pytest.mark.parametrize(
    ("fen", "sentence", "reason"),
    [
        ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "Stalemate. Draw.", "stalemate"),
        ("7k/8/8/8/8/8/8/K7 b - - 0 1", "Draw: insufficient material.", "material"),
        ("7k/8/8/8/8/8/8/KR6 b - - 100 90", "Draw: fifty moves.", "fifty"),
    ],
)
def test_a_starting_position_can_end_the_game(fen, sentence, reason):
    ruling = UMPIRE.start(fen)
    assert heard(ruling, Side.WHITE) == heard(ruling, Side.BLACK) == (sentence,)
    assert (ruling.outcome, ruling.turn) == (Outcome(None, reason), None)


def test_impossible_rights_of_a_starting_position_are_dropped():
    ruling = UMPIRE.start("4k3/8/8/8/8/8/8/4K3P w KQkq e6 0 1".replace("K3P", "K2R"))
    assert ruling.slips.white.sight.castling == (Castle.SHORT,)
    assert ruling.slips.black.sight.castling == ()
    assert UMPIRE.fen(ruling.truth) == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def test_the_repr_of_a_truth_reveals_nothing():
    assert repr(ruling_after("e2e4", "e7e5").truth) == "<Truth after 2 moves>"


def test_a_possible_en_passant_capture_makes_a_different_position():
    """G7: after the first d7d5 White could capture en passant, so that position doesn't repeat."""
    back = ("g1f3", "g8f6", "f3g1", "f6g8")
    assert ruling_after("e2e4", "a7a6", "e4e5", "d7d5", *back, *back).outcome is None
    assert ruling_after("e2e4", "a7a6", "e4e5", "d7d5", *back, *back, "g1f3").outcome == Outcome(
        None, "repetition"
    )


def test_an_en_passant_square_without_a_capture_makes_no_different_position():
    """G7: only a legal en passant capture counts, and after e2e4 there is none."""
    back = ("g8f6", "g1f3", "f6g8", "f3g1")
    assert ruling_after("e2e4", *back, *back).outcome == Outcome(None, "repetition")
