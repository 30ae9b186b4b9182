"""A bot's estimate of an unseen move: every move is possible, likelier ones weigh more, and a sense narrows them."""

from __future__ import annotations

import chess
import pytest

from corr.bots.hidden_moves import MoveAnnouncement, likely_moves
from corr.rules.core.moves import make_move, pass_turn
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Sense
from corr.words.slips import Sight

RBC = find_umpire("rbc")

BOARDS = [
    chess.STARTING_FEN,
    "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",  # castling both ways
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",  # en passant
    "4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1",  # promotion, with and without capture
    "r2qk2r/pp1b1ppp/2n1pn2/3p4/1b1P4/2NBPN2/PP3PPP/R1BQK2R b KQkq - 0 1",
]


def likelihoods(fen: str) -> dict[str, float]:
    found = likely_moves(chess.Board(fen))
    return {str(guess.move.uci() if guess.move else "pass"): guess.likelihood for guess in found}


@pytest.mark.parametrize("fen", BOARDS)
def test_every_legal_move_is_there_once_and_likelihoods_sum_to_one(fen: str) -> None:
    found = likely_moves(chess.Board(fen))

    assert sorted(likelihoods(fen)) == sorted(RBC.legal(chess.Board(fen)))
    assert len(found) == len(likelihoods(fen))
    assert sum(guess.likelihood for guess in found) == pytest.approx(1)


@pytest.mark.parametrize(
    ("fen", "likely", "unlikely"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "a1a2"),  # an attack on the king
        ("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3", "b1a3"),  # towards the centre
        ("4k3/8/8/8/7r/8/2R5/4K3 w - - 0 1", "c2c3", "c2c4"),  # a safe square
        ("4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1", "d2d5", "e1f1"),  # the queen is in danger
        ("4k3/P7/8/8/8/8/7P/4K3 w - - 0 1", "a7a8q", "a7a8n"),
    ],
)
def test_likelier_moves_weigh_more(fen: str, likely: str, unlikely: str) -> None:
    assert likelihoods(fen)[likely] > likelihoods(fen)[unlikely]


def sensed_sight(board: chess.Board, square: int) -> Sight:
    """Return White's sight after sensing this square."""
    sensed = RBC.judge(RBC.start(board.fen()).truth, Side.WHITE, Sense(square)).slips.white
    assert sensed
    return sensed.sight


@pytest.mark.parametrize("fen", BOARDS[1:])
@pytest.mark.parametrize("square", [chess.B2, chess.E4, chess.F7, chess.G8])
def test_the_move_that_was_made_always_fits_the_sense(fen: str, square: int) -> None:
    before = chess.Board(fen)
    for guess in likely_moves(before):
        now = pass_turn(before) if guess.move is None else make_move(before, guess.move)
        announced = MoveAnnouncement(guess.captured, sensed_sight(now, square))
        assert guess in list(announced.fitting(before, likely_moves(before)))


def test_a_sense_leaves_few_moves() -> None:
    before = chess.Board("4k2r/8/8/8/8/8/8/4K3 b k - 0 1")
    now = make_move(before, chess.Move.from_uci("h8h5"))
    announced = MoveAnnouncement(None, sensed_sight(now, chess.G4))

    assert [guess.move for guess in announced.fitting(before, likely_moves(before))] == [
        chess.Move.from_uci("h8h5")
    ]
