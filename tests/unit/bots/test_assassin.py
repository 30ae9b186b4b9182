"""How a house player keeps its assassin until she is needed, and mates with her and nobody else."""

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
from corr.bots.choice import choose_order
from corr.bots.history import Observation, arrangement_after, arrangement_of
from corr.bots.move_scores import parse_option
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
SEEN = """
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
TAKEN = """
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
#: If White's king stood on e1, the bishop's check on h4 would be mate, and Black would lose by it.
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
IN_THE_CORNER = """
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
IN_THE_OPEN = IN_THE_CORNER.replace("p p p", ". . p")
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


def with_lost(men: int) -> Sight:
    """What White sees where so many men were taken."""
    slip = ASSASSIN.start(board_of(AMID_AN_ARMY).fen()).slips.white
    assert slip
    return slip.sight._replace(lost=Pair(Losses(), Losses(men)))


def first_of(drawn: str) -> str:
    """What comes first where the position is known."""
    ruling = ASSASSIN.start(board_of(drawn).fen())
    slip = ruling.slips.white
    assert slip
    belief = Belief((ruling.truth,), (Observation(slip),), is_whole=True)
    order = choose_order(ASSASSIN, slip.sight, belief, CHARACTERS["strongest"], Random(1))
    assert isinstance(order, Tries)
    return str(order.steps[0])


def test_an_assassin_is_safest_behind_her_men_and_nowhere_less_than_where_she_gives_check():
    costs = [danger(board_of(drawn), white=True, waits=True) for drawn in (HIDDEN, SEEN, TAKEN, CHECKING)]
    assert costs == sorted(set(costs))
    assert costs[0] == 0


def test_an_assassin_who_waits_no_longer_fears_nothing_but_to_be_taken():
    costs = [danger(board_of(drawn), white=True, waits=False) for drawn in (SEEN, CHECKING, TAKEN)]
    assert costs[0] == costs[1] == 0 < costs[2]


@pytest.mark.parametrize(
    ("lost", "quiet"),
    [(5, 40), (13, 0)],
    ids=["there are many men", "one was just taken"],
)
def test_an_assassin_waits_while_there_are_men_to_be_taken_by_others(lost: int, quiet: int):
    assert is_still_waiting(with_lost(lost), quiet)


def test_an_assassin_does_not_wait_where_the_last_men_are_not_found():
    assert not is_still_waiting(with_lost(13), quiet=40)


def test_a_check_by_others_costs_most_where_the_king_has_nowhere_to_go():
    alone = board_of(BETWEEN_ROOKS)
    costs = [check_cost(board_of(drawn), white=True) for drawn in (IN_THE_CORNER, IN_THE_OPEN, CHECKING)]
    assert costs[0] > costs[1] > costs[2] == check_cost(alone, white=True) == 0


def test_nothing_hides_the_assassin_from_a_lonely_king():
    assert danger(board_of(BETWEEN_ROOKS), white=True, waits=True) == 0


@pytest.mark.parametrize(
    ("drawn", "share"),
    [(BETWEEN_ROOKS, 1.0), (BETWEEN_A_ROOK_AND_A_SPY, 0.0), (BETWEEN_ROOKS.replace("Q", "B"), 0.0)],
    ids=["with two rooks", "with a spy who closes no square", "without the assassin"],
)
def test_whether_the_assassin_mates_next_whatever_the_king_replies(drawn: str, share: float):
    assert next_mate_share(board_of(drawn), white=True) == share


def test_a_king_who_can_hardly_go_anywhere_is_feared_to_be_mated_by_others():
    assert cornered_cost(board_of(BETWEEN_ROOKS), white=True) > cornered_cost(board_of(HIDDEN), white=True)


def test_that_is_feared_most_where_few_could_move_in_his_place():
    beside_few, beside_many = board_of(BETWEEN_ROOKS), board_of(BETWEEN_ROOKS)
    for square in (chess.A5, chess.B5, chess.C5, chess.D5, chess.E5):
        beside_many.set_piece_at(square, chess.Piece(chess.PAWN, chess.BLACK))

    assert cornered_cost(beside_few, white=True) > cornered_cost(beside_many, white=True) > 0


def test_a_mate_comes_first_however_far_one_is_ahead():
    assert first_of(AMID_AN_ARMY) == "d3h3"


def test_a_lonely_king_may_be_wherever_he_is_not_attacked_and_nothing_is_made_up_beside_that():
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
def test_of_a_king_of_whom_it_is_mistaken_it_knows_which_move_may_mate_him_without_the_assassin(
    move: str, *, mates: bool
):
    """A game was lost by Be7-h4: the king stood on e1, and that was held impossible."""
    sight = ASSASSIN.start(board_of(CLOSED_IN).fen()).truth.sights.black
    order = parse_option(move)

    assert (
        hidden_mate_share(arrangement_of(sight), arrangement_after(sight, order), white=False) > 0
    ) is mates
