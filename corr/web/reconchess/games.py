"""Answers a bot's questions about a running game, from its own slips and public facts alone."""

from __future__ import annotations

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr.messages import sentence
from corr.service import catalogue
from corr.service.games import poll_status
from corr.service.games.poll_status import PollStatus
from corr.service.games.reconchess_json import move
from corr.service.lobby import bot_invitations
from corr.web.api.token_auth import json_response
from corr.web.browser_session import current_server
from corr.web.reconchess.seats import find_seat
from corr.web.reconchess.token_auth import PREFIX, credentials, number_to_code, require_bot
from corr.words.board import Side

pages = Blueprint("reconchess_games", __name__, url_prefix=f"{PREFIX}/games/<number>")

_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#: The most seconds that we tell a bot it has left: some bots spend a part of them on each turn.
_SECONDS = 900.0


@pages.get("/color")
def color(number: str) -> Response:
    """Return the bot's side."""
    return json_response({"color": find_seat(require_bot(), number).standing.side is Side.WHITE})


@pages.get("/starting_board")
def starting_board(number: str) -> Response:
    """Return how the pieces stand at first."""
    find_seat(require_bot(), number)
    return json_response({"board": {"type": "Board", "value": _START}})


@pages.get("/opponent_name")
def opponent_name(number: str) -> Response:
    """Return the name of the bot's opponent."""
    return json_response({"opponent_name": find_seat(require_bot(), number).standing.meeting.name})


@pages.post("/ready")
def ready(number: str) -> Response:
    """Accept that the bot is ready; nobody waits for it."""
    find_seat(require_bot(), number)
    return json_response({})


@pages.get("/seconds_left")
def seconds_left(number: str) -> Response:
    """Return how many seconds the bot may take."""
    deadline = find_seat(require_bot(), number).standing.public.time.deadline
    left = (deadline - current_server().now()).total_seconds() if deadline else _SECONDS
    return json_response({"seconds_left": min(_SECONDS, max(0.0, left))})


@pages.get("/game_status")
def game_status(number: str) -> Response:
    """Return whether it is the bot's turn, and whether the game is over.

    Bots ask for this twice a second.
    """
    found = _poll_game(number)
    return json_response({"is_my_turn": found.is_my_turn, "is_over": found.is_over})


@pages.get("/is_my_turn")
def is_my_turn(number: str) -> Response:
    """Return whether it is the bot's turn."""
    return json_response({"is_my_turn": _poll_game(number).is_my_turn})


@pages.get("/is_over")
def is_over(number: str) -> Response:
    """Return whether the game is over."""
    return json_response({"is_over": _poll_game(number).is_over})


@pages.get("/sense_actions")
def sense_actions(number: str) -> Response:
    """Return the squares that the bot may sense."""
    find_seat(require_bot(), number)
    return json_response({"sense_actions": list(range(64))})


@pages.get("/move_actions")
def move_actions(number: str) -> Response:
    """Return the moves that the bot's own pieces allow."""
    moves = catalogue.moves(bot_invitations.VARIANT, find_seat(require_bot(), number).sight)
    return json_response({"move_actions": [move(each) for each in moves if each != "pass"]})


@pages.get("/opponent_move_results")
def opponent_move_results(number: str) -> Response:
    """Return where the opponent's last move captured a piece."""
    return json_response({"opponent_move_results": find_seat(require_bot(), number).taken})


def _poll_game(number: str) -> PollStatus:
    given = credentials()
    found = poll_status.load_status(current_server(), given.token, number_to_code(number))
    if found is None or not given.is_for(found.name):
        find_seat(require_bot(), number)  # raises an error that says why not
        abort(404, sentence("pages.no_game"))
    return found
