"""What a house player makes of a move that it has not seen: any may be, and likelier ones come first."""

from __future__ import annotations

from random import Random

import chess
import pytest

from corr.bots.guessing import guessed
from corr.orders import read_order
from corr.words.orders import Order, Pass

SEEDS = 3_000


def wishes(board: chess.Board) -> list[Order]:
    made = [read_order(move.uci()) for move in board.pseudo_legal_moves]
    return [*(each for each in made if isinstance(each, Order)), Pass()]


def firsts(fen: str) -> list[str]:
    """The move that comes first, by many a lot."""
    board = chess.Board(fen)
    return [str(guessed(board, wishes(board), Random(seed))[0]) for seed in range(SEEDS)]


def test_every_wish_is_there_once_and_by_the_same_lot_in_the_same_place() -> None:
    board = chess.Board()
    asked = wishes(board)

    assert sorted(map(str, guessed(board, asked, Random(1)))) == sorted(map(str, asked))
    assert guessed(board, asked, Random(1)) == guessed(board, asked, Random(1))
    assert guessed(board, asked, Random(1)) != guessed(board, asked, Random(2))


@pytest.mark.parametrize(
    ("fen", "likely", "unlikely"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "a1a2"),  # an attack on the king
        ("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3", "b1a3"),  # towards the centre
        ("4k3/8/1q6/8/8/8/2N5/4K3 w - - 0 1", "c2a1", "c2d4"),  # where nothing can take it
        ("4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1", "d2d5", "e1f1"),  # the queen is in danger
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a4", "pass"),
    ],
)
def test_what_is_likelier_comes_first_more_often(fen: str, likely: str, unlikely: str) -> None:
    found = firsts(fen)

    assert found.count(likely) > found.count(unlikely)


def test_whatever_else_is_likelier_anything_comes_first_now_and_then() -> None:
    assert len(set(firsts("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"))) > 8
