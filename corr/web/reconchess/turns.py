"""Runs a bot's turn: its sense, its move, and resigning. A repeated request gets the same answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr import limits
from corr.service import catalogue
from corr.service.games import json_format, page_orders
from corr.service.games.page_orders import PageText
from corr.service.lobby import page
from corr.service.players.authentication import Visitor
from corr.text.messages import sentence
from corr.web.api.token_auth import json_response, read_json
from corr.web.browser_session import current_server, limit
from corr.web.order_submission import submit_orders
from corr.web.reconchess.seats import PREFIX, BotMove, BotSeat, find_seat, not_yet_error, require_bot
from corr.words.board import SQUARES

pages = Blueprint("reconchess_turns", __name__, url_prefix=f"{PREFIX}/games/<number>")

_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_Found = TypeVar("_Found")


@pages.post("/sense")
def sense(number: str) -> Response:
    """Sense a square and those around it, or none."""
    who, square = _playing(), read_json().get("square")
    if square is not None and (type(square) is not int or not 0 <= square < 64):
        abort(400, sentence("reconchess.no_square"))
    seat = find_seat(who, number)
    if seat.status.public.is_over:
        return json_response({"sense_result": []})
    order = f"sense {'none' if square is None else SQUARES[square]}"
    seen = _require_turn(seat).sensed or _submit_and_wait(
        who, number, seat, order, lambda after: after.sensed
    )
    if seen.square != square:
        abort(400, sentence("reconchess.sensed"))
    return json_response({"sense_result": json_format.sense_to_json(seen)})


@pages.post("/move")
def move(number: str) -> Response:
    """Make a move, or pass; return which move was made, and any capture."""
    who, requested = _playing(), read_json().get("requested_move")
    uci = requested.get("value") if isinstance(requested, dict) else requested
    if uci is not None and not (isinstance(uci, str) and _UCI.fullmatch(uci)):
        abort(400, sentence("reconchess.no_move"))
    seat = find_seat(who, number)
    if seat.status.public.is_over:
        return json_response({"move_result": [requested, None, None]})
    order = "pass" if uci is None else _complete_promotion(seat, uci)
    done = seat.last
    if seat.is_my_turn and seat.sensed:
        if order not in catalogue.moves(page.BOT_VARIANT, seat.sight):
            abort(400, sentence("reconchess.no_move"))
        done = _submit_and_wait(who, number, seat, order, _move_finder(seat))
    if done is None or done.asked != order:
        _require_turn(seat)
        abort(400, sentence("reconchess.sense_first"))
    return json_response({"move_result": [requested, json_format.move_to_json(done.made), done.taken]})


@pages.post("/resign", endpoint="resign")
@pages.post("/error_resign", endpoint="error_resign")
def resign(number: str) -> Response:
    """Resign the game, at the bot's wish or because it has failed."""
    who = _playing()
    seat = find_seat(who, number)
    if not seat.status.public.is_over:
        _submit_and_wait(who, number, seat, "resign resign", lambda after: after.status.public.outcome)
    return json_response({})


def _playing() -> Visitor:
    """Return the bot's player, up to an hourly limit of orders."""
    who = require_bot()
    limit("orders", limits.BOT_ORDERS_AN_HOUR, f"player {who.who.player_id}")
    return who


def _require_turn(seat: BotSeat) -> BotSeat:
    if not seat.is_my_turn:
        abort(400, sentence("reconchess.not_your_turn"))
    return seat


def _complete_promotion(seat: BotSeat, uci: str) -> str:
    """Promote a pawn on the last row to a queen, unless the move says otherwise."""
    queen = f"{uci}q"
    return queen if queen in catalogue.moves(page.BOT_VARIANT, seat.sight) else uci


def _move_finder(before: BotSeat) -> Callable[[BotSeat], BotMove | None]:
    """Return a function that finds the move made after an earlier state of the seat."""
    return lambda after: after.last if after.status.public.ply > before.status.public.ply else None


def _submit_and_wait(
    who: Visitor, number: str, seat: BotSeat, order: str, comes_of_it: Callable[[BotSeat], _Found | None]
) -> _Found:
    """Submit an order and return its result; until it is judged, the bot must ask again."""
    written = PageText(order, seat.status.stamp)
    submit_orders(lambda: seat.at, written)
    found = comes_of_it(find_seat(who, number))
    if found is None:
        answer = page_orders.find_answer(current_server(), seat.at.seat_id, written.key)
        if answer and answer.is_given:
            abort(400, sentence("reconchess.refused"))
        raise not_yet_error()
    return found
