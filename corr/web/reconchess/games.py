"""Answers a bot's questions about its game, by what its own seat may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr.service import catalogue
from corr.service.games import finished, json_format, poll_status
from corr.service.games.poll_status import PollStatus
from corr.service.lobby import page
from corr.text.messages import sentence
from corr.web.api.token_auth import json_response
from corr.web.browser_session import current_server
from corr.web.reconchess.seats import PREFIX, BotSeat, credentials, find_seat, number_to_code, require_bot
from corr.words.board import Side
from corr.words.slips import Outcome

pages = Blueprint("reconchess_games", __name__, url_prefix=f"{PREFIX}/games/<number>")

_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#: The most seconds that we tell a bot it has left: some bots spend a part of them on each turn.
_SECONDS = 900.0


def _seconds_left(seat: BotSeat) -> float:
    """Return the seconds that a bot has left, at most 900."""
    deadline = seat.status.public.time.deadline
    left = (deadline - current_server().now()).total_seconds() if deadline else _SECONDS
    return min(_SECONDS, max(0.0, left))


def _move_actions(seat: BotSeat) -> list[Any]:
    """Return all moves for which a bot may ask."""
    moves = catalogue.moves(page.BOT_VARIANT, seat.sight)
    return [json_format.move_to_json(each) for each in moves if each != "pass"]


def _outcome(seat: BotSeat) -> Outcome:
    """Return the game's outcome, or answer 400 while it goes on."""
    return seat.status.public.outcome or abort(400, sentence("reconchess.not_over"))


def _history(seat: BotSeat) -> Any:
    """Return all that both sides did in a finished game, and the true boards."""
    _outcome(seat)
    return json_format.history_to_json(finished.load_by_code(current_server(), seat.status.info.code))


#: What a bot may ask, and how its seat answers.
_QUESTIONS: dict[str, Callable[[BotSeat], Any]] = {
    "color": lambda seat: seat.status.side is Side.WHITE,
    "opponent_name": lambda seat: seat.status.info.name,
    "seconds_left": _seconds_left,
    "sense_actions": lambda _seat: list(range(64)),
    "move_actions": _move_actions,
    "opponent_move_results": lambda seat: seat.taken,
    "winner_color": lambda seat: json_format.winner_to_json(_outcome(seat)),
    "win_reason": lambda seat: json_format.reason_to_json(_outcome(seat)),
    "game_history": _history,
}


def _view_of(question: str) -> Callable[[str], Response]:
    """Return the view that answers one question."""

    def view(number: str) -> Response:
        return json_response({question: _QUESTIONS[question](find_seat(require_bot(), number))})

    return view


for each in _QUESTIONS:
    pages.add_url_rule(f"/{each}", each, _view_of(each))


@pages.get("/starting_board")
def starting_board(number: str) -> Response:
    find_seat(require_bot(), number)
    return json_response({"board": {"type": "Board", "value": _START}})


@pages.post("/ready", endpoint="ready")
@pages.post("/end_turn", endpoint="end_turn")
def accept(number: str) -> Response:
    """Accept that the bot is ready, or has ended its turn; nobody waits for either."""
    find_seat(require_bot(), number)
    return json_response({})


@pages.get("/game_status")
def game_status(number: str) -> Response:
    """Return whether it is the bot's turn, and whether the game is over; bots ask this often."""
    found = _poll_game(number)
    return json_response({"is_my_turn": found.is_my_turn, "is_over": found.is_over})


@pages.get("/is_my_turn")
def is_my_turn(number: str) -> Response:
    return json_response({"is_my_turn": _poll_game(number).is_my_turn})


@pages.get("/is_over")
def is_over(number: str) -> Response:
    return json_response({"is_over": _poll_game(number).is_over})


def _poll_game(number: str) -> PollStatus:
    """Return a game's state by a single query, or answer with an error."""
    given = credentials()
    found = poll_status.load_status(current_server(), given.token, number_to_code(number))
    if found is None or not given.is_for(found.name):
        find_seat(require_bot(), number)  # raises an error that says why not
        abort(404, sentence("pages.no_game"))
    return found
