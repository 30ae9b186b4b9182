"""What a house player makes of a move that it has not seen: any may be, likelier ones weigh more, and a sense tells."""

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
    "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",  # castles both ways
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",  # takes in passing
    "4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1",  # promotes, and takes
    "r2qk2r/pp1b1ppp/2n1pn2/3p4/1b1P4/2NBPN2/PP3PPP/R1BQK2R b KQkq - 0 1",
]


def likelihoods(fen: str) -> dict[str, float]:
    found = likely_moves(chess.Board(fen))
    return {str(guess.move.uci() if guess.move else "pass"): guess.likelihood for guess in found}


@pytest.mark.parametrize("fen", BOARDS)
def test_every_move_that_can_be_made_is_there_once_and_together_they_are_sure(fen: str) -> None:
    found = likely_moves(chess.Board(fen))

    assert sorted(likelihoods(fen)) == sorted(RBC.legal(chess.Board(fen)))
    assert len(found) == len(likelihoods(fen))
    assert sum(guess.likelihood for guess in found) == pytest.approx(1)


@pytest.mark.parametrize(
    ("fen", "likely", "unlikely"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "a1a2"),  # an attack on the king
        ("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3", "b1a3"),  # towards the centre
        ("4k3/8/8/8/7r/8/2R5/4K3 w - - 0 1", "c2c3", "c2c4"),  # where nothing can take it
        ("4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1", "d2d5", "e1f1"),  # the queen is in danger
        ("4k3/P7/8/8/8/8/7P/4K3 w - - 0 1", "a7a8q", "a7a8n"),
    ],
)
def test_what_is_likelier_weighs_more(fen: str, likely: str, unlikely: str) -> None:
    assert likelihoods(fen)[likely] > likelihoods(fen)[unlikely]


def seen(board: chess.Board, square: int) -> Sight:
    """What White sees of this board who looks there."""
    sensed = RBC.judge(RBC.start(board.fen()).truth, Side.WHITE, Sense(square)).slips.white
    assert sensed
    return sensed.sight


@pytest.mark.parametrize("fen", BOARDS[1:])
@pytest.mark.parametrize("square", [chess.B2, chess.E4, chess.F7, chess.G8])
def test_a_move_that_was_made_fits_whatever_was_seen_of_it(fen: str, square: int) -> None:
    before = chess.Board(fen)
    for guess in likely_moves(before):
        now = pass_turn(before) if guess.move is None else make_move(before, guess.move)
        told = MoveAnnouncement(guess.captured, seen(now, square))
        assert guess in list(told.fitting(before, likely_moves(before)))


def test_what_was_seen_leaves_few_moves() -> None:
    before = chess.Board("4k2r/8/8/8/8/8/8/4K3 b k - 0 1")
    now = make_move(before, chess.Move.from_uci("h8h5"))
    told = MoveAnnouncement(None, seen(now, chess.G4))

    assert [guess.move for guess in told.fitting(before, likely_moves(before))] == [
        chess.Move.from_uci("h8h5")
    ]
