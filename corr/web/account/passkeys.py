"""Adds and removes an admin's passkeys."""

from __future__ import annotations

import hashlib
import json

from flask import Blueprint, abort, request, session, url_for

from corr import limits
from corr.service.players import authentication, passkeys
from corr.service.players.authentication import Visitor
from corr.service.players.passkeys import Holder
from corr.text.messages import sentence
from corr.web.account import forms
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

_OWN_FIELDS = ("csrf", "proof")


def passkey_holder(found: Visitor) -> Holder:
    """Return the visitor and their session, as passkeys know them."""
    return Holder(found, authentication.digest(session["in"]))


def ask_for_passkey(goal: str) -> PageResponse | None:
    """Ask an admin for a passkey before a form; None if it was shown, or is not needed."""
    found = current_admin()
    return require_passkey(found, goal) if request.method == "POST" and found else None


def require_recent_proof(found: Visitor, goal: str) -> PageResponse | None:
    """Ask for a new sign-in after a long time, and for a passkey if one exists."""
    return forms.require_recent_sign_in(found, goal) or require_passkey(found, goal)


def require_passkey(found: Visitor, goal: str) -> PageResponse | None:
    """Ask an admin for a passkey, if they have one, and check it.

    Without a passkey at hand, the page's way back leads to `goal`.
    """
    limit("proof", limits.PROOF_FORMS_AN_HOUR)
    fields = [each for each in request.form.items() if each[0] not in _OWN_FIELDS]
    who, deed, now = passkey_holder(found), _deed(fields), current_server().now()
    if "proof" in request.form and passkeys.list_passkeys(current_server(), found):
        try:
            passkeys.check(current_server(), who, deed, request.form["proof"], now)
        except Refused as refusal:
            set_message(refusal)
        else:
            return None
    wanted = passkeys.start_check(current_server(), who, deed, now)
    if wanted is None:
        return None
    code = (request.view_args or {}).get("code", "")
    return render_page(
        "web/confirm_with_passkey.html",
        wanted=wanted,
        fields=fields,
        action=request.script_root + request.path,
        code=code,
        goal=url_for(goal),
    )


def _deed(fields: list[tuple[str, str]]) -> str:
    """Return a hash of the form for its passkey: any change gives another hash."""
    return hashlib.sha256(json.dumps([request.path, *fields]).encode()).hexdigest()


pages = Blueprint("passkeys", __name__, url_prefix="/settings/passkeys")
pages.before_request(check_form)


@pages.post("", strict_slashes=False)
def begin() -> PageResponse:
    """Show the page that creates a passkey."""
    found = _operator()
    if asked := require_recent_proof(found, "settings.settings_page"):
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
    if asked := require_recent_proof(found, "settings.settings_page"):
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
