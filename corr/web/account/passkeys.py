"""Adds and removes an admin's passkeys, and asks for one before an admin acts."""

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


def passkey_holder(visitor: Visitor) -> Holder:
    """Return the visitor and their session, for which passkeys are checked."""
    return Holder(visitor, authentication.digest(session["in"]))


def ask_for_passkey(goal: str) -> PageResponse | None:
    """Show a page that asks an admin for a passkey before a form; None lets it pass."""
    found = current_admin()
    return require_passkey(found, goal) if request.method == "POST" and found else None


def require_recent_proof(visitor: Visitor, goal: str) -> PageResponse | None:
    """Ask for a new sign-in if the last is long ago, then for a passkey; None lets it pass."""
    return forms.require_recent_sign_in(visitor, goal) or require_passkey(visitor, goal)


def require_passkey(visitor: Visitor, goal: str) -> PageResponse | None:
    """Check an admin's passkey, or show the page that asks for it; None lets the request pass."""
    limit("proof", limits.PROOF_FORMS_AN_HOUR)
    fields = [each for each in request.form.items() if each[0] not in _OWN_FIELDS]
    who, deed, now = passkey_holder(visitor), _deed(fields), current_server().now()
    if "proof" in request.form and passkeys.list_passkeys(current_server(), visitor):
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
    """Return a hash of the form, which the passkey signs, so that nobody can change the form."""
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
    """Store a new passkey; from now on the admin's actions need one."""
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
    """Remove a passkey, after a recent sign-in and a check of a passkey."""
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
    """Return the admin; answer 404 to everybody else."""
    limit("passkeys", limits.PASSKEY_FORMS_AN_HOUR)
    return current_admin() or abort(404)
