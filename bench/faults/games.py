"""Games that are known beforehand: random legal moves, and what could not be played instead."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import chess

_SHORTEST, _LONGEST = 12, 30
_LEFT_EVERY = 3


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game's moves, an impossible order for each of its turns, and how it comes to its end."""

    moves: tuple[str, ...]
    impossible: tuple[str, ...]
    end: str  # "by itself", "resigned", or "left" to run out of time


def prepare(seed: int, number: int) -> Prepared:
    """The same game for the same seed and number; every third is left by the player who is to move."""
    dice, board = Random(f"{seed} {number}"), chess.Board()
    moves: list[str] = []
    impossible: list[str] = []
    for _ in range(dice.randint(_SHORTEST, _LONGEST)):
        impossible.append(_impossible(board, dice))
        move = dice.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
        if board.is_game_over() or board.is_repetition(3):
            return Prepared(tuple(moves), tuple(impossible), "by itself")
    end = "left" if number % _LEFT_EVERY == _LEFT_EVERY - 1 else "resigned"
    return Prepared(tuple(moves), tuple(impossible), end)


def _impossible(board: chess.Board, dice: Random) -> str:
    """An order for a man of the side to move that the rules do not allow."""
    men = list(chess.scan_forward(board.occupied_co[board.turn]))
    while True:
        origin, target = dice.choice(men), dice.randrange(64)
        moves = {(move.from_square, move.to_square) for move in board.legal_moves}
        if origin != target and (origin, target) not in moves:
            return chess.square_name(origin) + chess.square_name(target)
