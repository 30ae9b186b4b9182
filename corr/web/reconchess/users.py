"""Which version of the contract is kept here, and whom a bot may play."""

from __future__ import annotations

import zlib

from flask import Blueprint
from werkzeug.wrappers import Response

from corr import limits
from corr.service.players.house_bots import PROGRAMS
from corr.web.api.token_auth import sent, told
from corr.web.reconchess.token_auth import PREFIX, bot

pages = Blueprint("reconchess_users", __name__, url_prefix=PREFIX)

#: Of the package `reconchess`, whose bots look for just this one.
VERSION = "1.6.9"


@pages.get("/version")
def version() -> Response:
    """For which version of the package the house is."""
    return told({"version": VERSION})


@pages.get("/users/")
def users() -> Response:
    """Whom a bot may invite: the house's own players."""
    bot()
    return told({"usernames": [each.name for each in PROGRAMS]})


@pages.post("/users/me")
def me() -> Response:
    """Who the bot is."""
    name = bot().name or ""
    return told({"id": zlib.crc32(name.encode()), "username": name, "max_games": limits.PROGRAMS_AT_ONCE})


@pages.post("/users/me/max_games")
def max_games() -> Response:
    """How many games the bot plays at once: it is for itself to see to that."""
    bot()
    return told({"max_games": sent().get("max_games")})


@pages.post("/users/me/ranked")
def ranked() -> Response:
    """No game by this contract is rated."""
    bot()
    return told({"ranked": False})


@pages.route("/users/me/version", methods=["GET", "POST"])
def own_version() -> Response:
    """Versions of bots are not told apart."""
    bot()
    return told({"version": 1})
