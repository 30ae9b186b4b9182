"""Lets a visitor play a bot or learn the game at once, without signing in (limits: `corr/limits.py`)."""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr import limits
from corr.service.lobby import page
from corr.service.lobby.terms import NO_CLOCK, Terms, make_terms
from corr.service.players import authentication, house_bots
from corr.service.players.authentication import Visitor
from corr.web.browser_session import (
    PageResponse,
    abort_if_refused,
    current_server,
    current_visitor_or_guest,
    is_own_form,
    limit,
    redirect_to,
    render_page,
    set_message,
    start_session,
    wake_worker,
)
from corr.words.board import Side
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("guests", __name__)


@pages.get("/play")
def offer() -> PageResponse:
    """Offer a game at once, for browsers that don't say whose form they send."""
    bot, terms = _wanted_game(request.args)
    return render_page("web/play.html", bot=bot, terms=terms)


@pages.post("/play")
def play() -> PageResponse:
    """Begin a game against a bot, or the tutorial; a stranger becomes a guest."""
    bot, terms = _wanted_game(request.form)
    # The front page is the same for everybody, so its form has no token.
    if not (is_own_form() or request.headers.get("Sec-Fetch-Site") == "same-origin"):
        return redirect_to("guests.offer", whom=bot.name, variant=terms.variant)
    limit("play", limits.LOBBY_FORMS_AN_HOUR)
    server, now = current_server(), current_server().now()
    try:
        visitor = current_visitor_or_guest() or _admit()
        if request.form.get("what") == "tutorial":
            code = page.request_tutorial(server, visitor, now)
        else:
            code = page.play_bot(server, visitor, bot, terms, now)
    except Refused as refusal:
        set_message(refusal)
        return redirect_to("games.mine")
    wake_worker(Work.LETTERS)
    return redirect_to("lobby.begins", code=code)


def _wanted_game(asked: dict[str, str]) -> tuple[house_bots.HouseBot, Terms]:
    """Return the bot and the terms that were asked for, by default the easiest; 400 for unknown ones."""
    bot = house_bots.find_bot(asked.get("whom", house_bots.HOUSE_BOTS[0].name))
    if bot is None:
        abort(400)
    with abort_if_refused(400):
        return bot, make_terms(asked.get("variant", "wild16"), NO_CLOCK, Side.WHITE)


def _admit() -> Visitor:
    """Make the visitor a guest at this browser."""
    limit("guests", limits.GUESTS_AN_HOUR)
    server, now = current_server(), current_server().now()
    secret = authentication.admit_guest(server, now)
    start_session(secret)
    found = authentication.find_visitor(server, secret, now)
    assert found
    return found
