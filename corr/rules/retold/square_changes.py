"""Finds which squares a half-move of a finished game changed, in truth and as each side could tell."""

from __future__ import annotations

import re

import chess

from corr.rules.retold.public_slips import RetoldGame
from corr.words.board import Side
from corr.words.codes import Common
from corr.words.slips import Slip
from corr.words.view import SquareChanges

_SQUARE = re.compile("[a-h][1-8]")


def changes_as_told(game: RetoldGame, number: int, side: Side) -> SquareChanges:
    """Return what a side could mark by its own slip: its move, captures, and its own king in check."""
    if not number:
        return SquareChanges()
    slip, is_mover = game.turns[side][number][0], game.movers[number] is side
    told = (fact["square"] for fact in slip.facts if fact.code == Common.CAPTURE)
    is_checked = slip.tells(Common.CHECK) and not is_mover
    return SquareChanges(
        moved=_squares(game.made(number)) if is_mover else (),
        taken=tuple(str(square) for square in told if square),
        checked=_square_names(slip.sight.own & slip.sight.kings) if is_checked else (),
        kinds=_kinds(slip) if is_checked else (),
    )


def changes_in_truth(game: RetoldGame, number: int, before: chess.Board, after: chess.Board) -> SquareChanges:
    is_check = game.turns[game.movers[number].other][number][0].tells(Common.CHECK)
    return changes_by_move(game.made(number), before, after, is_check=is_check)


def changes_by_move(
    move: object, before: chess.Board, after: chess.Board, *, is_check: bool
) -> SquareChanges:
    """Return what a move has done, from the boards before and after it."""
    color = not before.turn
    return SquareChanges(
        moved=_squares(move),
        taken=_square_names(before.occupied_co[color] & ~after.occupied_co[color]),
        checked=_square_names(after.pieces_mask(chess.KING, color)) if is_check else (),
        between=_check_lines(after, color) if is_check else (),
    )


def _squares(move: object) -> tuple[str, ...]:
    return tuple(_SQUARE.findall(str(move)))


def _kinds(slip: Slip) -> tuple[str, ...]:
    told = (fact["kinds"] for fact in slip.facts if fact.code == Common.CHECK)
    return tuple(kind for kinds in told if isinstance(kinds, tuple) for kind in kinds)


def _check_lines(board: chess.Board, color: chess.Color) -> tuple[tuple[str, ...], ...]:
    """Return the squares between a king and each distant piece that checks him."""
    king = board.king(color)
    if king is None:
        return ()
    found = (chess.SquareSet.between(king, checker) for checker in board.attackers(not color, king))
    return tuple(
        tuple(
            chess.square_name(each)
            for each in sorted(squares, key=lambda one: chess.square_distance(king, one))
        )
        for squares in found
        if squares
    )


def _square_names(mask: int) -> tuple[str, ...]:
    return tuple(map(chess.square_name, chess.scan_forward(mask)))
