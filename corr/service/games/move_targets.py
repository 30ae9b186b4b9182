"""Finds the squares that each own piece could reach past other own pieces, from what its side alone sees."""

from __future__ import annotations

from collections.abc import Mapping

from corr.service import catalogue
from corr.words.view import Stage, View


def find_targets(view: View) -> Mapping[str, tuple[str, ...]]:
    """Return target squares by the piece's square, or by its letter for a reserve piece."""
    if view.sight is None or view.state is not Stage.RUNNING:
        return {}
    found: dict[str, dict[str, None]] = {}
    for move in catalogue.moves(view.card.key, view.sight):
        if move != "pass":
            origin, target = move.split("@") if "@" in move else (move[:2], move[2:4])
            found.setdefault(origin, {})[target] = None
    return {origin: tuple(targets) for origin, targets in found.items()}
