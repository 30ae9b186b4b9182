"""A slip, and how a game stands for whoever was handed it, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corr.desk.table.handed import Numbered
from corr.desk.table.page import Standing
from corr.words.board import SQUARES, Side, squares_of
from corr.words.slips import Sight, Toll


def standing_as_json(standing: Standing, slips: Sequence[Numbered]) -> dict[str, Any]:
    """How a game stands, and some slips."""
    outcome = standing.public.outcome
    return {
        "code": standing.meeting.code,
        "variant": standing.meeting.variant,
        "side": standing.side,
        "state": standing.public.state,
        "stamp": standing.stamp,
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
        "slips": [_slip(each) for each in slips],
    }


def _slip(each: Numbered) -> dict[str, Any]:
    return {
        "number": each.number,
        "step": each.step,
        "ply": each.ply,
        "facts": [{"code": fact.code, "words": fact.text, "data": fact.plain} for fact in each.slip.facts],
        "sight": _sight(each.slip.sight),
    }


def _sight(sight: Sight) -> dict[str, Any]:
    reserves = sight.reserves
    return {
        "squares": sight.letters(),
        "own": [SQUARES[square] for square in squares_of(sight.own)],
        "promoted": [SQUARES[square] for square in squares_of(sight.promoted)],
        "castling": list(sight.castling),
        "lost": {side: _toll(sight.lost[side]) for side in Side},
        "reserves": {side: reserves[side] for side in Side} if reserves else None,
        "recalled": [
            {"turn": each.move, "squares": {SQUARES[square]: letter for square, letter in each.squares}}
            for each in sight.still_recalled()
        ],
        "sense_due": sight.sense_due,
    }


def _toll(toll: Toll) -> dict[str, int | None]:
    return {"men": toll.men, "pawns": toll.pawns}
