"""Asks an admin who has a passkey to confirm each form with it, for exactly what the form says."""

from __future__ import annotations

import hashlib
import json

from flask import request, session, url_for

from corr import limits
from corr.service.players import authentication, passkeys
from corr.service.players.authentication import Visitor
from corr.service.players.passkeys import Holder
from corr.web.account import recent_sign_in
from corr.web.browser_session import (
    PageResponse,
    current_admin,
    current_server,
    limit,
    render_page,
    set_message,
)
from corr.words.errors import Refused

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
    return recent_sign_in.require_recent_sign_in(found, goal) or require_passkey(found, goal)


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
        "web/proof.html",
        wanted=wanted,
        fields=fields,
        action=request.script_root + request.path,
        code=code,
        goal=url_for(goal),
    )


def _deed(fields: list[tuple[str, str]]) -> str:
    """Return a hash of the form for its passkey: any change gives another hash."""
    return hashlib.sha256(json.dumps([request.path, *fields]).encode()).hexdigest()
