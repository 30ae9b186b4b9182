"""Asks for a new sign-in before sensitive actions, and leads back afterwards."""

from __future__ import annotations

from flask import session, url_for

from corr.service.players.authentication import Visitor
from corr.text.messages import sentence
from corr.web.browser_session import PageResponse, current_server, redirect_to, set_message, typed_fields


def require_recent_sign_in(found: Visitor, endpoint: str, **values: str) -> PageResponse | None:
    """Lead to a new sign-in, or return None after a recent one."""
    if found.has_recent_sign_in(current_server().now()):
        return None
    goal = url_for(endpoint, **values)  # type: ignore[arg-type]  # mypy checks ** against url_for's own options
    session["again"] = {"goal": goal, "typed": typed_fields()}
    session.pop("asked", None)
    set_message(sentence("signing.again"))
    return redirect_to("signing.sign_in")
