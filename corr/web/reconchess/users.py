"""Serves the supported protocol version, and the opponents that a bot may play."""

from __future__ import annotations

import zlib

from flask import Blueprint
from werkzeug.wrappers import Response

from corr import limits
from corr.service.players.house_bots import PROGRAMS
from corr.web.api.token_auth import sent, told
from corr.web.reconchess.token_auth import PREFIX, bot

pages = Blueprint("reconchess_users", __name__, url_prefix=PREFIX)

#: The version of the package `reconchess`, whose bots expect exactly this one.
VERSION = "1.6.9"


@pages.get("/version")
def version() -> Response:
    """Return the package version that the server supports."""
    return told({"version": VERSION})


@pages.get("/users/")
def users() -> Response:
    """List the bots that a bot may invite: the server's own."""
    bot()
    return told({"usernames": [each.name for each in PROGRAMS]})


@pages.post("/users/me")
def me() -> Response:
    """Return the bot's account."""
    name = bot().name or ""
    return told({"id": zlib.crc32(name.encode()), "username": name, "max_games": limits.PROGRAMS_AT_ONCE})


@pages.post("/users/me/max_games")
def max_games() -> Response:
    """Return the bot's own limit of games at once, which the bot itself must observe."""
    bot()
    return told({"max_games": sent().get("max_games")})


@pages.post("/users/me/ranked")
def ranked() -> Response:
    """Answer that no game of this protocol is rated."""
    bot()
    return told({"ranked": False})


@pages.route("/users/me/version", methods=["GET", "POST"])
def own_version() -> Response:
    """Return one version for every bot, since we do not distinguish versions."""
    bot()
    return told({"version": 1})
