"""Serves a program's games and their slips, and accepts its orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from corr import limits
from corr.service import catalogue
from corr.service.games import finished_list, notice_times, page, page_orders, slip_queries, your_games
from corr.service.games.json_format import answer_as_json, game_as_json, slip_as_json
from corr.service.games.page import GamePlayer, GameStatus
from corr.service.games.page_orders import Answer, PageText
from corr.service.games.slip_queries import NumberedSlip
from corr.service.games.your_games import OwnGame
from corr.text.messages import sentence
from corr.web.api.token_auth import json_response, read_json, require_bot, require_program
from corr.web.browser_session import abort_if_refused, current_server
from corr.web.order_submission import submit_orders
from corr.words.board import Side

pages = Blueprint("api_games", __name__, url_prefix="/api")

_CODE = re.compile(r"[a-z0-9]{1,12}")
_AFTER_PATTERN = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_STAMP = re.compile(r"([0-9]{1,9})-([0-9]{1,9})-[0-9]{1,9}")
_ORDER_FIELDS = {"text", "stamp", "side"}
_NO_OTHERS = finished_list.ListRequest(0)
_KEYS = {card.name: card.key for card in catalogue.cards()}


@pages.get("/games")
def mine() -> Response:
    """List the player's unfinished games, first those that wait for the player."""
    own = require_program().who.player_id or 0
    games = your_games.list_games(current_server(), own, current_server().now(), _NO_OTHERS)
    return json_response({"games": [_game(each) for each in (*games.mine, *games.waiting)]})


def _game(game: OwnGame) -> dict[str, Any]:
    """Return a game of the list as JSON data."""
    return {
        "code": game.code,
        "variant": _KEYS[game.variant],
        "side": game.side,
        "opponent": game.opponent,
        "state": game.state,
        "my_turn": game.my_turn,
        "deadline": game.deadline.isoformat() if game.deadline else None,
    }


@pages.get("/games/<code>/slips")
def slips(code: str) -> Response:
    """Return the game's state, and what the umpire told the player after a given slip."""
    own = require_program().who.player_id or 0
    after = _AFTER_PATTERN.fullmatch(request.args.get("after", "0"))
    if after is None:
        abort(400, sentence("programs.no_such_slip"))
    seat = _seats(own, code, request.args.get("side"))[0]
    return json_response(_status_to_json(seat.status, _read_slips(seat, int(after[1]), int(after[2] or 0))))


@pages.post("/games/<code>/orders")
def orders(code: str) -> Response:
    """Pass orders to the umpire, only once for each stamp; return the answer if it comes at once."""
    own = require_bot("orders", limits.BOT_ORDERS_AN_HOUR).who.player_id or 0
    asked = read_json()
    text, stamp, side = asked.get("text"), asked.get("stamp"), asked.get("side")
    if not (isinstance(text, str) and isinstance(stamp, str) and isinstance(asked.get("side", ""), str)):
        abort(400, sentence("programs.no_orders"))
    since, written = _STAMP.fullmatch(stamp), PageText("\n".join(text.splitlines()).strip(), stamp)
    if since is None or not written.text or asked.keys() - _ORDER_FIELDS:
        abort(400, sentence("programs.no_orders"))
    with abort_if_refused(400):
        seat = submit_orders(lambda: _writing(own, code, side, written), written)
    assert seat
    now = _seats(own, code, seat.status.side)[0]
    answer = page_orders.find_answer(current_server(), seat.seat_id, written.key)
    assert answer
    body = _status_to_json(now.status, _read_slips(now, int(since[1]), int(since[2])))
    return json_response(body | _answer_to_json(now, answer), 200 if answer.is_given else 202)


def _writing(own: int, code: str, side: str | None, written: PageText) -> GamePlayer:
    """Return the seat that writes; refuse orders by a program that does not know the newest slips."""
    seats = _seats(own, code, side)
    if len(seats) > 1:
        abort(400, sentence("programs.both_sides"))
    seat = seats[0]
    if seat.status.stamp != written.stamp and not page_orders.find_answer(
        current_server(), seat.seat_id, written.key
    ):
        if seat.status.public.is_over:
            abort(409, sentence("programs.over", stamp=seat.status.stamp))
        abort(409, sentence("programs.old_stamp", stamp=seat.status.stamp))
    return seat


def _answer_to_json(seat: GamePlayer, answer: Answer) -> dict[str, Any]:
    """Return as JSON data whether the umpire has answered, and what."""
    view = page.load_page(current_server(), seat, seat.status.public.ply).view
    return {"answered": answer.is_given, **answer_as_json(answer.words, view, "page")}


def _status_to_json(status: GameStatus, slips: Sequence[NumberedSlip]) -> dict[str, Any]:
    """Return a game's state and some of its slips as JSON data."""
    return {
        **game_as_json(status.info, status.side, status.public),
        "stamp": status.stamp,
        "slips": [slip_as_json(each) for each in slips],
    }


def _seats(own: int, code: str, side: str | None) -> Sequence[GamePlayer]:
    """Return a player's seats in a game, at one side or both, the side to move first."""
    if side not in (None, *Side):
        abort(400, sentence("programs.no_such_side"))
    code = code.lower()
    found = (
        page.list_game_players(current_server(), own, code, current_server().now())
        if _CODE.fullmatch(code)
        else ()
    )
    seats = [each for each in found if side in (None, each.status.side)]
    if not seats:
        abort(404, sentence("pages.no_game"))
    return seats


def _read_slips(seat: GamePlayer, slip: int, step: int) -> Sequence[NumberedSlip]:
    """Return a seat's slips after the given one, and record that its player knows of its turn."""
    if seat.pending_visit:
        notice_times.record_visit(current_server(), seat.pending_visit)
    return slip_queries.load_later(current_server(), seat.seat_id, seat.status.side, (slip, step))
