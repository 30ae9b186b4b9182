"""An operator's form is done when one of their passkeys was shown for just what it says, where they have one."""

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
    """Who is let in at this browser, as passkeys know them."""
    return Holder(found, authentication.digest(session["in"]))


def ask_for_passkey() -> Answer | None:
    """Before a form is done: the page on which a passkey is shown for it; None where that is done, or not needed."""
    found = operator()
    return ask(found, "admin.overview") if request.method == "POST" and found else None


def ask_lately(found: Visitor, goal: str) -> Answer | None:
    """A letter first where the last one is long ago, and a passkey where there is one."""
    return recent_sign_in.ask_again(found, goal) or ask(found, goal)


def ask(found: Visitor, goal: str) -> Answer | None:
    """The same for an operator whose form is at hand; who has no passkey there goes back to another page."""
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
    """A form as a passkey is shown for it: another one where a letter of it is another."""
    return hashlib.sha256(json.dumps([request.path, *fields]).encode()).hexdigest()
