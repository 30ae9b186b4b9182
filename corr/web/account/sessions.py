"""Lists the browsers at which a player is signed in, and signs them out."""

from __future__ import annotations

from flask import Blueprint, request, session

from corr import limits
from corr.messages import sentence
from corr.service.players import authentication, sessions
from corr.web.account import recent_sign_in, user_agents
from corr.web.browser_session import Answer, back, guard, house, limit, page, say, visitor
from corr.web.cache_headers import PUBLIC

pages = Blueprint("sessions", __name__, url_prefix="/sessions")
pages.before_request(guard)

_FOR_PROGRAMS = ("operator.healthz", "operator.metrics")


@pages.before_app_request
def note_the_day() -> None:
    """Note once a day that a signed-in browser opened a page that is not public."""
    if not request.endpoint or request.endpoint in (*PUBLIC, *_FOR_PROGRAMS) or "in" not in session:
        return
    now = house().now()
    today = f"{authentication.day_of(now):%Y-%m-%d}"
    if session.get("day") != today:
        sessions.see(house(), session["in"], user_agents.kind(request.headers.get("User-Agent", "")), now)
        session["day"] = today


@pages.get("/")
def mine() -> Answer:
    """List the visitor's sessions."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    seen = sessions.listed(house(), found, session["in"], house().now())
    return page("web/sessions.html", seen=seen, days=limits.SESSION_LIFE.days, idle=limits.SESSION_IDLE.days)


@pages.post("/out")
def out() -> Answer:
    """Sign the visitor out at one of their browsers."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    limit("sessions", limits.SESSION_FORMS_AN_HOUR)
    if again := recent_sign_in.ask_again(found, "sessions.mine"):
        return again
    sessions.sign_out(house(), found, request.form.get("mark", ""), house().now())
    say(sentence("signing.let_out"))
    return back("sessions.mine")
