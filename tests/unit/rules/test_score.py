"""W14: a score has own moves in full, the opponent's as `?`, and captures with an `x`."""

from __future__ import annotations

import pytest

from corr.rules.retold.score import lines, rows
from corr.rules.variants import find_umpire
from corr.words.board import SQUARE_NUMBER, PieceKind, Side
from corr.words.codes import Common, find_code
from corr.words.orders import Drop, Move
from corr.words.slips import Fact, Slip


def slips_after(*moves: str, fen: str | None = None) -> dict[Side, list[Slip]]:
    """Return the slips of either side."""
    umpire = find_umpire("wild16")
    rulings = [umpire.start(fen)]
    for text in moves:
        last = rulings[-1]
        assert last.turn
        move = Move(SQUARE_NUMBER[text[:2]], SQUARE_NUMBER[text[2:]])
        rulings.append(umpire.judge(last.truth, last.turn, move))
    return {side: [slip for ruling in rulings if (slip := ruling.slips[side])] for side in Side}


def test_each_side_has_its_own_score():
    slips = slips_after("e2e4", "d7d5", "e4d5", "d8d5", "b1c3")
    assert lines(slips[Side.WHITE]) == ("1. e2e4 ?", "2. e4xd5 ?xd5", "3. b1c3")
    assert lines(slips[Side.BLACK]) == ("1. ? d7d5", "2. ?xd5 d8xd5", "3. ?")


def test_en_passant_is_written_with_the_captured_pawns_square():
    slips = slips_after("e2e4", "a7a6", "e4e5", "d7d5", "e5d6")
    assert rows(slips[Side.BLACK])[-1] == ("3.", "?xd5")
    assert rows(slips[Side.WHITE])[-1] == ("3.", "e5xd6")


def test_a_score_has_no_refused_attempts():
    """W15."""
    slips = slips_after("e2e5", "e1e1", "e2e4", "e7e4", "e7e5")
    assert lines(slips[Side.WHITE]) == ("1. e2e4 ?",)
    assert lines(slips[Side.BLACK]) == ("1. ? e7e5",)


def test_a_game_begun_by_black_has_no_first_move_of_white():
    slips = slips_after("e8e7", "e1e2", fen="4k3/8/8/8/8/8/P7/4K3 b - - 0 1")
    assert lines(slips[Side.BLACK]) == ("1. … e8e7", "2. ?")


def test_only_the_own_score_has_the_square_of_a_drop():
    """Z5: `N@?`."""
    umpire = find_umpire("crazykrieg")
    first = umpire.start("4k3/8/8/8/8/8/8/4K3[Nb] w - - 0 1")
    second = umpire.judge(first.truth, Side.WHITE, Drop(PieceKind.KNIGHT, SQUARE_NUMBER["a4"]))
    third = umpire.judge(second.truth, Side.BLACK, Drop(PieceKind.BISHOP, SQUARE_NUMBER["h5"]))
    white, black = (
        [slip for ruling in (first, second, third) if (slip := ruling.slips[side])] for side in Side
    )
    assert lines(white) == ("1. N@a4 B@?",)
    assert lines(black) == ("1. N@? B@h5",)


def test_without_moves_a_score_is_empty():
    assert lines(slips_after()[Side.WHITE]) == ()


@pytest.mark.parametrize(
    ("fact", "written"),
    [
        (Fact(Common.CAPTURE, "A man is gone", (("square", None),)), "?x?"),
        (Fact.from_stored(Common.CAPTURE, "A man is gone", ()), "?x?"),
        (Fact.from_stored(Common.DROPPED, "A man dropped", (("side", "black"), ("move", None))), "?@?"),
        (Fact.from_stored(Common.TAKEN, "Your move went elsewhere", ()), "(?)"),
        (Fact.from_stored(find_code("unforeseen"), "Nobody says so any more", ()), "?"),
    ],
)
def test_what_a_variant_does_not_announce_is_unknown_in_the_score(fact: Fact, written: str):
    moved = Fact(Common.MOVED, "Black has moved", (("side", Side.BLACK), ("move", None)))
    facts = (fact,) if fact.code == Common.DROPPED else (moved, fact)
    before = slips_after("e2e4")[Side.WHITE]
    assert lines([*before, Slip(Side.WHITE, facts, before[-1].sight)]) == (f"1. e2e4 {written}",)
