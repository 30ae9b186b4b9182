"""The mate search finds the same moves as trying every move."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess
import pytest

from corr.bots.attacks import find_cornering_moves, find_mates, threat_share

SPECIAL = [
    "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1",  # White is in check
    "5k2/R7/8/8/8/8/8/4K2R w K - 0 1",  # castling mates
    "8/8/8/8/k7/8/1P1K4/1R6 w - - 0 1",
    "k7/2P5/K7/8/8/8/8/8 w - - 0 1",  # promotion to a rook or a queen mates
    "5rbk/6pp/3N4/8/8/8/8/6K1 w - - 0 1",  # a knight alone mates
    "6rk/6pp/7N/8/8/1B6/8/6K1 w - - 0 1",  # a knight mates by opening a line
    "8/8/8/2k5/3Pp3/8/8/K7 b - d3 0 1",  # en passant
    "8/8/8/8/8/8/8/4K3 w - - 0 1",  # there is no other king
]


def random_boards(games: int) -> Iterator[chess.Board]:
    chance = Random(36)
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 160:
            yield board
            board.push(chance.choice(list(board.legal_moves)))


def mates_by_trying(board: chess.Board) -> set[chess.Move]:
    """Return the moves that mate, by making each."""
    found = set()
    for move in list(board.legal_moves):
        board.push(move)
        if board.is_checkmate():
            found.add(move)
        board.pop()
    return found


def test_mates_are_the_same_as_by_trying_every_move() -> None:
    count = 0
    for board in (*map(chess.Board, SPECIAL), *random_boards(12)):
        expected = mates_by_trying(board)
        count += len(expected)
        assert set(find_mates(board)) == expected, board.fen()
    assert count > 20


@pytest.mark.parametrize(
    ("fen", "reserve", "drops"),
    [
        ("6rk/6pp/8/8/8/8/8/6K1 w - - 0 1", "BNPQ", {"N@f7", "N@g6"}),
        ("7k/6pp/5B2/8/8/8/8/6K1 w - - 0 1", "NRR", {f"R@{file}8" for file in "abcdef"}),
        ("7k/6p1/8/8/8/8/8/6K1 w - - 0 1", "BQ", set()),
    ],
)
def test_drops_that_leave_the_king_no_square_are_found(fen: str, reserve: str, drops: set[str]) -> None:
    assert {move.uci() for move in find_cornering_moves(chess.Board(fen), reserve) if move.drop} == drops


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1", 1.0),  # on the last rank
        ("6k1/5pp1/7p/8/8/8/8/R5K1 b - - 0 1", 0.0),  # the king can escape
        ("R4nk1/5ppp/8/8/8/8/8/R5K1 b - - 0 1", 0.0),  # no check, and no mate in one
        ("Rr4k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1", 1.0),
        ("5k2/R7/5K2/8/8/8/8/8 b - - 0 1", 1.0),
        ("5k2/R3Q3/8/8/8/8/8/6K1 b - - 0 1", 1.0),
        ("4R1k1/5p2/5Bp1/8/8/8/8/6K1 b - - 0 1", 1.0),  # the king has one move
        ("4R1k1/5p2/3n1Bp1/8/8/8/8/6K1 b - - 0 1", 0.0),  # the rook can be captured
    ],
)
def test_a_threat_of_mate_counts_unless_it_can_be_met(fen: str, expected: float) -> None:
    assert threat_share(chess.Board(fen)) == expected
