"""How a bot keeps its assassin hidden until she is needed, and mates only with her."""

from __future__ import annotations

from random import Random

import chess
import pytest

from corr.bots.assassin import (
    check_cost,
    cornered_cost,
    danger,
    hidden_mate_share,
    is_still_waiting,
    next_mate_share,
)
from corr.bots.attacks import attacks_of_pieces
from corr.bots.belief import update_belief
from corr.bots.characters import CHARACTERS
from corr.bots.history import Observation, arrangement_after, arrangement_of
from corr.bots.move_scores import parse_option, rank_moves
from corr.bots.order_choice import choose_order
from corr.bots.possible_positions import Belief, own_board
from corr.rules.variants import find_umpire
from corr.words.board import Pair
from corr.words.orders import Tries
from corr.words.slips import Losses, Sight
from tests.support.umpire_cases import drawn_fen

ASSASSIN = find_umpire("assassin")

HIDDEN = """
. . . . k . . .
. . . . . . . .
r . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . P P P . .
. . . B Q K . .
black to move
"""
IN_THE_OPEN = """
. . . . k . . .
. . . . . . . .
r . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . Q .
. . . P P P . .
. . . B . K . .
black to move
"""
ATTACKED = """
. . . . k . . .
. . . . . . . .
r . . . . . . Q
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . P P P . .
. . . B . K . .
black to move
"""
CHECKING = """
. . . . k . . .
. . . . . . . .
r . . . . . . .
. . . . Q . . .
. . . . . . . .
. . . . . . . .
. . . P P P . .
. . . B . K . .
black to move
"""
#: If White's king were on e1, the bishop's check on h4 would be mate, and Black would lose.
CLOSED_IN = """
. . . q k . . .
. . n . b . . .
. . . p . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . p
. . r r . . p .
K . . . . . . .
black to move
"""
BETWEEN_ROOKS = """
. . . k . . . .
. . . . . . . R
. . . . . . . .
. . . . . . . .
. . . . Q . . .
. . . . . . . .
. . . . . . . .
. . . . R . K .
black to move
"""
BETWEEN_A_ROOK_AND_A_SPY = BETWEEN_ROOKS.replace("R", "N", 1)
CORNERED = """
R . . . . . k .
. . . . . p p p
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. Q . . . . K .
black to move
"""
CORNER_WITH_ESCAPE = CORNERED.replace("p p p", ". . p")
AMID_AN_ARMY = """
. . . . . . . .
. . . . . . . k
. . . R . . N .
. . . B . R . .
. P K . . . . .
R . . Q . . . .
. . . . . . . .
B . . R . N . .
white to move
"""


def board_of(drawn: str) -> chess.Board:
    *rows, caption = drawn.strip().splitlines()
    return chess.Board(drawn_fen(rows, caption))


def with_lost(pieces: int) -> Sight:
    """Return what White sees after this many black pieces were captured."""
    slip = ASSASSIN.start(board_of(AMID_AN_ARMY).fen()).slips.white
    assert slip
    return slip.sight._replace(lost=Pair(Losses(), Losses(pieces)))


def first_order(drawn: str) -> str:
    """Return the first order of the strongest bot when it knows the position."""
    ruling = ASSASSIN.start(board_of(drawn).fen())
    slip = ruling.slips.white
    assert slip
    belief = Belief((ruling.truth,), (Observation(slip),), is_whole=True)
    order = choose_order(ASSASSIN, slip.sight, belief, CHARACTERS["strongest"], Random(1))
    assert isinstance(order, Tries)
    return str(order.steps[0])


def test_an_assassin_is_safest_behind_her_pieces_and_least_safe_giving_check():
    costs = [
        danger(board_of(drawn), white=True, waits=True) for drawn in (HIDDEN, IN_THE_OPEN, ATTACKED, CHECKING)
    ]
    assert costs == sorted(set(costs))
    assert costs[0] == 0


def test_an_assassin_who_no_longer_waits_fears_only_capture():
    costs = [danger(board_of(drawn), white=True, waits=False) for drawn in (IN_THE_OPEN, CHECKING, ATTACKED)]
    assert costs[0] == costs[1] == 0 < costs[2]


@pytest.mark.parametrize(
    ("lost", "quiet"),
    [(5, 40), (13, 0)],
    ids=["many pieces left", "a recent capture"],
)
def test_an_assassin_waits_while_others_can_capture_pieces(lost: int, quiet: int):
    assert is_still_waiting(with_lost(lost), quiet)


def test_an_assassin_stops_waiting_if_the_last_pieces_stay_hidden():
    assert not is_still_waiting(with_lost(13), quiet=40)


