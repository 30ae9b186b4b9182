"""Serves the lobby: open offers, challenges, and the player's own games."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, current_app, make_response, request

from corr import limits
from corr.messages import sentence
from corr.service import catalogue
from corr.service.lobby import page, terms
from corr.service.players import house_bots
from corr.service.players.authentication import Visitor
from corr.web import browser_session
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    explain_refusal,
    limit,
    redirect_to,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("lobby", __name__, url_prefix="/lobby")
pages.before_request(check_form)


@pages.get("/")
def lobby_page() -> PageResponse:
    """Show the offers, and what the visitor may do about them."""
    seen = page.lobby(current_server(), current_visitor(), current_server().now())
    return browser_session.render_page(
        "web/lobby.html",
        seen=seen,
        cards=catalogue.cards(),
        clocks=terms.list_clocks(),
        programs=house_bots.HOUSE_BOTS,
        whom=request.args.get("whom", "")[: limits.FIELD_CHARACTERS],
    )


@pages.post("/challenge")
def challenge() -> PageResponse:
    """Challenge one other player, by name or address."""
    whom = request.form.get("whom", "")
    return _run_action(
        lambda who: set_message(page.challenge(current_server(), who, whom, _terms(), current_server().now()))
    )


@pages.post("/play")
def play() -> PageResponse:
    """Begin a game against a bot, and show it."""
    whom = house_bots.find_bot(request.form.get("whom", ""))
    if whom is None:
        abort(400)
    return _run_action(
        lambda who: page.play_bot(current_server(), who, whom, _terms(), current_server().now()),
        leads="lobby.begins",
    )


@pages.get("/begins/<code>")
def begins(code: str) -> PageResponse:
    """Show a requested or accepted game as soon as a worker has begun it."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    came = page.load_outcome(current_server(), found, code)
    if came and came.begins:
        current_app.extensions["patience for games"].wait(came.id)
        came = page.load_outcome(current_server(), found, code)
    if came and came.game:
        browser_session.clear_message()
        return redirect_to("table.at", code=came.game)
    if not (came and came.begins):
        return redirect_to("games.mine")
    waiting = make_response(browser_session.render_page("web/begins.html"))
    waiting.headers["Refresh"] = "1"
    return waiting


@pages.post("/seek")
def seek() -> PageResponse:
    """Offer a game to everybody."""
    return _run_action(
        lambda who: page.seek(current_server(), who, _terms(), current_server().now()),
        sentence("challenges.offered"),
    )


@pages.post("/link")
def link() -> PageResponse:
    """Offer a game to anybody who gets its link."""
    return _run_action(
        lambda who: page.make_link(current_server(), who, _terms(), current_server().now()),
        sentence("challenges.linked"),
        leads="offers.offer",
    )


@pages.post("/tutorial")
def tutorial() -> PageResponse:
    """Begin the tutorial."""
    return _run_action(
        lambda who: page.request_tutorial(current_server(), who, current_server().now()),
        sentence("challenges.tutorial"),
        leads="lobby.begins",
        shows="games.mine",
    )


@pages.post("/accept")
def accept() -> PageResponse:
    """Accept an offer."""
    code = request.form.get("code", "")

    def take_up(who: Visitor) -> str:
        page.accept(current_server(), who, code, current_server().now())
        return code

    return _run_action(take_up, sentence("challenges.accepted"), leads="lobby.begins", shows=_goal())


@pages.post("/decline")
def decline() -> PageResponse:
    """Decline an invitation."""
    code = request.form.get("code", "")
    return _run_action(
        lambda who: page.decline(current_server(), who, code, current_server().now()),
        sentence("challenges.declined"),
        shows=_goal(),
    )


@pages.post("/withdraw")
def withdraw() -> PageResponse:
    """Withdraw the player's own challenge."""
    code = request.form.get("code", "")
    return _run_action(
        lambda who: page.withdraw(current_server(), who, code, current_server().now()),
        sentence("challenges.withdrawn"),
        shows=_goal(),
    )


def _run_action(
    deed: Callable[[Visitor], str | None],
    done: str = "",
    leads: str = "",
    shows: str = "lobby.lobby_page",
) -> PageResponse:
    """Do something for the visitor, say the result, and show it if it has a page."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("lobby", limits.LOBBY_FORMS_AN_HOUR)
    try:
        code = deed(found)
    except Refused as refusal:
        explain_refusal(refusal)
        return redirect_to(shows)
    if done:
        set_message(done)
    wake_worker(Work.LETTERS)
    return redirect_to(leads, code=code) if leads and code else redirect_to(shows)


def _goal() -> str:
    """Return the page on which the offer was."""
    return "lobby.lobby_page" if request.form.get("goal") == "lobby" else "games.mine"


def _terms() -> terms.Terms:
    form = request.form
    clock = " ".join(form.get(each, "").strip() for each in ("clock", "ending", "stops"))
    return terms.make_terms(
        form.get("variant", ""), clock.strip(), form.get("color", ""), rated=form.get("weight") == "rated"
    )
