"""Which moves mate, and how near one is to it: found fast, and the same as by trying every move."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess
import pytest

from corr.bots.attacks import find_cornering_moves, find_mates, threat_share

ODD = [
    "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1",  # White is in check
    "5k2/R7/8/8/8/8/8/4K2R w K - 0 1",  # castling mates
    "8/8/8/8/k7/8/1P1K4/1R6 w - - 0 1",
    "k7/2P5/K7/8/8/8/8/8 w - - 0 1",  # a pawn that promotes mates, to a rook or a queen
    "5rbk/6pp/3N4/8/8/8/8/6K1 w - - 0 1",  # a knight mates alone
    "6rk/6pp/7N/8/8/1B6/8/6K1 w - - 0 1",  # as he does when a line opens
    "8/8/8/2k5/3Pp3/8/8/K7 b - d3 0 1",  # what is taken in passing
    "8/8/8/8/8/8/8/4K3 w - - 0 1",  # there is no other king
]


def played_at_random(games: int) -> Iterator[chess.Board]:
    chance = Random(36)
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 160:
            yield board
            board.push(chance.choice(list(board.legal_moves)))


def tried(board: chess.Board) -> set[chess.Move]:
    """The moves that mate, each made to see."""
    found = set()
    for move in list(board.legal_moves):
        board.push(move)
        if board.is_checkmate():
            found.add(move)
        board.pop()
    return found


def test_the_moves_that_mate_are_found_as_if_each_was_tried() -> None:
    some = 0
    for board in (*map(chess.Board, ODD), *played_at_random(12)):
        expected = tried(board)
        some += len(expected)
        assert set(find_mates(board)) == expected, board.fen()
    assert some > 20


@pytest.mark.parametrize(
    ("fen", "reserve", "drops"),
    [
        ("6rk/6pp/8/8/8/8/8/6K1 w - - 0 1", "BNPQ", {"N@f7", "N@g6"}),
        ("7k/6pp/5B2/8/8/8/8/6K1 w - - 0 1", "NRR", {f"R@{file}8" for file in "abcdef"}),
        ("7k/6p1/8/8/8/8/8/6K1 w - - 0 1", "BQ", set()),
    ],
)
def test_a_drop_may_leave_a_king_no_square(fen: str, reserve: str, drops: set[str]) -> None:
    assert {move.uci() for move in find_cornering_moves(chess.Board(fen), reserve) if move.drop} == drops


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1", 1.0),  # on the last rank
        ("6k1/5pp1/7p/8/8/8/8/R5K1 b - - 0 1", 0.0),  # he has a way out
        ("R4nk1/5ppp/8/8/8/8/8/R5K1 b - - 0 1", 0.0),  # no check, and nothing mates at once
        ("Rr4k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1", 1.0),
        ("5k2/R7/5K2/8/8/8/8/8 b - - 0 1", 1.0),
        ("5k2/R3Q3/8/8/8/8/8/6K1 b - - 0 1", 1.0),
        ("4R1k1/5p2/5Bp1/8/8/8/8/6K1 b - - 0 1", 1.0),  # he has one move
        ("4R1k1/5p2/3n1Bp1/8/8/8/8/6K1 b - - 0 1", 0.0),  # the rook can be taken, so it is
    ],
)
def test_a_threat_of_mate_counts_for_as_much_as_nothing_can_be_done_about_it(
    fen: str, expected: float
) -> None:
    assert threat_share(chess.Board(fen)) == expected
