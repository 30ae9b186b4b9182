"""Serves the lobby: open offers, challenges, and games against bots."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, make_response, request
from werkzeug.wrappers import Response

from corr import limits
from corr.service import catalogue
from corr.service.lobby import page, terms
from corr.service.players import house_bots
from corr.service.players.authentication import Visitor
from corr.text.messages import sentence
from corr.web import browser_session
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    current_visitor_or_guest,
    form_action,
    redirect_to,
    set_message,
)

pages = Blueprint("lobby", __name__, url_prefix="/lobby")
pages.before_request(check_form)


@pages.get("/")
def lobby_page() -> PageResponse:
    """Show the offers, and what the visitor may do about them."""
    seen = page.load_lobby(current_server(), current_visitor(), current_server().now())
    return browser_session.render_page(
        "web/lobby.html",
        seen=seen,
        cards=catalogue.cards(),
        clocks=terms.list_clocks(),
        programs=house_bots.HOUSE_BOTS,
        whom=request.args.get("whom", "")[: limits.FIELD_CHARACTERS],
    )


_action = form_action("lobby", limits.LOBBY_FORMS_AN_HOUR, lambda: redirect_to("lobby.lobby_page"))
_guest_action = form_action(
    "lobby", limits.LOBBY_FORMS_AN_HOUR, lambda: redirect_to("games.mine"), for_guests=True
)


@pages.post("/challenge")
@_action
def challenge(who: Visitor) -> PageResponse:
    """Challenge the player whom the form names."""
    whom, offered = request.form.get("whom", ""), _terms()
    set_message(page.challenge(current_server(), who, whom, offered, current_server().now()))
    return redirect_to("lobby.lobby_page")


@pages.post("/play")
def play() -> PageResponse:
    """Begin a game against a bot, and show it."""
    whom = house_bots.find_bot(request.form.get("whom", ""))
    if whom is None:
        abort(400)

    @_guest_action
    def play_bot(who: Visitor) -> PageResponse:
        code = page.play_bot(current_server(), who, whom, _terms(), current_server().now())
        return redirect_to("lobby.begins", code=code)

    return play_bot()


@pages.get("/begins/<code>")
def begins(code: str) -> PageResponse:
    """Show a requested or accepted game as soon as a worker has begun it."""
    found = current_visitor_or_guest()
    if found is None:
        return redirect_to("signing.sign_in")
    came = page.load_outcome(current_server(), found, code)
    if came and came.begins:
        current_app.extensions["game_waiter"].wait(came.id)
        came = page.load_outcome(current_server(), found, code)
    if came and came.game:
        browser_session.clear_message()
        return redirect_to("table.at", code=came.game)
    if not (came and came.begins):
        return redirect_to("games.mine")
    waiting = make_response(browser_session.render_page("web/game_start.html"))
    waiting.headers["Refresh"] = "1"
    return waiting


@pages.post("/seek")
@_action
def seek(who: Visitor) -> PageResponse:
    """Offer a game to everybody."""
    page.seek(current_server(), who, _terms(), current_server().now())
    set_message(sentence("challenges.offered"))
    return redirect_to("lobby.lobby_page")


@pages.post("/link")
@_action
def link(who: Visitor) -> PageResponse:
    """Offer a game to anybody who gets its link."""
    code = page.make_link(current_server(), who, _terms(), current_server().now())
    set_message(sentence("challenges.linked"))
    return redirect_to("offers.offer", code=code)


def _come_back() -> Response:
    """Redirect to the page on which the offer was."""
    return redirect_to("lobby.lobby_page" if request.form.get("goal") == "lobby" else "games.mine")


@pages.post("/accept", endpoint="accept")
@pages.post("/decline", endpoint="decline")
@pages.post("/withdraw", endpoint="withdraw")
@form_action("lobby", limits.LOBBY_FORMS_AN_HOUR, _come_back)
def answer(who: Visitor) -> PageResponse:
    """Accept or decline an offer, or withdraw the player's own."""
    code, deed = request.form.get("code", ""), request.path.rpartition("/")[2]
    set_message(page.answer(current_server(), who, code, deed, current_server().now()))
    return redirect_to("lobby.begins", code=code) if deed == "accept" else _come_back()


def _terms() -> terms.Terms:
    """Read the terms of a game from the form."""
    form = request.form
    clock = " ".join(form.get(each, "").strip() for each in ("clock", "ending", "stops"))
    return terms.make_terms(
        form.get("variant", ""), clock.strip(), form.get("color", ""), rated=form.get("weight") == "rated"
    )
