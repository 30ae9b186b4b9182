"""What a player may have meant by a line that is not clear, where it could be done now: from own men alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corr.desk import catalogue
from corr.orders import Own, Puzzle, proposals
from corr.words.view import Stage, View


def proposed(puzzled: Mapping[str, Any] | None, view: View) -> tuple[str, ...]:
    """Orders that are ready to be sent, three at most; none where every line was clear."""
    if (
        puzzled is None
        or view.sight is None
        or view.state is not Stage.RUNNING
        or not view.my_turn
        or view.late
    ):
        return ()
    puzzle = Puzzle(puzzled["line"], puzzled["why"], acts=tuple(puzzled.get("acts", ())))
    own = Own(view.sight, catalogue.moves(view.card.key, view.sight), view.card.lists)
    return proposals(puzzle, own)
