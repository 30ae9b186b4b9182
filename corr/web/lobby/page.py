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
from corr.web.browser_session import Answer, back, guard, house, knock, limit, refuse, say, visitor
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("lobby", __name__, url_prefix="/lobby")
pages.before_request(guard)


@pages.get("/")
def lobby_page() -> Answer:
    """Show the offers, and what the visitor may do about them."""
    seen = page.lobby(house(), visitor(), house().now())
    return browser_session.page(
        "web/lobby.html",
        seen=seen,
        cards=catalogue.cards(),
        clocks=terms.choices(),
        programs=house_bots.PROGRAMS,
        whom=request.args.get("whom", "")[: limits.FIELD_CHARACTERS],
    )


@pages.post("/challenge")
def challenge() -> Answer:
    """Challenge one other player, by name or address."""
    whom = request.form.get("whom", "")
    return _do(lambda who: say(page.challenge(house(), who, whom, _terms(), house().now())))


@pages.post("/play")
def play() -> Answer:
    """Begin a game against a bot, and show it."""
    whom = house_bots.named(request.form.get("whom", ""))
    if whom is None:
        abort(400)
    return _do(lambda who: page.play(house(), who, whom, _terms(), house().now()), leads="lobby.begins")


@pages.get("/begins/<code>")
def begins(code: str) -> Answer:
    """Show a requested or accepted game as soon as a worker has begun it."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    came = page.came_of(house(), found, code)
    if came and came.begins:
        current_app.extensions["patience for games"].wait(came.id)
        came = page.came_of(house(), found, code)
    if came and came.game:
        browser_session.leave_unsaid()
        return back("table.at", code=came.game)
    if not (came and came.begins):
        return back("games.mine")
    waiting = make_response(browser_session.page("web/begins.html"))
    waiting.headers["Refresh"] = "1"
    return waiting


@pages.post("/seek")
def seek() -> Answer:
    """Offer a game to everybody."""
    return _do(lambda who: page.seek(house(), who, _terms(), house().now()), sentence("challenges.offered"))


@pages.post("/link")
def link() -> Answer:
    """Offer a game to anybody who gets its link."""
    return _do(
        lambda who: page.link(house(), who, _terms(), house().now()),
        sentence("challenges.linked"),
        leads="offers.offer",
    )


@pages.post("/tutorial")
def tutorial() -> Answer:
    """Begin the tutorial."""
    return _do(
        lambda who: page.tutorial(house(), who, house().now()),
        sentence("challenges.tutorial"),
        leads="lobby.begins",
        shows="games.mine",
    )


@pages.post("/accept")
def accept() -> Answer:
    """Accept an offer."""
    code = request.form.get("code", "")

    def take_up(who: Visitor) -> str:
        page.accept(house(), who, code, house().now())
        return code

    return _do(take_up, sentence("challenges.accepted"), leads="lobby.begins", shows=_goal())


@pages.post("/decline")
def decline() -> Answer:
    """Decline an invitation."""
    code = request.form.get("code", "")
    return _do(
        lambda who: page.decline(house(), who, code, house().now()),
        sentence("challenges.declined"),
        shows=_goal(),
    )


@pages.post("/withdraw")
def withdraw() -> Answer:
    """Withdraw the player's own challenge."""
    code = request.form.get("code", "")
    return _do(
        lambda who: page.withdraw(house(), who, code, house().now()),
        sentence("challenges.withdrawn"),
        shows=_goal(),
    )


def _do(
    deed: Callable[[Visitor], str | None],
    done: str = "",
    leads: str = "",
    shows: str = "lobby.lobby_page",
) -> Answer:
    """Do something for the visitor, say the result, and show it if it has a page."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    limit("lobby", limits.LOBBY_FORMS_AN_HOUR)
    try:
        code = deed(found)
    except Refused as refusal:
        refuse(refusal)
        return back(shows)
    if done:
        say(done)
    knock(Work.LETTERS)
    return back(leads, code=code) if leads and code else back(shows)


def _goal() -> str:
    """Return the page on which the offer was."""
    return "lobby.lobby_page" if request.form.get("goal") == "lobby" else "games.mine"


def _terms() -> terms.Terms:
    form = request.form
    clock = " ".join(form.get(each, "").strip() for each in ("clock", "ending", "stops"))
    return terms.terms(
        form.get("variant", ""), clock.strip(), form.get("color", ""), rated=form.get("weight") == "rated"
    )
