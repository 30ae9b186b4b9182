"""Manages the tokens of a player's own programs: makes them, shows each once, and removes them."""

from __future__ import annotations

from flask import Blueprint, request

from corr import limits
from corr.messages import sentence
from corr.service.players import settings, tokens
from corr.service.players.authentication import Visitor
from corr.service.players.names import as_program
from corr.service.players.tokens import Wish
from corr.web.account import recent_sign_in
from corr.web.browser_session import Answer, back, guard, house, knock, limit, page, refuse, say, visitor
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("tokens", __name__, url_prefix="/settings/tokens")
pages.before_request(guard)

_HERE = "tokens.mine"


@pages.get("/")
def mine() -> Answer:
    """List the tokens."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    try:
        return _page(found)
    except Refused as refusal:
        say(refusal)
        return back("lobby.lobby_page")


@pages.post("/make")
def make() -> Answer:
    """Make a token after a recent sign-in; only this page ever shows it."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    limit("settings", limits.SETTINGS_FORMS_AN_HOUR)
    if again := recent_sign_in.ask_again(found, _HERE):
        return again
    try:
        wish = Wish(request.form.get("name", ""), plays=request.form.get("may") == "play")
        made = tokens.make(house(), found, wish, house().now())
    except Refused as refusal:
        refuse(refusal)
        return back(_HERE)
    knock(Work.LETTERS)
    return _page(found, made)


@pages.post("/remove")
def remove() -> Answer:
    """Remove a token."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    limit("settings", limits.SETTINGS_FORMS_AN_HOUR)
    name = request.form.get("name", "")
    try:
        tokens.remove(house(), found, name)
    except Refused as refusal:
        say(refusal)
    else:
        say(sentence("tokens.removed", name=name))
    return back(_HERE)


def _page(found: Visitor, made: str = "") -> str:
    seen, is_program = tokens.listed(house(), found), settings.is_program(house(), found)
    called = as_program(found.name or "")
    return page("web/tokens.html", seen=seen, made=made, is_program=is_program, called=called)
