"""What a bot is told of a game that is over, and of no other: who won and why, and all that both sides did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr.desk.catalogue import Scouting
from corr.desk.table import finished
from corr.sentences import sentence
from corr.web.api.door import told
from corr.web.reconchess import values
from corr.web.reconchess.door import PREFIX, bot
from corr.web.reconchess.seats import Seat, seat_of
from corr.web.visit import house
from corr.words.board import Pair, Side
from corr.words.slips import Outcome

pages = Blueprint("reconchess_endings", __name__, url_prefix=f"{PREFIX}/games/<number>")

#: As `reconchess` calls the ways in which a game ends; it knows no other.
_REASONS = {
    "king-captured": "KING_CAPTURE",
    "time": "TIMEOUT",
    "resignation": "RESIGN",
    "fifty": "MOVE_LIMIT",
}


@pages.get("/winner_color")
def winner_color(number: str) -> Response:
    """Who has won, if somebody has."""
    return told({"winner_color": _winner(_over(number)[1])})


@pages.get("/win_reason")
def win_reason(number: str) -> Response:
    """Why the game ended."""
    return told({"win_reason": _reason(_over(number)[1])})


@pages.get("/game_history")
def game_history(number: str) -> Response:
    """All that both sides did, and the true boards."""
    seat, outcome = _over(number)
    game = finished.of_code(house(), seat.standing.meeting.code)
    players, both = game.finished.players, game.scouted
    history = {
        "type": "GameHistory",
        "white_name": players.white,
        "black_name": players.black,
        "senses": _each(both, lambda side: [each.square for each in side.senses]),
        "sense_results": _each(both, lambda side: [values.sense(each) for each in side.senses]),
        "requested_moves": _each(both, lambda side: [values.move(each.asked) for each in side.moves]),
        "taken_moves": _each(both, lambda side: [values.move(each.made) for each in side.moves]),
        "capture_squares": _each(both, lambda side: [each.taken for each in side.moves]),
        "fens_before_move": _each(both, lambda side: [each.before for each in side.moves]),
        "fens_after_move": _each(both, lambda side: [each.after for each in side.moves]),
        "winner_color": _winner(outcome),
        "win_reason": _reason(outcome),
    }
    return told({"game_history": history})


def _over(number: str) -> tuple[Seat, Outcome]:
    seat = seat_of(bot(), number)
    outcome = seat.standing.public.outcome
    if outcome is None:
        abort(400, sentence("reconchess.not_over"))
    return seat, outcome


def _winner(outcome: Outcome) -> bool | None:
    return None if outcome.winner is None else outcome.winner is Side.WHITE


def _reason(outcome: Outcome) -> dict[str, str] | None:
    reason = _REASONS.get(outcome.reason)
    return {"type": "WinReason", "value": reason} if reason else None


def _each(both: Pair[Scouting], what: Callable[[Scouting], list[Any]]) -> dict[str, list[Any]]:
    return {"true": what(both.white), "false": what(both.black)}
