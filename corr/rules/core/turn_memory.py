"""Remembers what one turn has heard so far, until the next move."""

from __future__ import annotations

import chess

from corr.rules.core.umpire import Memo, Truth

_DROP_ORIGIN = 64


def remember_refusal(truth: Truth, move: chess.Move, *, bound: bool) -> Truth:
    """Return the same position with this attempt known to be impossible."""
    tried = truth.memo.refused | {_attempt(move)}
    return truth._replace(memo=Memo(tried, truth.memo.any, bound))


def remember_answer(truth: Truth, *, answer: bool) -> Truth:
    """Return the same position with "any?" answered, and a pawn capture due if there is one."""
    return truth._replace(memo=Memo(truth.memo.refused, answer, answer))


def is_already_refused(truth: Truth, move: chess.Move) -> bool:
    """Whether an attempt was already refused in this turn, with any promotion."""
    return _attempt(move) in truth.memo.refused


def _attempt(move: chess.Move) -> tuple[int, int]:
    """Encode a move's two squares; a drop has its piece in place of an origin, numbered beyond the squares."""
    return (_DROP_ORIGIN + move.drop if move.drop else move.from_square, move.to_square)
