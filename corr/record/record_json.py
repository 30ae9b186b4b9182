"""Writes the umpire's facts and a side's sight in the machine-readable form of records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corr.words.board import SQUARES, Side, squares_of
from corr.words.slips import Fact, Losses, Sight


def facts_to_json(said: Iterable[Fact]) -> list[dict[str, Any]]:
    return [{"code": fact.code, "words": fact.text, "data": fact.plain} for fact in said]


def sight_to_json(seen: Sight) -> dict[str, Any]:
    reserves = seen.reserves
    return {
        "squares": seen.letters(),
        "own": [SQUARES[square] for square in squares_of(seen.own)],
        "promoted": [SQUARES[square] for square in squares_of(seen.promoted)],
        "castling": list(seen.castling),
        "lost": {side: _toll(seen.lost[side]) for side in Side},
        "reserves": {side: reserves[side] for side in Side} if reserves else None,
        "recalled": [
            {"turn": each.move, "squares": {SQUARES[square]: letter for square, letter in each.squares}}
            for each in seen.newest_memories()
        ],
        "sense_due": seen.sense_due,
    }


def _toll(toll: Losses) -> dict[str, int | None]:
    return {"men": toll.men, "pawns": toll.pawns}
