"""Extracts the turns of a finished game of Reconnaissance Blind Chess: senses, requests and results."""

from __future__ import annotations

from typing import NamedTuple

import chess

from corr.rules.core.rbc import sensed_mask
from corr.rules.retold import boards
from corr.rules.retold.public_slips import retell
from corr.words.board import SQUARE_NUMBER, Pair, Side
from corr.words.codes import Common
from corr.words.slips import Slip
from corr.words.view import Card

_CENTRES = {sensed_mask(square): square for square in range(64)} | {0: None}


class SenseResult(NamedTuple):
    """A sense: its square, if it had one, and what it showed, as FEN letters."""

    square: int | None
    shown: tuple[tuple[int, str], ...]


class MoveResult(NamedTuple):
    """A requested move or pass, what became of it, where a piece was captured, and the boards around it."""

    asked: str
    made: str | None
    taken: int | None
    before: str
    after: str


class RbcTurns(NamedTuple):
    """The senses and moves of one side in order; after its last sense a side may not have moved."""

    senses: tuple[SenseResult, ...]
    moves: tuple[MoveResult, ...]


def extract_turns(card: Card, slips: Pair[tuple[Slip, ...]]) -> Pair[RbcTurns]:
    """Return what both sides did; Refused if the pieces were never on the board."""
    game = retell(slips)
    board, moves = boards.build_first_board(card, game), {side: list[MoveResult]() for side in Side}
    for number in range(1, len(game.movers)):
        mover, before = game.movers[number], _fen(board)
        boards.play_move(card, board, game.made(number))
        moves[mover].append(_read_move_result(game.turns[mover][number][0], before, _fen(board)))
    return Pair(
        *(RbcTurns(tuple(filter(None, map(find_sense, slips[side]))), tuple(moves[side])) for side in Side)
    )


def find_sense(slip: Slip) -> SenseResult | None:
    fact = slip.find(Common.SENSED)
    if fact is None or fact.shown is None:
        return None
    shown = {SQUARE_NUMBER[name]: letter for name, letter in fact.shown.on}
    return SenseResult(_CENTRES[sum(1 << square for square in shown)], tuple(shown.items()))


def find_capture(slip: Slip) -> int | None:
    fact = slip.find(Common.CAPTURE)
    return None if fact is None else SQUARE_NUMBER[str(fact["square"])]


def _read_move_result(slip: Slip, before: str, after: str) -> MoveResult:
    told = slip.find(Common.TAKEN)
    assert told
    made = told["move"]
    return MoveResult(
        str(told["asked"]), None if made is None else str(made), find_capture(slip), before, after
    )


def _fen(board: chess.Board) -> str:
    return board.fen(en_passant="fen")
