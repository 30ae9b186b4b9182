"""How a bot chooses its order when the best move is obvious."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import chess
import pytest

from corr.bots import order_choice
from corr.bots.bot import BotPlayer
from corr.bots.characters import CHARACTERS
from corr.bots.evaluation import PieceValues
from corr.bots.history import Observation
from corr.bots.move_scores import PastPlay, evaluate_ruling, parse_option, rank_moves
from corr.bots.order_choice import choose_order
from corr.bots.possible_positions import Belief
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Ask, Move, Order, Sense, Tries
from tests.support.umpire_cases import drawn_fen

STRONGEST = CHARACTERS["strongest"]


@dataclass
class Board:
    """A known position and its best moves."""

    title: str
    variant: str
    drawn: str
    first: tuple[str, ...]  # any of these may come first


BOARDS = [
    Board(
        "a hanging queen is captured",
        "wild16",
        """
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . . q . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . R K . . .
        white to move
        """,
        ("d1d5",),
    ),
    Board(
        "mate comes first",
        "wild16",
        """
        . . . . . . k .
        . . . . . p p p
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        q . . . . P P P
        . . . R . . K .
        white to move
        """,
        ("d1d8",),
    ),
    Board(
        "a bare king is mated and not stalemated",
        "cincinnati",
        """
        k . . . . . . .
        . . . . . . . .
        . K . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . Q . . . . .
        . . . . . . . .
        white to move
        """,
        ("c2c8", "c2h7", "c2g7", "c2c7"),
    ),
    Board(
        "a pawn promotes to a queen",
        "wild16",
        """
        . . . . . . . .
        P . . . . k . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . K . . .
        white to move
        """,
        ("a7a8q",),
    ),
    Board(
        "the king is captured if that wins",
        "rbc",
        """
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . q .
        . . . . . . . .
        . . . . . . P .
        . . . . R K . .
        white to move
        """,
        ("e1e8",),
    ),
    Board(
        "mate without the assassin would lose, so another move is made",
        "assassin",
        """
        . . . . . . k .
        . . . . . p p p
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        Q . . . . P P P
        . . . R . . K .
        white to move
        """,
        ("a2a8",),
    ),
]


def believe_in(variant: str, *fens: str) -> tuple[Any, Belief]:
    """Return a belief in these positions, all equally likely, and the umpire."""
    umpire = find_umpire(variant)
    rulings = [umpire.start(fen) for fen in fens]
    side = rulings[0].turn
    slip = rulings[0].slips[side]
    return umpire, Belief(tuple(ruling.truth for ruling in rulings), (Observation(slip),), is_whole=True)


def fen_of(drawn: str) -> str:
    *rows, caption = [line.strip() for line in drawn.strip().splitlines()]
    return drawn_fen(rows, caption)


def chosen_order(variant: str, *fens: str) -> Order:
    umpire, belief = believe_in(variant, *fens)
    return choose_order(umpire, belief.turn[0].slip.sight, belief, STRONGEST, Random(1))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.title)
def test_the_best_move_in_a_known_position_comes_first(board: Board):
    fen = fen_of(board.drawn)
    if board.variant != "rbc":
        order = chosen_order(board.variant, fen)
        assert isinstance(order, Tries)
        assert str(order.steps[0]) in board.first
        return
    umpire, belief = believe_in(board.variant, fen)
    sensed = umpire.judge(belief.truths[0], belief.turn[0].slip.side, Sense(None))
    sight = sensed.slips.white.sight
    order = choose_order(umpire, sight, Belief((sensed.truth,), belief.turn), STRONGEST, Random(1))
    assert str(order) in board.first


#: White can win a piece with the rook that guards the first rank; the black rook may be on any of these squares.
GUARDS_THE_KING = "4r2k/6pp/b7/8/8/8/5PPP/R5K1 w - - 0 1"
GUARDED_FROM_ELSEWHERE = ("6rk/6pp/b7/8/8/8/5PPP/R5K1 w - - 0 1", "7k/6pr/b6p/8/8/8/5PPP/R5K1 w - - 0 1")
AGAINST_AN_ASSASSIN = "4q2k/6pp/b7/8/7Q/8/5PPP/R5K1 w - - 0 1"
AGAINST_A_DROP = "7k/6pp/b7/n7/8/8/5PPP/R5K1[q] w - - 0 1"


@pytest.mark.parametrize(
    ("variant", "fens", "capture"),
    [
        *(
            (variant, (GUARDS_THE_KING,), "a1a6")
            for variant in ("wild16", "cincinnati", "classic", "welbeck")
        ),
        ("wild16", (*GUARDED_FROM_ELSEWHERE, GUARDS_THE_KING), "a1a6"),
        ("crazykrieg", (AGAINST_A_DROP,), "a1a5"),
        ("assassin", (AGAINST_AN_ASSASSIN,), "a1a6"),
    ],
)
def test_a_capture_that_allows_mate_is_avoided(variant: str, fens: tuple[str, ...], capture: str) -> None:
    in_danger, with_escape = (
        chosen_order(variant, *each) for each in (fens, [fen.replace("8/5PPP", "7P/5PP1") for fen in fens])
    )

    assert isinstance(in_danger, Tries)
    assert isinstance(with_escape, Tries)
    assert str(in_danger.steps[0]) != capture
    assert str(with_escape.steps[0]) == capture


def test_a_king_is_safer_behind_his_pieces() -> None:
    behind = "rnbqkbnr/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQ1RK1 b kq - 0 1"
    outside = "rnbqkbnr/pppp1ppp/8/8/8/4K3/PPPP1PPP/RNBQ1R2 b kq - 0 1"
    scale = PieceValues.of("wild16")
    assert scale.worth(chess.Board(behind), white=True) > scale.worth(chess.Board(outside), white=True)


BISHOP_ALONE = """
. . b q k b . r
p p p p B p p p
. . n . . n . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
P P P P . P P P
R N . Q K . N .
black to move
"""
WITH_A_ROOK_BEHIND = BISHOP_ALONE.replace("R N . Q K . N .", "R N . Q R K N .")


@pytest.mark.parametrize(("taken", "is_first"), [(chess.E7, True), (None, False)])
def test_a_recapture_is_considered_even_if_the_first_positions_forbid_it(
    taken: int | None, *, is_first: bool
):
    guarded, alone = (fen_of(each).replace(" b ", "[n] b ") for each in (WITH_A_ROOK_BEHIND, BISHOP_ALONE))
    umpire, belief = believe_in("crazykrieg", *[guarded] * 2, *[alone] * 10)
    weighed = [(truth, 1.0) for truth in belief.truths]
    sight = belief.turn[0].slip.sight

    wishes = rank_moves(umpire, sight, weighed, 0.0, Random(1), PastPlay(taken=taken))

    share = next(wish.share for wish in wishes if str(wish.order) == "e8e7")
    assert (share == pytest.approx(10 / 12)) is is_first


def test_drawing_a_won_position_is_worse_than_losing_a_queen():
    umpire = find_umpire("wild16")
    ahead = umpire.start("k7/8/8/8/3Q4/6K1/8/8 w - - 0 1")
    drawn = umpire.judge(umpire.start("7k/8/8/6Q1/8/8/8/K7 w - - 0 1").truth, Side.WHITE, Move(38, 46))
    behind = umpire.start("7k/8/8/3q4/8/6K1/8/8 b - - 0 1")
    assert drawn.outcome
    scale = PieceValues.of("wild16")
    assert evaluate_ruling(drawn, scale, Side.WHITE) < evaluate_ruling(behind, scale, Side.WHITE)
    assert evaluate_ruling(drawn, scale, Side.BLACK) > evaluate_ruling(ahead, scale, Side.BLACK)


def test_a_piece_in_reserve_has_value_but_less_than_on_the_board():
    umpire, scale = find_umpire("crazykrieg"), PieceValues.of("crazykrieg")
    fens = ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1")
    none, held = (umpire.start(fen) for fen in fens)
    dropped = umpire.judge(held.truth, Side.WHITE, parse_option("N@d4"))
    values = [evaluate_ruling(ruling, scale, Side.WHITE) for ruling in (none, held, dropped)]
    assert values == sorted(values)


def test_with_a_large_lead_a_confined_king_is_worth_more_than_material():
    closed_in, with_more = chess.Board("3k4/p6R/8/8/8/8/8/RQ2K3"), chess.Board("8/p7/8/3k4/8/8/4N3/RQ2K2R")
    scale = PieceValues.of("wild16")
    assert scale.worth(closed_in, white=True) > scale.worth(with_more, white=True)


def test_an_assassin_is_not_traded_for_another():
    order = chosen_order("assassin", "3r3k/8/8/3q4/8/8/8/K2Q4 w - - 0 1")
    assert isinstance(order, Tries)
    assert str(order.steps[0]) != "d1d5"


def test_a_possible_pawn_capture_of_a_queen_makes_the_bot_ask():
    with_queen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
    without = "4k3/8/8/q7/4P3/8/8/4K3 w - - 0 1"
    order = chosen_order("classic", with_queen, without)
    assert isinstance(order, Ask)
    assert order.yes
    assert str(order.yes.steps[0]) == "e4d5"
    assert order.no
    assert "e4d5" not in map(str, order.no.steps)


def test_a_sense_goes_where_it_decides_the_move():
    on_the_file = "k7/8/8/8/4r3/8/8/4K3 w - - 0 1"
    elsewhere = "k7/8/8/8/7r/8/8/4K3 w - - 0 1"
    order = chosen_order("rbc", on_the_file, elsewhere)
    assert isinstance(order, Sense)
    assert order.square is not None
    seen = {order.square % 8 + step for step in (-1, 0, 1)}
    assert seen & {4, 7}


def test_a_list_ends_with_every_other_possible_try():
    order = chosen_order("wild16", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert isinstance(order, Tries)
    assert {"e1g1", "e1c1", "a1a8", "h1h8", "e1d2"} <= set(map(str, order.steps))


def test_a_refused_move_is_not_tried_again_in_the_same_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(order_choice, "_LONGEST_LIST", 5)
    umpire, fen = find_umpire("wild16"), "1K2r2k/3r4/8/Q7/1Q6/8/8/8 w - - 0 1"
    player, ruling = BotPlayer(umpire, STRONGEST, 1), umpire.start(fen)
    slip = ruling.slips[Side.WHITE]
    assert slip
    player.observe(Observation(slip))
    tried: list[Order] = []
    while ruling.turn in (None, Side.WHITE):
        player.belief = player.belief._replace(truths=(), weights=())
        for order, answer in list(try_one_by_one(umpire, ruling.truth, Side.WHITE, player.write())):
            tried.append(order)
            own, ruling = answer.slips[Side.WHITE], answer
            assert own
            player.observe(Observation(own, order))

    assert len(tried) == len(set(tried))
