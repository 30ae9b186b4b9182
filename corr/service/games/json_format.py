"""Writes games, slips and answers as JSON, the same in the API and in an email's attachment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from corr.record import turns
from corr.service import catalogue
from corr.service.games.new_slips import NumberedSlip
from corr.service.games.public_state import PublicState
from corr.service.games.view import GameInfo
from corr.text.template_env import render
from corr.words.board import Side
from corr.words.view import View

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def encode_json(body: Mapping[str, Any]) -> str:
    return _ENCODER.encode(body)


def game_as_json(meeting: GameInfo, side: Side, public: PublicState) -> dict[str, Any]:
    """Describe a game's state for one side."""
    outcome = public.outcome
    return {
        "code": meeting.code,
        "variant": meeting.variant,
        "side": side,
        "state": public.state,
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
    }


def answer_as_json(answer: Mapping[str, Any], view: View, medium: str) -> dict[str, Any]:
    """Return the umpire's answer on a page or by email, in words and by order."""
    cards = {card.key: card for card in catalogue.cards()}
    says = render("api/answer.txt", answer=answer, view=view, cards=cards, medium=medium) if answer else ""
    items = answer.get("items", [])
    return {
        "says": "\n\n".join(" ".join(each.split()) for each in says.split("\n\n") if each.strip()),
        "orders": [{key: each[key] for key in ("order", "note", "move", "said")} for each in items],
    }


def slip_as_json(each: NumberedSlip) -> dict[str, Any]:
    """Return a slip as its reader was handed it."""
    return {
        "number": each.number,
        "step": each.step,
        "ply": each.ply,
        "facts": turns.facts_to_json(each.slip.facts),
        "sight": turns.sight_to_json(each.slip.sight),
    }
