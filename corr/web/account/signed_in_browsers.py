"""Lists the browsers at which a player is signed in, and signs them out."""

from __future__ import annotations

from flask import Blueprint, request, session

from corr import limits
from corr.service.players import authentication, sessions
from corr.text.messages import sentence
from corr.web.account import forms
from corr.web.browser_session import (
    CACHEABLE_ENDPOINTS,
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    limit,
    redirect_to,
    render_page,
    set_message,
)

#: Names by a browser's sign: the first sign found counts, since most browsers also name others.
_BROWSERS = {
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def describe_browser(agent: str) -> str:
    """Name the browser and system of a user agent, as `Firefox, Linux`; empty if unknown."""
    return ", ".join(filter(None, (_find_name(agent, _BROWSERS), _find_name(agent, _SYSTEMS))))


def _find_name(agent: str, names: dict[str, str]) -> str:
    return next((name for sign, name in names.items() if sign in agent), "")


pages = Blueprint("sessions", __name__, url_prefix="/sessions")
pages.before_request(check_form)

_MONITORING_ENDPOINTS = ("operator.healthz", "operator.metrics")


@pages.before_app_request
def record_visit() -> None:
    """Record once a day, before a private page, that this browser's session is in use."""
    if (
        not request.endpoint
        or request.endpoint in (*CACHEABLE_ENDPOINTS, *_MONITORING_ENDPOINTS)
        or "in" not in session
    ):
        return
    now = current_server().now()
    today = f"{authentication.start_of_day(now):%Y-%m-%d}"
    if session.get("day") != today:
        sessions.record_visit(
            current_server(),
            session["in"],
            describe_browser(request.headers.get("User-Agent", "")),
            now,
        )
        session["day"] = today


@pages.get("/")
def mine() -> PageResponse:
    """List the visitor's sessions."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    seen = sessions.list_sessions(current_server(), found, session["in"], current_server().now())
    return render_page(
        "web/sessions.html", seen=seen, days=limits.SESSION_LIFE.days, idle=limits.SESSION_IDLE.days
    )


@pages.post("/out")
def out() -> PageResponse:
    """Sign the visitor out at one of their browsers."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("sessions", limits.SESSION_FORMS_AN_HOUR)
    if again := forms.require_recent_sign_in(found, "sessions.mine"):
        return again
    sessions.sign_out(current_server(), found, request.form.get("mark", ""), current_server().now())
    set_message(sentence("signing.let_out"))
    return redirect_to("sessions.mine")
