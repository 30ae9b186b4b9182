"""How fast a truth is restored, however long the game, against a replay, a FEN and `kriegspiel`'s own file.

python -m bench.restore
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import chess
from kriegspiel import KriegspielMove, QuestionAnnouncement, Wild16Game

from bench.driver import seconds
from corr.rules.core.umpire import Truth
from corr.rules.variants import find_umpire
from corr.words.orders import Move

UMPIRE = find_umpire("wild16")


def play(seed: int, plies: int) -> tuple[Truth, list[chess.Move]] | None:
    """A random game of this many plies with few pawn moves; None if it ends earlier."""
    rng, truth = random.Random(seed), UMPIRE.start().truth
    moves: list[chess.Move] = []
    while len(moves) < plies:
        side = UMPIRE.turn(truth)
        if side is None:
            return None
        legal = sorted(truth.board.legal_moves, key=lambda move: truth.board.is_zeroing(move) + rng.random())
        move = legal[0] if truth.board.halfmove_clock < 95 else legal[-1]
        move.promotion = None if move.promotion is None else chess.QUEEN
        truth = UMPIRE.judge(truth, side, Move(move.from_square, move.to_square)).truth
        moves.append(move)
    return truth, moves


def microseconds(run: Callable[[], object], rounds: int) -> float:
    """The best of five means."""
    return min(seconds(lambda: [run() for _ in range(rounds)]) for _ in range(5)) / rounds * 1e6


def replay(moves: list[chess.Move]) -> None:
    board = chess.Board()
    for move in moves:
        board.push(move)


def measure(truth: Truth, moves: list[chess.Move]) -> str:
    """The figures of one game."""
    data, fen, peer = UMPIRE.pack(truth), truth.board.fen(), Wild16Game()
    assert UMPIRE.restore(data) == truth
    for move in moves:
        peer.ask_for(KriegspielMove(QuestionAnnouncement.COMMON, move))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "game.json")
        peer.save_game(path)
        times = (
            microseconds(lambda: UMPIRE.restore(data), 2000),
            microseconds(lambda: replay(moves), 50),
            microseconds(lambda: chess.Board(fen), 2000),
            microseconds(lambda: Wild16Game.load_game(path), 5),
        )
    figures = "".join(f"{time:11.1f}" for time in times)
    return f"{len(moves):6}{len(truth.keys) // 8:6}{len(data):7}{figures}"


def main() -> None:
    print(" plies  keys  bytes    restore     replay        FEN  kriegspiel   (us)")
    for plies in (20, 94, 120, 400):
        found = filter(None, (play(seed, plies) for seed in range(30)))
        print(measure(*max(found, key=lambda each: len(each[0].keys))))


if __name__ == "__main__":
    main()
