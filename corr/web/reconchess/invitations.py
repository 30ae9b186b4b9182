"""Lists a bot's invitations, and lets it invite one of the server's bots."""

from __future__ import annotations

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr import limits
from corr.service.lobby import page
from corr.service.lobby.terms import make_terms
from corr.service.players import house_bots
from corr.text.messages import sentence
from corr.web.api.token_auth import json_response, read_json
from corr.web.browser_session import abort_if_refused, current_server, limit, wake_worker
from corr.web.reconchess.seats import PREFIX, code_to_number, find_seat, number_to_code, require_bot
from corr.words.board import Side
from corr.worker_wakeup import Work

pages = Blueprint("reconchess_invitations", __name__, url_prefix=f"{PREFIX}/invitations")


@pages.get("/")
def mine() -> Response:
    """List the games to which the bot is invited, and its running games, by number."""
    player = require_bot().who.player_id or 0
    codes = page.list_bot_invitations(current_server(), player)
    return json_response({"invitations": [code_to_number(code) for code in codes]})


@pages.post("/")
def invite() -> Response:
    """Begin a game against one of the server's bots, which accepts."""
    who, asked = require_bot(), read_json()
    limit("challenges", limits.BOT_CHALLENGES_AN_HOUR, f"player {who.who.player_id}")
    opponent, color = asked.get("opponent"), asked.get("color")
    program = house_bots.find_bot(opponent) if isinstance(opponent, str) else None
    if program is None or not isinstance(color, bool):
        abort(400, sentence("reconchess.whom"))
    offered = make_terms(page.BOT_VARIANT, color=Side.WHITE if color else Side.BLACK)
    with abort_if_refused(400):
        code = page.play_bot(current_server(), who, program, offered, current_server().now())
    wake_worker(Work.LETTERS)
    return json_response({"game_id": code_to_number(code)})


@pages.post("/<number>")
def accept(number: str) -> Response:
    """Accept an invitation; its game then has the same number, and may have begun before."""
    who, code = require_bot(), number_to_code(number)
    came = page.load_rbc_outcome(current_server(), code)
    if came and came.game:
        find_seat(who, number)
    elif came is None or not came.begins:
        with abort_if_refused(400):
            page.answer(current_server(), who, code, "accept", current_server().now())
        wake_worker(Work.LETTERS)
    return json_response({"game_id": code_to_number(code)})


@pages.post("/<number>/finish")
def finish(number: str) -> Response:
    """Accept that the bot has finished a game; there is nothing to note."""
    require_bot()
    return json_response({"invitation": code_to_number(number_to_code(number))})
