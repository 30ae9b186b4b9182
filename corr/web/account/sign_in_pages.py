"""Signs visitors in and out, and lets them choose a name."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, request, session

from corr import limits
from corr.service.players import authentication, guests
from corr.text.messages import sentence
from corr.web.account import forms
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    current_visitor_or_guest,
    end_session,
    explain_refusal,
    limit,
    redirect_to,
    render_page,
    set_message,
    start_session,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("signing", __name__)
pages.before_request(check_form)


@pages.get("/sign-in")
def sign_in() -> PageResponse:
    """Show the form for an address, or for the number that we mailed there."""
    address = session.get("address", "")
    if "asked" in session:
        return render_page(
            "web/sign_in_code.html", address=address, minutes=limits.ADDRESS_PROOF_LIFE.seconds // 60
        )
    found = current_visitor()
    own = found.who.address if found else ""
    return render_page(
        "web/sign_in.html", address=address or own, again=session.get("again", {}).get("goal", "")
    )


@pages.post("/sign-in")
def ask() -> PageResponse:
    """Send a sign-in email to the address, if we may send one."""
    address = request.form.get("address", "").strip()
    if game := request.form.get("game", ""):
        session["game"] = game[: limits.FIELD_CHARACTERS]
    return email_sign_in(address, address, session.get("goal"))


def email_sign_in(address: str, shown: str, goal: str | None) -> PageResponse:
    """Email a sign-in to an address, and lead to the form for its digits, which shows only `shown`."""
    limit("ask", limits.SIGN_INS_AN_HOUR)
    session["address"] = shown[: limits.FIELD_CHARACTERS]
    try:
        session["asked"] = authentication.request_sign_in(
            current_server(), address, goal, current_server().now(), current_visitor_or_guest()
        )
    except Refused as refusal:
        set_message(refusal)
    wake_worker(Work.LETTERS)
    return redirect_to("signing.sign_in")


@pages.post("/sign-in/anew")
def forget_sign_in() -> PageResponse:
    """Forget the number that we mailed, so that the visitor can start over."""
    session.pop("asked", None)
    return redirect_to("signing.sign_in")


@pages.post("/sign-in/number")
def number() -> PageResponse:
    """Sign in with the number from the email."""
    limit("number", limits.SIGN_IN_NUMBERS_AN_HOUR)
    try:
        mark = str(session.get("asked", ""))
        admitted = authentication.sign_in_by_number(
            current_server(),
            mark,
            request.form.get("number", ""),
            current_server().now(),
            current_visitor_or_guest(),
        )
    except Refused as refusal:
        set_message(refusal)
        return redirect_to("signing.sign_in")
    return finish_sign_in(admitted)


def finish_sign_in(admitted: authentication.NewSession) -> PageResponse:
    """Sign in a visitor in place of any earlier one, and lead to the page they wanted."""
    game, again = session.get("game"), session.get("again")
    if "in" in session:
        authentication.sign_out(current_server(), session["in"], current_server().now())
    start_session(admitted.secret)
    if admitted.keeping and not _keep_games(admitted.keeping):
        game = None
    if again:
        session["typed"] = again["typed"]
        return redirect(again["goal"], 303)
    if admitted.goal:
        return _redirect_to_goal(admitted.goal)
    return redirect_to("table.at", code=game) if game else redirect_to("games.mine")


def _keep_games(keeping: int) -> bool:
    """Wait until a worker has given a guest's games to the player; return whether it has."""
    wake_worker(Work.LETTERS)
    current_app.extensions["guest_waiter"].wait(keeping)
    is_kept = bool(guests.find_kept(current_server(), [keeping]))
    set_message(sentence("guests.kept") if is_kept else sentence("guests.keeping"))
    return is_kept


@pages.post("/sign-out")
def sign_out() -> PageResponse:
    if "in" in session:
        authentication.sign_out(current_server(), session["in"], current_server().now())
    end_session()
    return redirect_to("front.front")


@pages.post("/sign-out/everywhere")
def sign_out_everywhere() -> PageResponse:
    """Sign the player out in all browsers, after a recent sign-in."""
    found = current_visitor()
    if found:
        if again := forms.require_recent_sign_in(found, "games.mine"):
            return again
        authentication.sign_out_everywhere(current_server(), found, current_server().now())
    end_session()
    return redirect_to("front.front")


@pages.post("/name")
def choose_name() -> PageResponse:
    """Make the visitor a player, with the name in the form."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    try:
        authentication.choose_name(
            current_server(), found, request.form.get("name", ""), current_server().now()
        )
    except Refused as refusal:
        explain_refusal(refusal)
    goal = request.form.get("goal", "")
    return _redirect_to_goal(goal) if goal.replace(" ", "").isalnum() else redirect_to("lobby.lobby_page")


def _redirect_to_goal(goal: str) -> PageResponse:
    """Redirect to the page for which the visitor signed in: an event, a game, or an offer's secret link."""
    what, _, code = goal.rpartition(" ")
    match what:
        case "event":
            return redirect_to("events.event", place=code)
        case "game":
            return redirect_to("lobby.begins", code=code)
    return redirect_to("offers.offer", code=code)
