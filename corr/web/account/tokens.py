"""Manages the tokens of a player's own programs: makes them, shows each once, and removes them."""

from __future__ import annotations

from flask import Blueprint, request

from corr import limits
from corr.service.players import settings, tokens
from corr.service.players.authentication import Visitor
from corr.service.players.names import add_bot_mark
from corr.text.messages import sentence
from corr.web.account import forms
from corr.web.account.forms import player_page
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    explain_refusal,
    limit,
    redirect_to,
    render_page,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("tokens", __name__, url_prefix="/settings/tokens")
pages.before_request(check_form)

_HERE = "tokens.mine"


@pages.get("/")
@player_page
def mine(visitor: Visitor) -> PageResponse:
    """List the tokens."""
    return _page(visitor)


@pages.post("/make")
def make() -> PageResponse:
    """Make a token after a recent sign-in; only this page ever shows it."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("settings", limits.SETTINGS_FORMS_AN_HOUR)
    if again := forms.require_recent_sign_in(found, _HERE):
        return again
    try:
        name, plays = request.form.get("name", ""), request.form.get("may") == "play"
        made = tokens.make(current_server(), found, name, current_server().now(), plays=plays)
    except Refused as refusal:
        explain_refusal(refusal)
        return redirect_to(_HERE)
    wake_worker(Work.LETTERS)
    return _page(found, made)


@pages.post("/remove")
def remove() -> PageResponse:
    """Remove the token that the form names."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("settings", limits.SETTINGS_FORMS_AN_HOUR)
    name = request.form.get("name", "")
    try:
        tokens.remove(current_server(), found, name)
    except Refused as refusal:
        set_message(refusal)
    else:
        set_message(sentence("tokens.removed", name=name))
    return redirect_to(_HERE)


def _page(visitor: Visitor, made: str = "") -> str:
    """Render the player's list of tokens, with a new one if one was made."""
    seen = tokens.list_tokens(current_server(), visitor)
    is_program = settings.is_bot(current_server(), visitor)
    called = add_bot_mark(visitor.name or "")
    return render_page("web/tokens.html", seen=seen, made=made, is_program=is_program, called=called)
