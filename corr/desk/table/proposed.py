"""What a player may have meant by a line that is not clear, where it could be done now or next: from own men alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corr.desk import catalogue
from corr.game.standing import is_told
from corr.orders import Own, Puzzle, proposals, read_order
from corr.words.orders import StandingOrders
from corr.words.view import Card, Stage, View


def proposed(puzzled: Mapping[str, Any] | None, view: View) -> tuple[str, ...]:
    """Orders that are ready to be sent, three at most; none where every line was clear."""
    if puzzled is None or view.sight is None or view.state is not Stage.RUNNING or view.late:
        return ()
    if not (view.my_turn or _looks_ahead(view)):
        return ()
    puzzle = Puzzle(puzzled["line"], puzzled["why"], acts=tuple(puzzled.get("acts", ())))
    own = Own(view.sight, catalogue.moves(view.card.key, view.sight), view.card, view.my_turn)
    return tuple(each for each in proposals(puzzle, own) if _is_told(each, view.card))


def _looks_ahead(view: View) -> bool:
    """Whether a move of this side's is kept for its next turn."""
    return bool(view.card.told) and view.lesson is None


def _is_told(order: str, card: Card) -> bool:
    """Whether the umpire of a variant tells what an order hangs on."""
    read = read_order(order)
    return not isinstance(read, StandingOrders) or is_told(read, card.told)
