"""Legal moves and the boards after them are those of python-chess."""

from __future__ import annotations

import random

import chess
import pytest

from corr.rules.core.checks import KINDS, find_kinds, find_siege, name_kinds
from corr.rules.core.endings import find_ending
from corr.rules.core.moves import attempt, count_en_passant, count_pawn_tries

SPECIAL = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "8/8/4k3/3pP3/8/1B6/8/4R1K1 w - d6 0 1",
    "8/8/8/1k6/2Pp4/8/8/4KB2 b - c3 0 1",
    "8/2P1k3/8/8/8/8/6p1/4K2R b K - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3",
]


def random_positions(seed: int, games: int) -> list[chess.Board]:
    """Return about one position in twenty of random games."""
    rng, found = random.Random(seed), []
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over(claim_draw=False) and board.ply() < 200:
            board.push(rng.choice(list(board.legal_moves)))
            if rng.random() < 0.05:
                found.append(board.copy(stack=False))
    return found


POSITIONS = [chess.Board(fen) for fen in SPECIAL] + random_positions(seed=7, games=12)


def every_move(board: chess.Board) -> list[chess.Move]:
    """Return all pairs of squares, with every promotion for a pawn's last step."""
    moves = []
    for origin in range(64):
        pawn = board.pawns & board.occupied_co[board.turn] & chess.BB_SQUARES[origin]
        for target in range(64):
            pieces = (2, 3, 4, 5) if pawn and chess.square_rank(target) in (0, 7) else (None,)
            moves += [chess.Move(origin, target, piece) for piece in pieces]
    return moves


def expected(board: chess.Board, move: chess.Move) -> chess.Board | None:
    """Return the board that python-chess makes; unlike it, we refuse squares with own pieces."""
    if board.color_at(move.to_square) == board.turn or not board.is_legal(move):
        return None
    after = board.copy(stack=False)
    after.push(move)
    return after


def test_every_pair_of_squares_is_judged_as_in_python_chess():
    assert len(POSITIONS) > 60
    for board in POSITIONS:
        before = board.fen()
        siege = find_siege(board, board.turn)
        for move in every_move(board):
            assert attempt(board, siege, move) == expected(board, move), f"{before} {move}"
        assert board.fen() == before


def test_a_board_after_a_move_has_all_attributes_of_python_chess():
    board = chess.Board()
    made = attempt(board, find_siege(board, chess.WHITE), chess.Move.from_uci("e2e4"))
    board.push_uci("e2e4")
    assert vars(made) == vars(board.copy(stack=False))


def test_checkers_pins_tries_and_endings_match_python_chess():
    for board in POSITIONS:
        king, checkers, pinned = find_siege(board, board.turn)
        own = board.occupied_co[board.turn]
        assert king == board.king(board.turn)
        assert checkers == board.checkers_mask()
        assert pinned == sum(
            chess.BB_SQUARES[square] for square in chess.SquareSet(own) if board.is_pinned(board.turn, square)
        )
        captures = {
            (move.from_square, move.to_square)
            for move in board.generate_legal_captures()
            if board.piece_type_at(move.from_square) == chess.PAWN
        }
        assert count_pawn_tries(board, checkers, pinned, count_en_passant(board)) == len(captures)
        outcome = board.outcome()
        assert find_ending(board, checkers, pinned, b"") == (outcome and NAMES[outcome.termination])


NAMES = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "material",
}

ENDS = [
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate"),
    ("k7/8/8/8/8/5n2/7r/7K w - - 0 1", "checkmate"),
    ("k6r/8/8/8/8/6n1/6P1/6BK w - - 0 1", "checkmate"),
    ("7k/7P/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
    ("7k/7P/6K1/8/8/p7/8/8 b - - 0 1", None),
    ("4k3/8/8/8/8/8/8/4K2N w - - 0 1", "material"),
    ("4k3/8/8/8/8/8/n7/4K2N w - - 0 1", None),
    ("K7/8/1q6/8/8/8/8/k6B w - - 0 1", None),
]


@pytest.mark.parametrize(("fen", "end"), ENDS)
def test_endings_are_recognised(fen: str, end: str | None):
    board = chess.Board(fen)
    _, checkers, pinned = find_siege(board, board.turn)
    assert find_ending(board, checkers, pinned, b"") == end


def test_a_key_that_overlaps_two_others_is_not_a_repetition():
    """Positions have eight bytes each: equal bytes across a border don't count."""
    board = chess.Board()
    key = b"abcdabcd"
    across = b"1234" + key + b"5678"
    assert find_ending(board, 0, 0, across + across + key) is None
    assert find_ending(board, 0, 0, across + key + across + key) is None
    assert find_ending(board, 0, 0, key * 3) == "repetition"


@pytest.mark.parametrize("king", chess.SQUARES)
def test_the_longer_diagonal_is_the_one_with_more_squares(king: int):
    """G3: named by the number of squares, for every square of the king."""
    file, rank = chess.square_file(king), chess.square_rank(king)
    offsets = {
        square: (chess.square_file(square) - file, chess.square_rank(square) - rank) for square in range(64)
    }
    rising = [square for square, (files, ranks) in offsets.items() if files == ranks]
    falling = [square for square, (files, ranks) in offsets.items() if files == -ranks]
    longer, shorter = sorted((rising, falling), key=len, reverse=True)
    assert len(longer) > len(shorter)
    for line, name in ((longer, "long-diagonal"), (shorter, "short-diagonal")):
        for square in set(line) - {king}:
            assert name_kinds(find_kinds(king, chess.BB_SQUARES[square])) == (name,)


def test_kinds_of_check_are_named_in_a_fixed_order():
    assert KINDS == ("rank", "file", "long-diagonal", "short-diagonal", "knight")
    assert name_kinds(0b11111) == KINDS
