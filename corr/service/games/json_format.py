"""Writes games, slips and answers as JSON for the API and emails, and for `reconchess`; records: `corr/record/`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from corr.record import turns
from corr.service import catalogue
from corr.service.catalogue import RbcTurns, SenseResult
from corr.service.games.finished import FinishedGame
from corr.service.games.public_state import PublicState
from corr.service.games.slip_queries import NumberedSlip
from corr.service.games.view import GameInfo
from corr.text.template_env import render
from corr.words.board import Pair, Side
from corr.words.slips import Outcome
from corr.words.view import View

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def encode_json(body: Mapping[str, Any]) -> str:
    return _ENCODER.encode(body)


def game_as_json(info: GameInfo, side: Side, public: PublicState) -> dict[str, Any]:
    """Return a game's code, variant, state and outcome for one side, as JSON data."""
    outcome = public.outcome
    return {
        "code": info.code,
        "variant": info.variant,
        "side": side,
        "state": public.state,
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
    }


def answer_as_json(answer: Mapping[str, Any], view: View, medium: str) -> dict[str, Any]:
    """Return the umpire's answer as JSON data: its whole text, and a result for each order."""
    cards = {card.key: card for card in catalogue.cards()}
    says = render("api/answer.txt", answer=answer, view=view, cards=cards, medium=medium) if answer else ""
    items = answer.get("items", [])
    return {
        "says": "\n\n".join(" ".join(each.split()) for each in says.split("\n\n") if each.strip()),
        "orders": [{key: each[key] for key in ("order", "note", "move", "said")} for each in items],
    }


def slip_as_json(each: NumberedSlip) -> dict[str, Any]:
    """Return a slip as JSON data: its numbers, the umpire's words and the visible board."""
    return {
        "number": each.number,
        "step": each.step,
        "ply": each.ply,
        "facts": turns.facts_to_json(each.slip.facts),
        "sight": turns.sight_to_json(each.slip.sight),
    }


Value: TypeAlias = dict[str, str]

#: The names that `reconchess` has for the ends of games; it knows no others.
_REASONS = {
    "king-captured": "KING_CAPTURE",
    "time": "TIMEOUT",
    "resignation": "RESIGN",
    "fifty": "MOVE_LIMIT",
}


def move_to_json(uci: str | None) -> Value | None:
    """Return a move in the form of `reconchess`; None for a pass."""
    return None if uci in (None, "pass") else {"type": "Move", "value": str(uci)}


def sense_to_json(sensed: SenseResult) -> list[tuple[int, Value | None]]:
    """Return what a sense showed, as `reconchess` has it: (square, piece) pairs from the top left."""
    ordered = sorted(sensed.shown, key=lambda on: (-(on[0] // 8), on[0] % 8))
    return [(square, _piece_to_json(letter)) for square, letter in ordered]


def _piece_to_json(letter: str) -> Value | None:
    """Return a piece in the form of `reconchess`; None for an empty square."""
    return None if letter == "." else {"type": "Piece", "value": letter}


def history_to_json(game: FinishedGame) -> dict[str, Any]:
    """Return a finished game as `reconchess` has it: both sides' senses and moves, and true boards."""
    players, both, outcome = game.finished.players, game.scouted, game.finished.outcome
    return {
        "type": "GameHistory",
        "white_name": players.white,
        "black_name": players.black,
        "senses": _each(both, lambda side: [each.square for each in side.senses]),
        "sense_results": _each(both, lambda side: [sense_to_json(each) for each in side.senses]),
        "requested_moves": _each(both, lambda side: [move_to_json(each.asked) for each in side.moves]),
        "taken_moves": _each(both, lambda side: [move_to_json(each.made) for each in side.moves]),
        "capture_squares": _each(both, lambda side: [each.taken for each in side.moves]),
        "fens_before_move": _each(both, lambda side: [each.before for each in side.moves]),
        "fens_after_move": _each(both, lambda side: [each.after for each in side.moves]),
        "winner_color": winner_to_json(outcome),
        "win_reason": reason_to_json(outcome),
    }


def winner_to_json(outcome: Outcome) -> bool | None:
    """Return whether White won; None without a winner."""
    return None if outcome.winner is None else outcome.winner is Side.WHITE


def reason_to_json(outcome: Outcome) -> Value | None:
    """Return why a game ended, as `reconchess` names it; None if it has no name."""
    found = _REASONS.get(outcome.reason)
    return {"type": "WinReason", "value": found} if found else None


def _each(both: Pair[RbcTurns], what: Callable[[RbcTurns], list[Any]]) -> dict[str, list[Any]]:
    """Return a value for both sides as `reconchess` has it, under "true" for White."""
    return {"true": what(both.white), "false": what(both.black)}
