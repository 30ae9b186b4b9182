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
from corr.web.browser_session import Answer, house, limit, operator, page, say
from corr.words.errors import Refused

_OURS = ("csrf", "proof")


def holder(found: Visitor) -> Holder:
    """Return the visitor and their session, as passkeys know them."""
    return Holder(found, authentication.digest(session["in"]))


def ask_for_passkey() -> Answer | None:
    """Ask for a passkey before a form; None if it was shown, or is not needed."""
    found = operator()
    return ask(found, "admin.overview") if request.method == "POST" and found else None


def ask_lately(found: Visitor, goal: str) -> Answer | None:
    """Ask for a new sign-in after a long time, and for a passkey if one exists."""
    return recent_sign_in.ask_again(found, goal) or ask(found, goal)


def ask(found: Visitor, goal: str) -> Answer | None:
    """Ask an admin for a passkey, if they have one, and check it.

    Without a passkey at hand, the page's way back leads to `goal`.
    """
    limit("proof", limits.PROOF_FORMS_AN_HOUR)
    fields = [each for each in request.form.items() if each[0] not in _OURS]
    who, deed, now = holder(found), _deed(fields), house().now()
    if "proof" in request.form and passkeys.listed(house(), found):
        try:
            passkeys.check(house(), who, deed, request.form["proof"], now)
        except Refused as refusal:
            say(refusal)
        else:
            return None
    wanted = passkeys.ask(house(), who, deed, now)
    if wanted is None:
        return None
    code = (request.view_args or {}).get("code", "")
    return page(
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
