"""Adds and removes an admin's passkeys."""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr import limits
from corr.service.players import passkeys
from corr.service.players.authentication import Visitor
from corr.text.messages import sentence
from corr.web.account import passkey_proof
from corr.web.account.passkey_proof import passkey_holder
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_admin,
    current_server,
    limit,
    redirect_to,
    render_page,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("passkeys", __name__, url_prefix="/settings/passkeys")
pages.before_request(check_form)


@pages.post("", strict_slashes=False)
def begin() -> PageResponse:
    """Show the page that creates a passkey."""
    found = _operator()
    if asked := passkey_proof.require_recent_proof(found, "settings.settings_page"):
        return asked
    name = request.form.get("passkey", "")
    try:
        wanted = passkeys.start_setup(current_server(), passkey_holder(found), name, current_server().now())
    except Refused as refusal:
        set_message(refusal)
        return redirect_to("settings.settings_page")
    return render_page("web/passkey.html", wanted=wanted, passkey=name)


@pages.post("/add")
def add() -> PageResponse:
    """Store a new passkey; from now on decrees need one."""
    found, form = _operator(), request.form
    try:
        passkeys.add(
            current_server(),
            passkey_holder(found),
            form.get("passkey", ""),
            form.get("proof", ""),
            current_server().now(),
        )
    except Refused as refusal:
        set_message(refusal)
    else:
        set_message(sentence("passkeys.added"))
        wake_worker(Work.LETTERS)
    return redirect_to("settings.settings_page")


@pages.post("/remove")
def remove() -> PageResponse:
    """Remove a passkey."""
    found, name = _operator(), request.form.get("passkey", "")
    if asked := passkey_proof.require_recent_proof(found, "settings.settings_page"):
        return asked
    try:
        passkeys.remove(current_server(), found, name, current_server().now())
    except Refused as refusal:
        set_message(refusal)
    else:
        set_message(sentence("passkeys.removed", name=name))
        wake_worker(Work.LETTERS)
    return redirect_to("settings.settings_page")


def _operator() -> Visitor:
    """Return the admin; for everybody else these pages do not exist."""
    limit("passkeys", limits.PASSKEY_FORMS_AN_HOUR)
    return current_admin() or abort(404)
