"""Moves, men and squares as `reconchess` writes them in JSON."""

from __future__ import annotations

from typing import TypeAlias

from corr.desk.catalogue import Sensed

Value: TypeAlias = dict[str, str]


def move(uci: str | None) -> Value | None:
    """A move by its squares; a pass is none."""
    return None if uci in (None, "pass") else {"type": "Move", "value": str(uci)}


def sense(sensed: Sensed) -> list[tuple[int, Value | None]]:
    """What a sense showed, from the top row to the lowest, and in each from the left."""
    ordered = sorted(sensed.shown, key=lambda on: (-(on[0] // 8), on[0] % 8))
    return [(square, _man(letter)) for square, letter in ordered]


def _man(letter: str) -> Value | None:
    return None if letter == "." else {"type": "Piece", "value": letter}
