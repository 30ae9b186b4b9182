"""Lets a program find games: it lists offers, and makes, accepts, declines or withdraws challenges."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr import limits
from corr.service.lobby import page
from corr.service.lobby.page import Offer
from corr.service.lobby.terms import make_terms
from corr.service.players.authentication import Visitor
from corr.text.messages import sentence
from corr.web.api.token_auth import json_response, read_json, require_bot, require_program
from corr.web.browser_session import abort_if_refused, current_server, wake_worker
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("api_lobby", __name__, url_prefix="/api")

_TERMS = {"variant", "whom", "color", "days", "clock", "rated"}


@pages.get("/offers")
def offers() -> Response:
    seen = page.load_lobby(current_server(), require_program(), current_server().now())
    return json_response({"offers": [_offer(each) for each in seen.seeks]})


@pages.get("/challenges")
def challenges() -> Response:
    """List the player's own challenges, and those made to the player alone."""
    seen = page.load_lobby(current_server(), require_program(), current_server().now())
    parts = {"made": seen.made, "received": seen.received}
    return json_response({part: [_offer(each) for each in found] for part, found in parts.items()})


@pages.post("/challenges")
def challenge() -> Response:
    """Challenge a named player, or offer a game to everybody."""
    who = _player()
    with abort_if_refused(400):
        said = _make(who, read_json())
    wake_worker(Work.LETTERS)
    return json_response({"said": said}, 201)


@pages.post("/challenges/<code>/<deed>")
def answer(code: str, deed: str) -> Response:
    """Accept, decline or withdraw a challenge, as the address says."""
    who = _player()
    if deed not in page.ANSWERS:
        abort(404)
    with abort_if_refused(409):
        said = page.answer(current_server(), who, code, deed, current_server().now())
    wake_worker(Work.LETTERS)
    return json_response({"said": said})


def _player() -> Visitor:
    """Return the program's player, up to an hourly limit of challenges."""
    return require_bot("challenges", limits.BOT_CHALLENGES_AN_HOUR)


def _make(who: Visitor, asked: dict[str, Any]) -> str:
    """Make the challenge that the program asks for, and return the message about it; Refused for unclear terms."""
    variant, whom, color = (asked.get(each, "") for each in ("variant", "whom", "color"))
    days, clock, rated = asked.get("days", 3), asked.get("clock", ""), asked.get("rated", False)
    if not (all(isinstance(each, str) for each in (variant, whom, color, clock)) and type(days) is int):
        raise Refused(sentence("programs.no_terms"))
    if (
        not (variant and type(rated) is bool)
        or ("days" in asked and "clock" in asked)
        or asked.keys() - _TERMS
    ):
        raise Refused(sentence("programs.no_terms"))
    offered = make_terms(variant, clock or f"{days}d", color, rated=rated)
    if whom:
        return page.challenge(current_server(), who, whom, offered, current_server().now())
    page.seek(current_server(), who, offered, current_server().now())
    return sentence("challenges.offered")


def _offer(offer: Offer) -> dict[str, Any]:
    found = offer.challenge
    return {
        "code": found.code,
        "kind": found.kind,
        "variant": found.variant,
        "clock": found.clock,
        "rated": found.rated,
        "challenger": offer.challenger,
        "color": found.color,
        "whom": found.whom,
        "own": offer.own,
    }
