"""Suggests what a player may have meant by an unclear line, for now or the next turn, from own pieces alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from corr.game.standing_orders import is_announced
from corr.orders import OwnMoves, UnclearLine, parse_lines, propose_from_prose, propose_orders, propose_setups
from corr.service import catalogue
from corr.words.orders import StandingOrders
from corr.words.view import Card, Stage, View


def suggest_orders(answer: Mapping[str, Any], view: View) -> tuple[str, ...]:
    """Propose up to three ready orders; none if there were orders and all was clear."""
    # Orders for this turn, written before the player knew that it had come.
    items = answer.get("items", ())
    if overtaken := tuple(item["order"] for item in items if item["note"] == "overtaken"):
        return overtaken if view.state is Stage.RUNNING and view.my_turn and not view.late else ()
    puzzled, prose = answer.get("puzzled"), answer.get("ignored", ())
    is_without = not (puzzled or items or answer.get("doubt")) and prose
    if not (puzzled or is_without) or view.sight is None or view.late:
        return ()
    if view.state is Stage.DEPLOYING:
        lines = (*([puzzled["line"]] if puzzled else ()), *prose)
        return () if view.sight.own else propose_setups(lines, catalogue.moves(view.card.key, view.sight))
    keeps_orders = view.card.told and view.lesson is None
    if view.state is not Stage.RUNNING or not (view.my_turn or keeps_orders):
        return ()
    options = partial(catalogue.moves, view.card.key)
    own = OwnMoves(view.sight, options(view.sight), view.card, options, view.my_turn)
    if puzzled:
        acts, alone = tuple(puzzled.get("acts", ())), puzzled.get("alone", True)
        puzzle = UnclearLine(puzzled["line"], puzzled["why"], acts=acts, alone=alone)
        return tuple(each for each in propose_orders(puzzle, own) if _is_told(each, view.card))
    return propose_from_prose(prose, own)


def _is_told(orders: str, card: Card) -> bool:
    """Whether the variant's umpire announces what the orders depend on."""
    return all(
        not isinstance(each, StandingOrders) or is_announced(each, card.told)
        for each in parse_lines([orders]).orders
    )
