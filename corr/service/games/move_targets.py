"""Where each man of one's own could go by his pattern, past the men of one's own: from what a side sees alone."""

from __future__ import annotations

from collections.abc import Mapping

from corr.service import catalogue
from corr.words.view import Stage, View


def reach(view: View) -> Mapping[str, tuple[str, ...]]:
    """The squares, by the square of the man, or by his letter where he is in the reserve."""
    if view.sight is None or view.state is not Stage.RUNNING:
        return {}
    found: dict[str, dict[str, None]] = {}
    for move in catalogue.moves(view.card.key, view.sight):
        if move != "pass":
            origin, target = move.split("@") if "@" in move else (move[:2], move[2:4])
            found.setdefault(origin, {})[target] = None
    return {origin: tuple(targets) for origin, targets in found.items()}
