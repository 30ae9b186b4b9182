"""Adds and removes an admin's passkeys."""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr import limits
from corr.messages import sentence
from corr.service.players import passkeys
from corr.service.players.authentication import Visitor
from corr.web.account import passkey_proof
from corr.web.account.passkey_proof import holder
from corr.web.browser_session import Answer, back, guard, house, knock, limit, operator, page, say
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("passkeys", __name__, url_prefix="/settings/passkeys")
pages.before_request(guard)


@pages.post("", strict_slashes=False)
def begin() -> Answer:
    """Show the page that creates a passkey."""
    found = _operator()
    if asked := passkey_proof.ask_lately(found, "settings.settings_page"):
        return asked
    name = request.form.get("passkey", "")
    try:
        wanted = passkeys.begin(house(), holder(found), name, house().now())
    except Refused as refusal:
        say(refusal)
        return back("settings.settings_page")
    return page("web/passkey.html", wanted=wanted, passkey=name)


@pages.post("/add")
def add() -> Answer:
    """Store a new passkey; from now on decrees need one."""
    found, form = _operator(), request.form
    try:
        passkeys.add(house(), holder(found), form.get("passkey", ""), form.get("proof", ""), house().now())
    except Refused as refusal:
        say(refusal)
    else:
        say(sentence("passkeys.added"))
        knock(Work.LETTERS)
    return back("settings.settings_page")


@pages.post("/remove")
def remove() -> Answer:
    """Remove a passkey."""
    found, name = _operator(), request.form.get("passkey", "")
    if asked := passkey_proof.ask_lately(found, "settings.settings_page"):
        return asked
    try:
        passkeys.remove(house(), found, name, house().now())
    except Refused as refusal:
        say(refusal)
    else:
        say(sentence("passkeys.removed", name=name))
        knock(Work.LETTERS)
    return back("settings.settings_page")


def _operator() -> Visitor:
    """Return the admin; for everybody else these pages do not exist."""
    limit("passkeys", limits.PASSKEY_FORMS_AN_HOUR)
    return operator() or abort(404)
