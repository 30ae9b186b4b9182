"""How fast a truth is restored, however long the game, against a replay, a FEN and `kriegspiel`'s own file.

python bench/truth.py
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import chess
from kriegspiel import KriegspielMove, QuestionAnnouncement, Wild16Game

from corr.rules.core.umpire import Truth
from corr.rules.variants import umpire_of
from corr.words.orders import Move

UMPIRE = umpire_of("wild16")


def game(seed: int, plies: int) -> tuple[Truth, list[chess.Move]] | None:
    """A random game of so many plies, few of them pawn moves; None if it ends before."""
    rng, truth = random.Random(seed), UMPIRE.start().truth
    moves: list[chess.Move] = []
    while len(moves) < plies:
        side = UMPIRE.turn(truth)
        if side is None:
            return None
        legal = sorted(truth.board.legal_moves, key=lambda move: truth.board.is_zeroing(move) + rng.random())
        quiet = truth.board.halfmove_clock < 95
        move = legal[0] if quiet else legal[-1]
        move.promotion = None if move.promotion is None else chess.QUEEN
        truth = UMPIRE.judge(truth, side, Move(move.from_square, move.to_square)).truth
        moves.append(move)
    return truth, moves


def microseconds(run: Callable[[], object], rounds: int = 2000) -> float:
    """The best of five means."""
    best = float("inf")
    for _ in range(5):
        start = perf_counter()
        for _ in range(rounds):
            run()
        best = min(best, perf_counter() - start)
    return best / rounds * 1e6


def replayed(moves: list[chess.Move]) -> chess.Board:
    """The position by playing the game again."""
    board = chess.Board()
    for move in moves:
        board.push(move)
    return board


def kept_by_peer(moves: list[chess.Move], path: Path) -> None:
    """The same game in a file of `kriegspiel`."""
    peer = Wild16Game()
    for move in moves:
        peer.ask_for(KriegspielMove(QuestionAnnouncement.COMMON, move))
    peer.save_game(str(path))


def main() -> int:
    """Print one line a length."""
    print(" plies  keys  bytes    restore     replay        FEN  kriegspiel   (us)")
    for plies in (20, 94, 120, 400):
        found = filter(None, (game(seed, plies) for seed in range(30)))
        print(line(plies, *max(found, key=lambda each: len(each[0].keys))))
    return 0


def line(plies: int, truth: Truth, moves: list[chess.Move]) -> str:
    """The figures of one game."""
    data, fen = UMPIRE.pack(truth), truth.board.fen()
    assert UMPIRE.restore(data) == truth
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        kept_by_peer(moves, path)
        times = (
            microseconds(lambda: UMPIRE.restore(data)),
            microseconds(lambda: replayed(moves), rounds=50),
            microseconds(lambda: chess.Board(fen)),
            microseconds(lambda: Wild16Game.load_game(str(path)), rounds=5),
        )
    figures = "".join(f"{time:11.1f}" for time in times)
    return f"{plies:6}{len(truth.keys) // 8:6}{len(data):7}{figures}"


if __name__ == "__main__":
    sys.exit(main())
