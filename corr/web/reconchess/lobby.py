"""Serves a bot's lobby: the protocol's version, its opponents and its invitations."""

from __future__ import annotations

import zlib

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr import limits
from corr.service.lobby import page
from corr.service.lobby.terms import make_terms
from corr.service.players import house_bots
from corr.service.players.house_bots import HOUSE_BOTS
from corr.text.messages import sentence
from corr.web.api.token_auth import json_response, read_json
from corr.web.browser_session import abort_if_refused, current_server, limit, wake_worker
from corr.web.reconchess.seats import PREFIX, code_to_number, find_seat, number_to_code, require_bot
from corr.words.board import Side
from corr.worker_wakeup import Work

pages = Blueprint("reconchess_lobby", __name__, url_prefix=PREFIX)

VERSION = "1.6.9"  # the version of the package `reconchess`, whose bots expect exactly this one


@pages.get("/version")
def version() -> Response:
    return json_response({"version": VERSION})


@pages.get("/users/")
def users() -> Response:
    """List the bots that a bot may invite: the server's own."""
    require_bot()
    return json_response({"usernames": [each.name for each in HOUSE_BOTS]})


@pages.post("/users/me")
def me() -> Response:
    """Describe the bot's own account."""
    name = require_bot().name or ""
    return json_response(
        {"id": zlib.crc32(name.encode()), "username": name, "max_games": limits.BOT_GAMES_AT_ONCE}
    )


@pages.post("/users/me/max_games")
def max_games() -> Response:
    """Return the bot's own limit of games at once, which the bot itself must observe."""
    require_bot()
    return json_response({"max_games": read_json().get("max_games")})


@pages.post("/users/me/ranked")
def ranked() -> Response:
    """Answer that no game of this protocol is rated."""
    require_bot()
    return json_response({"ranked": False})


@pages.route("/users/me/version", methods=["GET", "POST"])
def own_version() -> Response:
    """Return one version for every bot, since we do not distinguish versions."""
    require_bot()
    return json_response({"version": 1})


@pages.get("/invitations/")
def mine() -> Response:
    """List the games to which the bot is invited, and its running games, by number."""
    player = require_bot().who.player_id or 0
    codes = page.list_bot_invitations(current_server(), player)
    return json_response({"invitations": [code_to_number(code) for code in codes]})


@pages.post("/invitations/")
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


@pages.post("/invitations/<number>")
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


@pages.post("/invitations/<number>/finish")
def finish(number: str) -> Response:
    """Accept that the bot has finished a game; there is nothing to note."""
    require_bot()
    return json_response({"invitation": code_to_number(number_to_code(number))})
