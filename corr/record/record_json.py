"""Writes the umpire's facts and a side's sight in the machine-readable form of records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corr.words.board import SQUARES, Side, squares_of
from corr.words.slips import Fact, Sight


def facts_to_json(said: Iterable[Fact]) -> list[dict[str, Any]]:
    return [{"code": fact.code, "words": fact.text, "data": fact.plain} for fact in said]


def sight_to_json(seen: Sight) -> dict[str, Any]:
    reserves, losses = seen.reserves, ((side, seen.lost[side]) for side in Side)
    return {
        "squares": seen.letters(),
        "own": [SQUARES[square] for square in squares_of(seen.own)],
        "promoted": [SQUARES[square] for square in squares_of(seen.promoted)],
        "castling": list(seen.castling),
        "lost": {side: {"men": lost.men, "pawns": lost.pawns} for side, lost in losses},
        "reserves": {side: reserves[side] for side in Side} if reserves else None,
        "recalled": [
            {"turn": each.move, "squares": {SQUARES[square]: letter for square, letter in each.squares}}
            for each in seen.newest_memories()
        ],
        "sense_due": seen.sense_due,
    }