def test_a_check_by_others_costs_most_if_the_king_has_no_escape():
    alone = board_of(BETWEEN_ROOKS)
    costs = [check_cost(board_of(drawn), white=True) for drawn in (CORNERED, CORNER_WITH_ESCAPE, CHECKING)]
    assert costs[0] > costs[1] > costs[2] == check_cost(alone, white=True) == 0


def test_against_a_bare_king_the_assassin_need_not_hide():
    assert danger(board_of(BETWEEN_ROOKS), white=True, waits=True) == 0


@pytest.mark.parametrize(
    ("drawn", "share"),
    [(BETWEEN_ROOKS, 1.0), (BETWEEN_A_ROOK_AND_A_SPY, 0.0), (BETWEEN_ROOKS.replace("Q", "B"), 0.0)],
    ids=["two rooks", "a spy who guards nothing", "no assassin"],
)
def test_the_share_of_replies_after_which_the_assassin_mates(drawn: str, share: float):
    assert next_mate_share(board_of(drawn), white=True) == share


def test_a_cornered_king_costs_since_others_might_mate_him():
    assert cornered_cost(board_of(BETWEEN_ROOKS), white=True) > cornered_cost(board_of(HIDDEN), white=True)


def test_a_cornered_king_costs_most_if_few_other_pieces_can_move():
    beside_few, beside_many = board_of(BETWEEN_ROOKS), board_of(BETWEEN_ROOKS)
    for square in (chess.A5, chess.B5, chess.C5, chess.D5, chess.E5):
        beside_many.set_piece_at(square, chess.Piece(chess.PAWN, chess.BLACK))

    assert cornered_cost(beside_few, white=True) > cornered_cost(beside_many, white=True) > 0


def test_a_mate_comes_first_even_with_a_large_lead():
    assert first_order(AMID_AN_ARMY) == "d3h3"


def test_a_bare_king_can_be_on_every_square_that_is_not_attacked():
    slip = ASSASSIN.start("7k/8/8/8/8/8/8/R1Q1K3 w - - 0 1").slips.white
    assert slip
    alone = slip._replace(sight=slip.sight._replace(lost=Pair(Losses(13), Losses(15))))
    belief = update_belief(ASSASSIN, Belief(), Observation(alone), 20, Random(1))

    own = own_board(alone.sight)
    closed = own.occupied | attacks_of_pieces(own, own.occupied, own.occupied, white=True)
    assert belief.is_whole
    assert {truth.board.occupied for truth in belief.truths} == {
        own.occupied | chess.BB_SQUARES[square] for square in chess.SquareSet(~closed & chess.BB_ALL)
    }
    assert all(truth.board.king(chess.BLACK) is not None for truth in belief.truths)


@pytest.mark.parametrize(
    ("move", "mates"), [("e7h4", True), ("e7f8", False), ("d8d7", False), ("h3h2", False)]
)
def test_a_wrong_belief_about_the_king_still_shows_which_moves_might_mate(move: str, *, mates: bool):
    """A bot once lost by Be7-h4: White's king was on e1, which it thought impossible."""
    sight = ASSASSIN.start(board_of(CLOSED_IN).fen()).truth.sights.black
    order = parse_option(move)

    assert (
        hidden_mate_share(arrangement_of(sight), arrangement_after(sight, order), [0.0] * 64, white=False) > 0
    ) is mates


BEFORE_THE_BACK_RANK = """
r . . . k . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . K . . .
. . . . . . . .
black to move
"""


def test_a_check_on_the_back_rank_may_mate_a_king_behind_his_own_pieces() -> None:
    """A bot twice lost a won game so: it took the squares beside the king for free, and pawns stood there."""
    sight = ASSASSIN.start(board_of(BEFORE_THE_BACK_RANK).fen()).truth.sights.black
    men = arrangement_of(sight), arrangement_after(sight, parse_option("a8a1"))
    pawns_at_home = [0.5 if chess.square_rank(square) == 1 else 0.0 for square in chess.SQUARES]

    assert hidden_mate_share(*men, [0.0] * 64, white=False) == 0
    assert 0 < hidden_mate_share(*men, pawns_at_home, white=False) < 0.1


PROMOTION_BY_CAPTURE = """
. . . . k . . .
. . . . q . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
p p . . . . . .
. . . p . . P .
. . . . . . R K
black to move
"""


def test_what_might_mate_is_tried_last_among_moves_that_are_thought_impossible() -> None:
    """If White's king were on a1, a rook or bishop on c1 might mate him, and Black would lose."""
    truth = ASSASSIN.start(board_of(PROMOTION_BY_CAPTURE).fen()).truth
    ranked = rank_moves(ASSASSIN, truth.sights.black, [(truth, 1.0)], 0.0, Random(1))
    captures = [str(each.order) for each in ranked if str(each.order).startswith("d2c1")]

    assert captures[-1] == "d2c1r"
