"""What a player may have meant by a line that is not clear, where it could be done now or next: from own men alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from corr.game.standing_orders import is_told
from corr.orders import Own, Puzzle, in_prose, proposals, read, set_up
from corr.service import catalogue
from corr.words.orders import StandingOrders
from corr.words.view import Card, Stage, View


def proposed(answer: Mapping[str, Any], view: View) -> tuple[str, ...]:
    """Orders that are ready to be sent, three at most; none where there were orders, and every line was clear."""
    if overtaken := _overtaken(answer):
        return overtaken if view.state is Stage.RUNNING and view.my_turn and not view.late else ()
    puzzled, prose = answer.get("puzzled"), answer.get("ignored", ())
    is_without = not (puzzled or answer.get("items") or answer.get("doubt")) and prose
    if not (puzzled or is_without) or view.sight is None or view.late:
        return ()
    if view.state is Stage.DEPLOYING:
        lines = (*([puzzled["line"]] if puzzled else ()), *prose)
        return () if view.sight.own else set_up(lines, catalogue.moves(view.card.key, view.sight))
    if view.state is not Stage.RUNNING or not (view.my_turn or _looks_ahead(view)):
        return ()
    options = partial(catalogue.moves, view.card.key)
    own = Own(view.sight, options(view.sight), view.card, options, view.my_turn)
    if puzzled:
        acts, alone = tuple(puzzled.get("acts", ())), puzzled.get("alone", True)
        puzzle = Puzzle(puzzled["line"], puzzled["why"], acts=acts, alone=alone)
        return tuple(each for each in proposals(puzzle, own) if _is_told(each, view.card))
    return in_prose(prose, own)


def _overtaken(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """What was written for this turn before its player knew that it had come."""
    return tuple(item["order"] for item in answer.get("items", ()) if item["note"] == "overtaken")


def _looks_ahead(view: View) -> bool:
    """Whether a move of this side's is kept for its next turn."""
    return bool(view.card.told) and view.lesson is None


def _is_told(orders: str, card: Card) -> bool:
    """Whether the umpire of a variant tells what orders hang on."""
    return all(
        not isinstance(each, StandingOrders) or is_told(each, card.told) for each in read([orders]).orders
    )
