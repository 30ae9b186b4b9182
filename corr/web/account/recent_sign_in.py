"""Asks for a new sign-in before sensitive actions, and leads back afterwards."""

from __future__ import annotations

from flask import session, url_for

from corr.messages import sentence
from corr.service.players.authentication import Visitor
from corr.web.browser_session import Answer, back, house, say, typed


def ask_again(found: Visitor, endpoint: str, **values: str) -> Answer | None:
    """Lead to a new sign-in, or return None after a recent one."""
    if found.came_lately(house().now()):
        return None
    goal = url_for(endpoint, **values)  # type: ignore[arg-type]  # mypy checks ** against url_for's own options
    session["again"] = {"goal": goal, "typed": typed()}
    session.pop("asked", None)
    say(sentence("signing.again"))
    return back("signing.sign_in")
