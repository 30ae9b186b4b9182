"""Signs visitors in and out, and lets them choose a name."""

from __future__ import annotations

from flask import Blueprint, redirect, request, session

from corr import limits
from corr.service.players import authentication
from corr.web.account import recent_sign_in
from corr.web.browser_session import (
    Answer,
    back,
    guard,
    house,
    knock,
    let_in,
    let_out,
    limit,
    page,
    refuse,
    say,
    visitor,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("signing", __name__)
pages.before_request(guard)


@pages.get("/sign-in")
def sign_in() -> Answer:
    """Ask for the address, then for the number that we mailed there."""
    address = session.get("address", "")
    if "asked" in session:
        return page("web/number.html", address=address, minutes=limits.PROOF_LIFE.seconds // 60)
    found = visitor()
    own = found.who.address if found else ""
    return page("web/sign_in.html", address=address or own, again=session.get("again", {}).get("goal", ""))


@pages.post("/sign-in")
def ask() -> Answer:
    """Send a sign-in email to the address, if we may send one."""
    limit("ask", limits.SIGN_INS_AN_HOUR)
    address = request.form.get("address", "").strip()
    session["address"] = address[: limits.FIELD_CHARACTERS]
    try:
        session["asked"] = authentication.ask(house(), address, session.get("goal"), house().now(), visitor())
    except Refused as refusal:
        say(refusal)
    knock(Work.LETTERS)
    return back("signing.sign_in")


@pages.post("/sign-in/anew")
def anew() -> Answer:
    """Start over with another address, or another email."""
    session.pop("asked", None)
    return back("signing.sign_in")


@pages.post("/sign-in/number")
def number() -> Answer:
    """Sign in with the number from the email."""
    limit("number", limits.SIGN_IN_NUMBERS_AN_HOUR)
    try:
        mark = str(session.get("asked", ""))
        admitted = authentication.by_number(house(), mark, request.form.get("number", ""), house().now())
    except Refused as refusal:
        say(refusal)
        return back("signing.sign_in")
    return welcome(admitted)


def welcome(admitted: authentication.Admitted) -> Answer:
    """Sign a visitor in, and lead to where they wanted to go.

    An earlier session at this browser ends.
    """
    game, again = session.get("game"), session.get("again")
    if "in" in session:
        authentication.sign_out(house(), session["in"], house().now())
    let_in(admitted)
    if again:
        session["typed"] = again["typed"]
        return redirect(again["goal"], 303)
    if admitted.goal:
        return _to(admitted.goal)
    return back("table.at", code=game) if game else back("games.mine")


@pages.post("/sign-out")
def sign_out() -> Answer:
    """Sign out at this browser."""
    if "in" in session:
        authentication.sign_out(house(), session["in"], house().now())
    let_out()
    return back("front.front")


@pages.post("/sign-out/everywhere")
def sign_out_everywhere() -> Answer:
    """Sign out at all of this player's browsers."""
    found = visitor()
    if found:
        if again := recent_sign_in.ask_again(found, "games.mine"):
            return again
        authentication.sign_out_everywhere(house(), found, house().now())
    let_out()
    return back("front.front")


@pages.post("/name")
def choose_name() -> Answer:
    """Make the visitor a player, with a name."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    try:
        authentication.choose_name(house(), found, request.form.get("name", ""), house().now())
    except Refused as refusal:
        refuse(refusal)
    goal = request.form.get("goal", "")
    return _to(goal) if goal.replace(" ", "").isalnum() else back("lobby.lobby_page")


def _to(goal: str) -> Answer:
    """Lead to the goal of the sign-in: an event, or the offer of a secret link."""
    what, _, code = goal.rpartition(" ")
    return back("events.event", place=code) if what == "event" else back("offers.offer", code=code)
