"""Tells a bot the result and the history of a finished game, and of no other."""

from __future__ import annotations

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr.messages import sentence
from corr.service.games import finished, reconchess_json
from corr.web.api.token_auth import json_response
from corr.web.browser_session import current_server
from corr.web.reconchess.seats import BotSeat, find_seat
from corr.web.reconchess.token_auth import PREFIX, require_bot
from corr.words.slips import Outcome

pages = Blueprint("reconchess_endings", __name__, url_prefix=f"{PREFIX}/games/<number>")


@pages.get("/winner_color")
def winner_color(number: str) -> Response:
    """Return the winner, if there is one."""
    return json_response({"winner_color": reconchess_json.winner(_finished_game(number)[1])})


@pages.get("/win_reason")
def win_reason(number: str) -> Response:
    """Return why the game ended."""
    return json_response({"win_reason": reconchess_json.reason(_finished_game(number)[1])})


@pages.get("/game_history")
def game_history(number: str) -> Response:
    """Return everything both sides did, and the true boards."""
    seat, _ = _finished_game(number)
    game = finished.load_by_code(current_server(), seat.standing.meeting.code)
    return json_response({"game_history": reconchess_json.history(game)})


def _finished_game(number: str) -> tuple[BotSeat, Outcome]:
    seat = find_seat(require_bot(), number)
    outcome = seat.standing.public.outcome
    if outcome is None:
        abort(400, sentence("reconchess.not_over"))
    return seat, outcome
