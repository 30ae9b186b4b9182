"""Lists a bot's invitations, and lets it invite one of the server's bots."""

from __future__ import annotations

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr import limits
from corr.messages import sentence
from corr.service.lobby import bot_invitations, page
from corr.service.lobby.terms import terms
from corr.service.players import house_bots
from corr.web.api.token_auth import sent, told
from corr.web.browser_session import house, knock, limit
from corr.web.reconchess.seats import seat_of
from corr.web.reconchess.token_auth import PREFIX, bot, code_of, number_of
from corr.words.board import Side
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("reconchess_invitations", __name__, url_prefix=f"{PREFIX}/invitations")


@pages.get("/")
def mine() -> Response:
    """List the challenges to the bot, and its running games."""
    player = bot().who.player_id or 0
    return told({"invitations": [number_of(code) for code in bot_invitations.invitations(house(), player)]})


@pages.post("/")
def invite() -> Response:
    """Begin a game against one of the server's bots, which accepts."""
    who, asked = bot(), sent()
    limit("challenges", limits.CHALLENGES_OF_A_PROGRAM_AN_HOUR, f"player {who.who.player_id}")
    opponent, color = asked.get("opponent"), asked.get("color")
    program = house_bots.named(opponent) if isinstance(opponent, str) else None
    if program is None or not isinstance(color, bool):
        abort(400, sentence("reconchess.whom"))
    offered = terms(bot_invitations.VARIANT, color=Side.WHITE if color else Side.BLACK)
    try:
        code = page.play(house(), who, program, offered, house().now())
    except Refused as refusal:
        abort(400, str(refusal))
    knock(Work.LETTERS)
    return told({"game_id": number_of(code)})


@pages.post("/<number>")
def accept(number: str) -> Response:
    """Accept a challenge, or continue a game, which has the same number."""
    who, code = bot(), code_of(number)
    came = bot_invitations.came_of(house(), code)
    if came and came.game:
        seat_of(who, number)
    elif came is None or not came.begins:
        try:
            page.accept(house(), who, code, house().now())
        except Refused as refusal:
            abort(400, str(refusal))
        knock(Work.LETTERS)
    return told({"game_id": number_of(code)})


@pages.post("/<number>/finish")
def finish(number: str) -> Response:
    """Accept that the bot has finished a game; there is nothing to note."""
    bot()
    return told({"invitation": number_of(code_of(number))})
