"""Moves that mate, and how often one would, whatever is replied: looked for in positions that may be."""

from __future__ import annotations

from collections.abc import Iterator

import chess


def mates(board: chess.Board) -> Iterator[chess.Move]:
    """The moves by which the side to move mates."""
    for move in board.legal_moves:
        if board.gives_check(move) and _is_mate(board, move):
            yield move


def threat(board: chess.Board) -> float:
    """After which part of the replies the side that has moved could mate; where it gives no check, if at once."""
    if not board.is_check():
        return float(_can_mate(board, chess.Move.null()))
    replies = list(board.legal_moves)
    return sum(_can_mate(board, reply) for reply in replies) / max(1, len(replies))


def _can_mate(board: chess.Board, reply: chess.Move) -> bool:
    board.push(reply)
    try:
        return next(mates(board), None) is not None
    finally:
        board.pop()


def _is_mate(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    try:
        return board.is_checkmate()
    finally:
        board.pop()
