"""Writes moves, pieces, squares and whole games as JSON in the format of `reconchess`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from corr.service.catalogue import RbcTurns, SenseResult
from corr.service.games.finished import FinishedGame
from corr.words.board import Pair, Side
from corr.words.slips import Outcome

Value: TypeAlias = dict[str, str]

#: The names that `reconchess` has for the ends of games; it knows no others.
_REASONS = {
    "king-captured": "KING_CAPTURE",
    "time": "TIMEOUT",
    "resignation": "RESIGN",
    "fifty": "MOVE_LIMIT",
}


def move(uci: str | None) -> Value | None:
    """Return a move by its squares; None for a pass."""
    return None if uci in (None, "pass") else {"type": "Move", "value": str(uci)}


def sense(sensed: SenseResult) -> list[tuple[int, Value | None]]:
    """Return what a sense showed, from the top row down, each from the left."""
    ordered = sorted(sensed.shown, key=lambda on: (-(on[0] // 8), on[0] % 8))
    return [(square, _man(letter)) for square, letter in ordered]


def _man(letter: str) -> Value | None:
    return None if letter == "." else {"type": "Piece", "value": letter}


def history(game: FinishedGame) -> dict[str, Any]:
    """Return all that both sides did in a finished game, and the true boards."""
    players, both, outcome = game.finished.players, game.scouted, game.finished.outcome
    return {
        "type": "GameHistory",
        "white_name": players.white,
        "black_name": players.black,
        "senses": _each(both, lambda side: [each.square for each in side.senses]),
        "sense_results": _each(both, lambda side: [sense(each) for each in side.senses]),
        "requested_moves": _each(both, lambda side: [move(each.asked) for each in side.moves]),
        "taken_moves": _each(both, lambda side: [move(each.made) for each in side.moves]),
        "capture_squares": _each(both, lambda side: [each.taken for each in side.moves]),
        "fens_before_move": _each(both, lambda side: [each.before for each in side.moves]),
        "fens_after_move": _each(both, lambda side: [each.after for each in side.moves]),
        "winner_color": winner(outcome),
        "win_reason": reason(outcome),
    }


def winner(outcome: Outcome) -> bool | None:
    """Return whether White won; None without a winner."""
    return None if outcome.winner is None else outcome.winner is Side.WHITE


def reason(outcome: Outcome) -> Value | None:
    """Return why a game ended, where `reconchess` has a word for it."""
    found = _REASONS.get(outcome.reason)
    return {"type": "WinReason", "value": found} if found else None


def _each(both: Pair[RbcTurns], what: Callable[[RbcTurns], list[Any]]) -> dict[str, list[Any]]:
    return {"true": what(both.white), "false": what(both.black)}
