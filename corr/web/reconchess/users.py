"""Serves the supported protocol version, and the opponents that a bot may play."""

from __future__ import annotations

import zlib

from flask import Blueprint
from werkzeug.wrappers import Response

from corr import limits
from corr.service.players.house_bots import HOUSE_BOTS
from corr.web.api.token_auth import json_response, read_json
from corr.web.reconchess.seats import PREFIX, require_bot

pages = Blueprint("reconchess_users", __name__, url_prefix=PREFIX)

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
